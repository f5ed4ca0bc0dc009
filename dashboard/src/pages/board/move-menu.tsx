import { EllipsisVertical } from "lucide-react";
import { Header, Menu, MenuItem, MenuSection, MenuTrigger, Popover } from "react-aria-components";
import type { TaskStage } from "../../api/models.ts";
import { STAGES } from "../../api/task-stages.ts";
import { Button } from "../../parts/button.tsx";
import { STAGE_WORDS } from "../../parts/runs/stage-words.ts";
import styles from "./move-menu.module.css";

interface MoveMenuProps {
  title: string;
  stage: TaskStage;
  /** Whether the keyboard is put on it: its task has just been moved with it. */
  isFocused: boolean;
  onMove: (stage: TaskStage) => void;
}

/** Moves a task to another stage without a pointer. */
export function MoveMenu({ title, stage, isFocused, onMove }: MoveMenuProps) {
  return (
    <MenuTrigger>
      <Button isSmall kind="quiet" aria-label={`Move “${title}”`} autoFocus={isFocused}>
        <EllipsisVertical size={16} aria-hidden />
      </Button>
      <Popover className={styles.popover ?? ""} placement="bottom end">
        <Menu
          className={styles.menu ?? ""}
          aria-label="Move to"
          disabledKeys={[stage]}
          onAction={(key) => onMove(key as TaskStage)}
        >
          <MenuSection>
            <Header className={styles.head ?? ""}>Move to</Header>
            {STAGES.map((each) => (
              <MenuItem key={each} id={each} textValue={STAGE_WORDS[each]} className={styles.item ?? ""}>
                {STAGE_WORDS[each]}
              </MenuItem>
            ))}
          </MenuSection>
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
