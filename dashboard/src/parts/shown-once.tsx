import type { ReactNode } from "react";
import styles from "./shown-once.module.css";
import { CopyBlock } from "./text/copyable.tsx";

interface ShownOnceProps {
  what: string;
  value: string;
  /** Says that, in words that are right for what it is. */
  note?: ReactNode;
}

/** A secret right after it was made. */
export function ShownOnce({
  what,
  value,
  note = "Copy it now: it is not stored and will not be shown again.",
}: ShownOnceProps) {
  return (
    <div className={styles.once}>
      <CopyBlock text={value} what={what} />
      <p>{note}</p>
    </div>
  );
}
