import { Fragment, type ReactNode, useEffect } from "react";
import { useLocation } from "wouter";
import styles from "./page.module.css";
import { AmongPageActions } from "./page-actions.ts";
import { tabTitle } from "./tab-title.ts";
import { useNarrow } from "./use-narrow.ts";

interface PageProps {
  title: string;
  /** What stands beside the title: how the thing stands. */
  mark?: ReactNode;
  /** A sentence under the title. */
  lead?: ReactNode;
  /** The page's one main action, and few others. */
  actions?: ReactNode;
  /** What takes something away: far from the main action, so before the others, and below them on a phone. */
  destructive?: ReactNode;
  children: ReactNode;
}

/** A page below its title, which the browser's tab shows too. */
export function Page({ title, mark, lead, actions, destructive, children }: PageProps) {
  const [path] = useLocation();
  useEffect(() => {
    document.title = tabTitle(title, path);
  }, [title, path]);
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
        {(actions || destructive) && <PageActions actions={actions} destructive={destructive} />}
      </header>
      <div className={styles.content}>{children}</div>
    </>
  );
}

/** In the order in which they are seen, for whoever goes through them with a key. */
function PageActions({ actions, destructive }: Pick<PageProps, "actions" | "destructive">) {
  const parts = [
    <Fragment key="destructive">{destructive}</Fragment>,
    <Fragment key="actions">{actions}</Fragment>,
  ];
  return (
    <div className={styles.actions}>
      <AmongPageActions value={true}>{useNarrow() ? parts.reverse() : parts}</AmongPageActions>
    </div>
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
