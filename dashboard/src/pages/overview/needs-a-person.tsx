import { useState } from "react";
import { Link } from "wouter";
import { Button } from "../../parts/button.tsx";
import { Chip } from "../../parts/chip.tsx";
import { RelativeTime } from "../../parts/time/relative-time.tsx";
import styles from "./needs-a-person.module.css";
import { useNeeds } from "./use-needs.ts";

/** More would push the charts out of view. */
const SHOWN = 4;

/** What goes on only when someone does something, each with the way there; nothing when all is well. */
export function NeedsAPerson() {
  const needs = useNeeds();
  const [showsAll, setShowsAll] = useState(false);
  if (needs.length === 0) return null;
  return (
    <section className={styles.needs} aria-label="Needs attention">
      <div className={styles.head}>
        <h2>Needs attention</h2>
        {needs.length > SHOWN && (
          <Button isSmall kind="quiet" onPress={() => setShowsAll(!showsAll)}>
            {showsAll ? "Show fewer" : `Show all ${needs.length}`}
          </Button>
        )}
      </div>
      <ul>
        {(showsAll ? needs : needs.slice(0, SHOWN)).map(({ href, tone, word, text, question, since }) => (
          <li key={`${href} ${word}`}>
            <Chip tone={tone}>{word}</Chip>
            <Link href={href}>{text}</Link>
            {question && <span className={styles.question}>{question}</span>}
            {since && (
              <span className={styles.age}>
                <RelativeTime at={since} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
