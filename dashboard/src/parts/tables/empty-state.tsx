import type { ReactNode } from "react";
import { CopyBlock } from "../text/copyable.tsx";
import styles from "./empty-state.module.css";

interface EmptyStateProps {
  /** That there is nothing, and of what. */
  title: string;
  /** What belongs there, and how it comes there. */
  children?: ReactNode;
  /** The exact next command. */
  command?: string;
  /** The button that does it. */
  action?: ReactNode;
}

/** Stands where a list has nothing, and teaches how it gets something. */
export function EmptyState({ title, children, command, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <strong>{title}</strong>
      {children && <p>{children}</p>}
      {action}
      {command !== undefined && <CopyBlock text={command} what="the command" />}
    </div>
  );
}
