import { type ReactNode, useEffect } from "react";
import styles from "./page.module.css";

interface PageProps {
  title: string;
  /** What stands beside the title: how the thing stands. */
  mark?: ReactNode;
  /** A sentence under the title. */
  lead?: ReactNode;
  /** The page's one main action, and few others. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page below its title, which the browser's tab shows too. */
export function Page({ title, mark, lead, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · millrace`;
  }, [title]);
  return (
    <>
      <header className={styles.header}>
        <div className={styles.titles}>
          <div className={styles.title}>
            <h1>{title}</h1>
            {mark}
          </div>
          {lead && <div className={styles.lead}>{lead}</div>}
        </div>
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      <div className={styles.content}>{children}</div>
    </>
  );
}

interface SectionProps {
  title: string;
  /** What stands at the right of the title. */
  aside?: ReactNode;
  /** Without space around what is in it: a table brings its own. */
  isFlush?: boolean;
  children: ReactNode;
}

/** A part of a page, in a frame of its own. */
export function Section({ title, aside, isFlush = false, children }: SectionProps) {
  return (
    <section className={styles.section} aria-label={title}>
      <div className={styles.head}>
        <h2>{title}</h2>
        {aside && <div className={styles.aside}>{aside}</div>}
      </div>
      <div className={isFlush ? styles.flush : styles.body}>{children}</div>
    </section>
  );
}
