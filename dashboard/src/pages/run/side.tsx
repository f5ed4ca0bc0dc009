import type { ReactNode } from "react";
import styles from "./side.module.css";

/** A view of a run, with what belongs to it at its right: on a phone below it, and what has to be done before it. */
export function WithSide({
  first,
  side,
  children,
}: {
  first?: ReactNode;
  side: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className={styles.split}>
      <div className={styles.side}>
        {first && <div className={styles.first}>{first}</div>}
        <div className={styles.rest}>{side}</div>
      </div>
      <div className={styles.main}>{children}</div>
    </div>
  );
}

/** A few rows of facts next to what a view is about. */
export function SideSection({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.section} aria-label={title}>
      <h2>{title}</h2>
      <ul>{children}</ul>
    </section>
  );
}

/** @param figure what is at the end of the row */
export function SideRow({
  icon,
  figure,
  children,
}: {
  icon?: ReactNode;
  figure?: ReactNode;
  children: ReactNode;
}) {
  return (
    <li className={styles.row}>
      {icon}
      <span className={styles.text}>{children}</span>
      {figure && <span className={styles.figure}>{figure}</span>}
    </li>
  );
}
