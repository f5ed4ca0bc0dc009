import { ChevronDown, ChevronRight } from "lucide-react";
import { useState } from "react";
import { Button } from "react-aria-components";
import { fieldText } from "../../editor/filter-clauses.ts";
import styles from "./payload-picker.module.css";

/** What is open at first, and how much of a long list is shown: no one points at the thousandth item. */
const OPEN_LEVELS = 2;
const MAX_SHOWN = 50;
const MAX_TEXT = 120;

export type Pick = (field: readonly string[], value: unknown) => void;

/** A payload whose fields become clauses when they are pressed. It is text, whatever is in it. */
export function PayloadPicker({ payload, onPick }: { payload: unknown; onPick: Pick }) {
  if (!isContainer(payload))
    return <p className={styles.muted}>This payload is not an object, so it has no fields to filter by.</p>;
  return (
    <div className={styles.tree}>
      <Entries value={payload} field={[]} level={1} onPick={onPick} />
    </div>
  );
}

interface EntriesProps {
  value: object;
  /** To the container: elements of an array have the field of the array, as filters see them. */
  field: readonly string[];
  level: number;
  onPick: Pick;
}

function Entries({ value, field, level, onPick }: EntriesProps) {
  const entries = Object.entries(value);
  const isList = Array.isArray(value);
  return (
    <ul className={styles.entries}>
      {entries.slice(0, MAX_SHOWN).map(([key, inner]) => (
        <li key={key}>
          <Entry
            name={key}
            value={inner}
            field={isList ? field : [...field, key]}
            level={level}
            onPick={onPick}
          />
        </li>
      ))}
      {entries.length > MAX_SHOWN && (
        <li className={styles.muted}>and {entries.length - MAX_SHOWN} more (not shown)</li>
      )}
    </ul>
  );
}

function Entry({
  name,
  value,
  field,
  level,
  onPick,
}: Omit<EntriesProps, "value"> & { name: string; value: unknown }) {
  const [isOpen, setOpen] = useState(level < OPEN_LEVELS);
  const label = <span className={styles.key}>{name}</span>;
  if (!isContainer(value)) {
    if (field.length === 0) return <span className={styles.muted}>{shown(value)}</span>;
    return (
      <Button
        className={styles.pick ?? ""}
        onPress={() => onPick(field, value)}
        aria-label={`Add clause: ${fieldText(field)} ${shown(value)}`}
      >
        {label} <span className={styles.value}>{shown(value)}</span>
      </Button>
    );
  }
  const size = Object.keys(value).length;
  return (
    <>
      <span className={styles.container}>
        <Button className={styles.open ?? ""} onPress={() => setOpen(!isOpen)} aria-expanded={isOpen}>
          {isOpen ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          {label}
          <span className={styles.muted}>{Array.isArray(value) ? `[${size}]` : `{${size}}`}</span>
        </Button>
        {field.length > 0 && !Array.isArray(value) && (
          <Button
            className={styles.present ?? ""}
            onPress={() => onPick(field, value)}
            aria-label={`Add clause: ${fieldText(field)} is present`}
          >
            is present
          </Button>
        )}
      </span>
      {isOpen && <Entries value={value} field={field} level={level + 1} onPick={onPick} />}
    </>
  );
}

function isContainer(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
}
