import { counted } from "../counted.ts";
import styles from "./counts.module.css";

/** How many lines were added and removed. */
export function Counts({ added, removed }: { added: number; removed: number }) {
  return (
    <span className={styles.counts}>
      <span className={styles.added}>
        <span aria-hidden="true">+{added.toLocaleString()}</span>
        <span className="visually-hidden">{counted(added, "line")} added, </span>
      </span>
      <span className={styles.removed}>
        <span aria-hidden="true">−{removed.toLocaleString()}</span>
        <span className="visually-hidden">{counted(removed, "line")} removed</span>
      </span>
    </span>
  );
}
