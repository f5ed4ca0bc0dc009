import { CopyBlock } from "./copyable.tsx";
import styles from "./shown-once.module.css";

/** A secret right after it was made. */
export function ShownOnce({ what, value }: { what: string; value: string }) {
  return (
    <div className={styles.once}>
      <CopyBlock text={value} what={what} />
      <p>Copy it now: it is not kept and will not be shown again.</p>
    </div>
  );
}
