import type { RefObject } from "react";
import { Menu, MenuItem, Popover } from "react-aria-components";
import type { Models } from "../api/client.ts";
import { FactoryStanding } from "./factory-standing.tsx";
import styles from "./factory-switcher.module.css";

interface FactoryMenuProps {
  factories: readonly Models["Factory"][];
  /** What has opened it, below which it stands. */
  trigger: RefObject<HTMLElement | null>;
  onChoose: (uid: string) => void;
  onClose: () => void;
}

/** All factories, one of which can be chosen. */
export function FactoryMenu({ factories, trigger, onChoose, onClose }: FactoryMenuProps) {
  return (
    <Popover
      className={styles.popover ?? ""}
      placement="bottom start"
      triggerRef={trigger}
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <Menu
        className={styles.list ?? ""}
        aria-label="Factories"
        autoFocus="first"
        onAction={(uid) => onChoose(String(uid))}
        onClose={onClose}
      >
        {factories.map((factory) => (
          <MenuItem key={factory.uid} id={factory.uid} textValue={factory.name} className={styles.item ?? ""}>
            <FactoryStanding factory={factory} />
          </MenuItem>
        ))}
      </Menu>
    </Popover>
  );
}
