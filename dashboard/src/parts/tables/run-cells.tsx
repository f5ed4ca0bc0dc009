import { GitPullRequest } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";
import type { Models, Run } from "../../api/models.ts";
import { factoryPath } from "../factory-path.ts";
import { RunChip } from "../runs/run-chip.tsx";
import { runCostText, workText } from "../runs/run-figures.ts";
import { originOf, pullRequestOf, reasonOf } from "../runs/run-origin.ts";
import { Urgency } from "../runs/urgency.tsx";
import { RelativeTime } from "../time/relative-time.tsx";
import { type Column, main, muted, right, wide } from "./data-table.tsx";
import styles from "./run-cells.module.css";

type Factory = Pick<Models["Factory"], "uid" | "name">;

/** Which columns a table of runs has beside those that it always has. */
export interface RunColumns {
  hasFactory?: boolean;
  hasCost?: boolean;
  hasPullRequest?: boolean;
}

/** The columns that runs differ in: without a factory where there is only one, and without what no run has. */
export function runColumnsFor(runs: readonly Run[], factories: readonly Factory[]): RunColumns {
  return {
    hasFactory: factories.length > 1 && runs.some(({ factory_uid }) => factory_uid !== runs[0]?.factory_uid),
    hasCost: runs.some((run) => runCostText(run) !== ""),
    hasPullRequest: runs.some((run) => pullRequestOf(run) !== undefined),
  };
}

/** The heads of a table of runs. */
export function runColumns({ hasFactory, hasCost, hasPullRequest }: RunColumns): Column[] {
  return [
    { title: "State" },
    { title: "Run" },
    { title: "Started by", isWide: true },
    ...(hasFactory ? [{ title: "Factory", isWide: true }] : []),
    ...(hasPullRequest ? [{ title: "Pull request", isWide: true }] : []),
    { title: "Duration", isWide: true, isRight: true },
    ...(hasCost ? [{ title: "Cost", isWide: true, isRight: true }] : []),
    { title: "Created", isWide: true, isRight: true },
  ];
}

interface RunCellsProps {
  run: Run;
  columns: RunColumns;
  factories: readonly Factory[];
}

/** The cells of a run. On a phone, what started it and its age stand under its title. */
export function RunCells({ run, columns, factories }: RunCellsProps) {
  const origin = originOf(run);
  const reason = reasonOf(run);
  const pullRequest = pullRequestOf(run);
  const factory = factories.find(({ uid }) => uid === run.factory_uid);
  return (
    <>
      <td>
        <div className={styles.state}>
          <RunChip state={run.state} />
          {run.question?.urgency === "high" && <Urgency question={run.question} />}
        </div>
      </td>
      <td className={`${main} ${styles.title}`}>
        <Link href={`/runs/${run.run_id}`} title={run.title}>
          {run.title || run.run_id}
        </Link>
        {reason !== undefined && (
          <span className={`${styles.second} ${styles.reason}`} title={reason}>
            {reason}
          </span>
        )}
        <span className={`${styles.second} ${styles.phone}`}>
          {origin.name} · <RelativeTime at={run.created_at} />
        </span>
      </td>
      <td className={`${wide} ${styles.origin}`}>
        <OriginName href={originHref(run, factory)}>{origin.name}</OriginName>
        <span className={styles.second}>{origin.kind}</span>
      </td>
      {columns.hasFactory && <td className={`${wide} ${muted} ${styles.factory}`}>{factory?.name}</td>}
      {columns.hasPullRequest && (
        <td className={wide}>
          {pullRequest && (
            <a
              className={styles.pullRequest}
              href={pullRequest.url}
              target="_blank"
              rel="noopener noreferrer"
              aria-label={`Pull request ${pullRequest.label} of ${run.title}`}
            >
              <GitPullRequest size={14} aria-hidden /> {pullRequest.label}
            </a>
          )}
        </td>
      )}
      <td className={`${wide} ${right} ${muted}`}>{workText(run)}</td>
      {columns.hasCost && <td className={`${wide} ${right} ${muted}`}>{runCostText(run)}</td>}
      <td className={`${wide} ${right} ${muted}`}>
        <RelativeTime at={run.created_at} />
      </td>
    </>
  );
}

function originHref({ automation_id, schedule }: Run, factory: Factory | undefined): string | undefined {
  if (automation_id === undefined) return schedule && "/schedules";
  return factory && factoryPath(factory.name, "automations", automation_id);
}

function OriginName({ href, children }: { href: string | undefined; children: ReactNode }) {
  return href === undefined ? <span>{children}</span> : <Link href={href}>{children}</Link>;
}
