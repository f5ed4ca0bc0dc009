import type { Models } from "../api/client.ts";
import { SYNC_WORDS } from "../parts/tones.ts";
import styles from "./factory-switcher.module.css";

/** The name of a factory, with how its sync stands as a dot and a word. */
export function FactoryStanding({ factory: { name, sync } }: { factory: Models["Factory"] }) {
  return (
    <span className={styles.standing}>
      <span className={styles.name}>{name}</span>{" "}
      <span className={styles.status}>
        <span className={`${styles.dot} ${styles[sync.status]}`} aria-hidden="true" />
        {SYNC_WORDS[sync.status]}
      </span>
    </span>
  );
}
