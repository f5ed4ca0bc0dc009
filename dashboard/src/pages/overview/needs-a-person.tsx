import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import { Chip } from "../../parts/chip.tsx";
import styles from "./needs-a-person.module.css";
import { useNeeds } from "./use-needs.ts";

/** What goes on only when someone does something, each with the way there; nothing when all is well. */
export function NeedsAPerson({ factories }: { factories: readonly Models["Factory"][] }) {
  const needs = useNeeds(factories);
  if (needs.length === 0) return null;
  return (
    <section className={styles.needs} aria-label="Needs attention">
      <h2>Needs attention</h2>
      <ul>
        {needs.map(({ href, tone, word, text }) => (
          <li key={`${href} ${word}`}>
            <Chip tone={tone}>{word}</Chip>
            <Link href={href}>{text}</Link>
          </li>
        ))}
      </ul>
    </section>
  );
}
