import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { Models } from "../../api/client.ts";
import { explanationQuery } from "../../api/queries.ts";
import { Checks } from "../../parts/checks.tsx";
import { Chip } from "../../parts/chip.tsx";
import { factoryPath } from "../../parts/factory-path.ts";
import { Loaded } from "../../parts/tables/loaded.tsx";
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

/** What a delivery did with the run that is named next. */
const WORDS: Readonly<Record<Models["Disposition"]["kind"], string>> = {
  started: "The delivery started run",
  waiting: "The delivery started a run that waits:",
  joined: "The delivery joined run",
  continued: "The delivery continued run",
  replaced: "The delivery replaced earlier runs with run",
};

/** What a delivery did for an automation when it came, and why. */
function Disposition({ of }: { of: Models["Disposition"] }) {
  const { kind, run_id, reason, replaced_run_ids: replaced } = of;
  return (
    <div className={styles.reason}>
      <p>
        {WORDS[kind]} <RunLink id={run_id} />
      </p>
      {replaced.map((id) => (
        <p key={id}>
          Replaced: <RunLink id={id} />
        </p>
      ))}
      <p className={styles.off}>{reason}</p>
    </div>
  );
}

function RunLink({ id }: { id: string }) {
  return <Link href={`/runs/${id}`}>{id}</Link>;
}
