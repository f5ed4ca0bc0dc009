import { MoreHorizontal, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "react-aria-components";
import { useLocation } from "wouter";
import { Mark } from "../parts/mark.tsx";
import { openLater } from "../parts/time/later.tsx";
import { FactorySwitcher } from "./factory-switcher.tsx";
import { Finder, FinderButton, keys } from "./finder.tsx";
import styles from "./frame.module.css";
import { InterruptionNote } from "./interruption-note.tsx";
import { Help, Navigation, PhoneNavigation, Rooms } from "./navigation.tsx";
import { PauseNotes } from "./pause-notes.tsx";
import { WhoAmI } from "./who-am-i.tsx";

/** The one frame around every page: a bar at the left, which a phone shows when it is asked for. */
export function Frame({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const [isFinding, setFinding] = useState(false);
  const [showsKeys, setShowsKeys] = useState(false);
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
          <Brand />
          <FinderButton isIcon onOpen={() => setFinding(true)} />
        </div>
        <div className={`${styles.bar} ${isOpen ? styles.open : ""}`}>
          <div className={styles.desk}>
            <Brand />
          </div>
          <FactorySwitcher />
          <div className={styles.desk}>
            <FinderButton onOpen={() => setFinding(true)} />
          </div>
          <Navigation />
          <Help onKeys={() => openLater(keys, () => setShowsKeys(true))} />
          <WhoAmI />
        </div>
        <PhoneNavigation>
          <Button aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            {isOpen ? <X size={16} aria-hidden /> : <MoreHorizontal size={16} aria-hidden />}
            <span>More</span>
          </Button>
        </PhoneNavigation>
      </header>
      <main className={styles.content} id="content" tabIndex={-1} ref={content}>
        <InterruptionNote />
        <PauseNotes />
        <Rooms />
        {children}
      </main>
      <Finder isOpen={isFinding} setOpen={setFinding} showsKeys={showsKeys} setShowsKeys={setShowsKeys} />
    </div>
  );
}

function Brand() {
  return (
    <span className={styles.brand}>
      <Mark />
      millrace
    </span>
  );
}
