import { Check, ChevronDown } from "lucide-react";
import { type ReactNode, useState } from "react";
import { DialogTrigger, ListBox, ListBoxItem, Popover } from "react-aria-components";
import { Button } from "../button.tsx";
import { Field } from "../forms/field.tsx";
import styles from "./filter-menu.module.css";
import type { FilterOption } from "./filter-option.ts";

interface FilterMenuProps {
  label: string;
  options: readonly FilterOption[];
  selected: readonly string[];
  /** Whether several can be chosen. */
  isMultiple?: boolean;
  onChange: (values: string[]) => void;
  /** Is told when the options are needed. */
  onOpen?: () => void;
  /** What stands under the options. */
  children?: ReactNode;
}

/** From so many options on, they can be searched. */
const MANY = 9;

/** A button that opens the values of a filter. */
export function FilterMenu(props: FilterMenuProps) {
  const { label, options, selected, isMultiple = false, onChange, onOpen, children } = props;
  const [isOpen, setOpen] = useState(false);
  const [sought, setSought] = useState("");
  const shown = options.filter(({ label: text, detail = "" }) =>
    `${text} ${detail}`.toLowerCase().includes(sought.trim().toLowerCase()),
  );
  const change = (opens: boolean) => {
    setSought("");
    setOpen(opens);
    if (opens) onOpen?.();
  };
  return (
    <DialogTrigger isOpen={isOpen} onOpenChange={change}>
      <Button isSmall aria-haspopup="dialog">
        {label} <ChevronDown size={14} aria-hidden />
      </Button>
      <Popover className={styles.popover ?? ""} placement="bottom start" aria-label={label}>
        {options.length >= MANY && (
          <Field
            label={`Search ${label.toLowerCase()}`}
            isLabelHidden
            placeholder="Search"
            autoFocus
            value={sought}
            onChange={setSought}
          />
        )}
        <ListBox
          aria-label={label}
          className={styles.list ?? ""}
          selectionMode={isMultiple ? "multiple" : "single"}
          selectedKeys={selected}
          // Escape closes the menu, and leaves the filter as it is.
          escapeKeyBehavior="none"
          items={shown.map((option) => ({ ...option, id: option.value }))}
          renderEmptyState={() => <p className={styles.empty}>Nothing to choose from.</p>}
          onSelectionChange={(keys) => {
            onChange(keys === "all" ? options.map(({ value }) => value) : [...keys].map(String));
            if (!isMultiple) change(false);
          }}
        >
          {({ id, label: text, detail }) => (
            <ListBoxItem id={id} textValue={text} className={styles.option ?? ""}>
              <Check size={14} aria-hidden className={styles.check ?? ""} />
              <span className={styles.text}>{text}</span>
              {detail !== undefined && <span className={styles.detail}>{detail}</span>}
            </ListBoxItem>
          )}
        </ListBox>
        {children}
      </Popover>
    </DialogTrigger>
  );
}
