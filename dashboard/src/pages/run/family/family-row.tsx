import { Link } from "wouter";
import type { FamilyRun } from "../../../api/models.ts";
import { Chip } from "../../../parts/chip.tsx";
import { shortCostText } from "../../../parts/runs/cost-text.ts";
import { waitingText } from "../../../parts/runs/waiting-text.ts";
import { RelativeTime } from "../../../parts/time/relative-time.tsx";
import { durationText } from "../../../parts/time/time-text.ts";
import { RUN_TONES } from "../../../parts/tones.ts";
import styles from "./family.module.css";

/** One run of a family: how it stands, what it is, and how long it took. */
export function FamilyRow({ run, isCurrent }: { run: FamilyRun; isCurrent: boolean }) {
  const { run_id, agent, title, state, created_at, started_at, finished_at, cost_usd } = run;
  const waiting = waitingText(run);
  return (
    <div className={isCurrent ? styles.current : styles.row}>
      <Chip tone={RUN_TONES[state]}>{state}</Chip>
      <span className={styles.name}>
        <strong>{agent}</strong>{" "}
        {isCurrent ? (
          <span aria-current="page">{title || run_id} (this run)</span>
        ) : (
          <Link href={`/runs/${run_id}`}>{title || run_id}</Link>
        )}
        {waiting && <span className={styles.waiting}>{waiting}</span>}
      </span>
      <span className={styles.figures}>
        {cost_usd !== undefined && <span>{shortCostText(cost_usd)}</span>}
        {started_at && finished_at && (
          <span>{durationText(Date.parse(finished_at) - Date.parse(started_at))}</span>
        )}
        <RelativeTime at={created_at} />
      </span>
    </div>
  );
}
