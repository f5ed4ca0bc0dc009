import { X } from "lucide-react";
import { Button as AriaButton } from "react-aria-components";
import { Button } from "../button.tsx";
import styles from "./filter-chips.module.css";

interface FilterChipsProps {
  filters: readonly { name: string; label: string; text: string }[];
  onRemove: (name: string) => void;
  onClear: () => void;
}

/** The filters of a list, in words; each can be removed. */
export function FilterChips({ filters, onRemove, onClear }: FilterChipsProps) {
  if (filters.length === 0) return null;
  return (
    <ul className={styles.chips} aria-label="Active filters">
      {filters.map(({ name, label, text }) => (
        <li key={name} className={styles.chip}>
          <span className={styles.text} title={text}>
            {label}: <strong>{text}</strong>
          </span>
          <AriaButton
            className={styles.remove ?? ""}
            aria-label={`Remove the filter ${label}`}
            onPress={() => onRemove(name)}
          >
            <X size={14} aria-hidden />
          </AriaButton>
        </li>
      ))}
      <li>
        <Button isSmall kind="quiet" onPress={onClear}>
          Clear all
        </Button>
      </li>
    </ul>
  );
}
