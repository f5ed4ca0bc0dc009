import { type ReactNode, useState } from "react";
import styles from "./fold.module.css";

interface FoldProps {
  title: string;
  /** What is in it, in a few words, for who leaves it closed. */
  about?: ReactNode;
  children: ReactNode;
}

/** A part of a page that is closed until someone opens it. The tab remembers which parts of such pages are open. */
export function Fold({ title, about, children }: FoldProps) {
  const key = `millrace-fold-${title}`;
  const [isOpen, setOpen] = useState(() => sessionStorage.getItem(key) === "open");
  return (
    <details
      className={styles.fold}
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        setOpen(open);
        sessionStorage.setItem(key, open ? "open" : "closed");
      }}
    >
      <summary>
        <h2>{title}</h2>
        {about !== undefined && <span className={styles.about}>{about}</span>}
      </summary>
      {isOpen && (
        <section className={styles.body} aria-label={title}>
          {children}
        </section>
      )}
    </details>
  );
}
