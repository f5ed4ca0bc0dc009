import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { explanationQuery } from "../../api/queries.ts";
import { Checks } from "../../parts/checks.tsx";
import { Chip } from "../../parts/chip.tsx";
import { factoryPath } from "../../parts/factory-path.ts";
import { Loaded } from "../../parts/tables/loaded.tsx";
import { Disposition } from "./disposition.tsx";
import styles from "./explanation.module.css";

/** Why each automation would or would not start a run for a delivery, check by check, by the active definition. */
export function Explanation({ factory, deliveryId }: { factory: string; deliveryId: string }) {
  const query = useQuery(explanationQuery(factory, deliveryId));
  return (
    <Loaded query={query}>
      {({ summary, automations }) => (
        <div className={styles.explanation}>
          <p>{summary}</p>
          <ul>
            {automations.map(({ name, enabled, paused, result, reason, disposition, triggers }) => (
              <li key={name}>
                <div className={styles.head}>
                  <Chip tone={result === "Would trigger" ? "green" : "grey"}>{result}</Chip>
                  <Link href={factoryPath(factory, "automations", name)}>{name}</Link>
                  {!enabled && <span className={styles.off}>is disabled</span>}
                  {paused && <span className={styles.off}>is paused: its runs wait</span>}
                </div>
                {disposition && <Disposition of={disposition} />}
                {reason && <p className={styles.reason}>{reason}</p>}
                {triggers.map(({ checks }) => (
                  <Checks key={JSON.stringify(checks)} checks={checks} />
                ))}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Loaded>
  );
}
