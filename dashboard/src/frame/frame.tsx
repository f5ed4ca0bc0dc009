import { Menu as MenuIcon, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { useLocation } from "wouter";
import { Finder, FinderButton } from "./finder.tsx";
import styles from "./frame.module.css";
import { InterruptionNote } from "./interruption-note.tsx";
import { Navigation } from "./navigation.tsx";
import { PauseNotes } from "./pause-notes.tsx";
import { WhoAmI } from "./who-am-i.tsx";

/** The one frame around every page: a bar at the left, which a phone shows when it is asked for. */
export function Frame({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const content = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new address closes the bar and takes the reader to its page
  useEffect(() => {
    setOpen(false);
    if (!isFirst.current) content.current?.focus();
    isFirst.current = false;
  }, [path]);
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#content">
        Skip to content
      </a>
      <header className={styles.header}>
        <div className={styles.top}>
          <span className={styles.brand}>millrace</span>
          <span className={styles.tools}>
            <FinderButton isIcon onOpen={() => setFinding(true)} />
            <Button
              className={styles.menu ?? ""}
              aria-label={isOpen ? "Close menu" : "Open menu"}
              aria-expanded={isOpen}
              onPress={() => setOpen(!isOpen)}
            >
              {isOpen ? <X size={20} aria-hidden /> : <MenuIcon size={20} aria-hidden />}
            </Button>
          </span>
        </div>
        <div className={`${styles.bar} ${isOpen ? styles.open : ""}`}>
          <span className={`${styles.brand} ${styles.beside}`}>millrace</span>
          <div className={styles.beside}>
            <FinderButton onOpen={() => setFinding(true)} />
          </div>
          <Navigation />
          <WhoAmI />
        </div>
      </header>
      <main className={styles.content} id="content" tabIndex={-1} ref={content}>
        <InterruptionNote />
        <PauseNotes />
        {children}
      </main>
      <Finder isOpen={isFinding} setOpen={setFinding} />
    </div>
  );
}
