import { Link } from "wouter";
import type { Models } from "../../api/models.ts";
import { counted } from "../counted.ts";
import { OutsideLink } from "../text/outside-link.tsx";
import { RelativeTime } from "../time/relative-time.tsx";
import { RunChip } from "./run-chip.tsx";
import styles from "./run-summary.module.css";

type Summary = Partial<Models["RunSummary"]>;

/** The run that was started last: how it stands, with the way to it and to its pull request. */
export function LastRun({
  summary,
  otherwise = "none",
}: {
  summary: Summary | undefined;
  otherwise?: string;
}) {
  const last = summary?.last_run;
  if (!last) return summary ? otherwise : null;
  return (
    <span className={styles.last}>
      <RunChip state={last.state} />
      <Link href={`/runs/${last.run_id}`}>
        <span className="visually-hidden">Last run: </span>
        <RelativeTime at={last.created_at} />
      </Link>
      {last.pull_request_url && (
        <OutsideLink href={last.pull_request_url}>{pullRequestName(last.pull_request_url)}</OutsideLink>
      )}
    </span>
  );
}

/** The share of the last ended runs that succeeded, and of how many. */
export function SuccessRate({ summary }: { summary: Summary | undefined }) {
  const { success_rate: rate, ended_runs: ended } = summary ?? {};
  if (rate == null || !ended) return summary ? "—" : null;
  const rated = ended.succeeded + ended.failed;
  return (
    <span title={`${counted(ended.succeeded, "run")} of the last ${rated} succeeded`}>
      {Math.round(rate * 100)} %
    </span>
  );
}

/** As people say it: the number, where the address has one. */
function pullRequestName(url: string): string {
  const number = /\/(?:pull|pulls|merge_requests|pull-requests)\/(\d+)/.exec(url)?.[1];
  return number === undefined ? "Pull request" : `PR #${number}`;
}
