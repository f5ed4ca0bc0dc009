import type { Models } from "../../client/typed-paths.ts";
import type { RunCount } from "../../insight/factory-metrics-store.ts";
import {
  cycleTimeOf,
  type FactoryPullRequest,
  hasHumanCode,
  humanInteractions,
  isReported,
  linesOf,
  medianOf,
  STAGES,
} from "../../insight/factory-pull-requests.ts";
import { datedIn, type Frame, withSeries } from "../../insight/periods.ts";
import type { FiguresOf } from "./figures.ts";

type PullRequests = readonly FactoryPullRequest[];

interface ProductivityFacts {
  counts: readonly (RunCount & { from: string })[];
  /** All of the factory, also those that no run has reported. */
  pullRequests: PullRequests;
}

/** What runs have brought about, as the API shows it. Which date counts differs from figure to figure, as the public API has it. */
export function productivityOf(
  frame: Frame,
  { counts, pullRequests }: ProductivityFacts,
): FiguresOf<Models["FactoryMetrics"]> {
  const reported = pullRequests.filter(isReported);
  const runs = datedIn(frame, counts, ({ from }) => from);
  const seen = datedIn(frame, reported, ({ firstSeenAt }) => firstSeenAt);
  const opened = datedIn(frame, reported, ({ snapshot }) => snapshot?.openedAt ?? snapshot?.mergedAt ?? null);
  const allMerged = datedIn(frame, pullRequests, ({ snapshot }) => snapshot?.mergedAt ?? null);
  const merged = datedIn(frame, reported, ({ snapshot }) => snapshot?.mergedAt ?? null);
  return {
    ...withSeries(frame, (pick) => ({
      run_count: pick(runs).reduce((sum, each) => sum + each.runs, 0),
      pr_count: pick(seen).length,
      merged_pr_count: pick(opened).filter(isMerged).length,
      average_human_interactions_per_pr: meanOf(pick(seen).map((each) => humanInteractions(each).total)),
    })),
    autonomy_funnel: {
      ...withSeries(frame, (pick) => ({ total_merged: pick(allMerged).length, ...autonomyOf(pick(merged)) })),
      repos: reposOf(pullRequests),
    },
    impact: withSeries(frame, (pick) => impactOf(pick(merged))),
    pr_latency: withSeries(frame, (pick) => latencyOf(pick(merged))),
  };
}

const isMerged = ({ snapshot }: FactoryPullRequest) => snapshot?.mergedAt != null;

function autonomyOf(merged: PullRequests) {
  const observed = merged.filter(({ isHistoryComplete }) => isHistoryComplete);
  return {
    factory_merged: merged.length,
    factory_merged_observed: observed.length,
    merged_without_human_code_change: observed.filter((each) => !hasHumanCode(each)).length,
  };
}

function impactOf(merged: PullRequests) {
  const measured = merged.flatMap((each) => linesOf(each) ?? []);
  return {
    additions: measured.reduce((sum, { additions }) => sum + additions, 0),
    deletions: measured.reduce((sum, { deletions }) => sum + deletions, 0),
    merged_pr_count: merged.length,
    measured_pr_count: measured.length,
  };
}

function latencyOf(merged: PullRequests) {
  const times = merged.map(cycleTimeOf);
  const stages = STAGES.map((stage) => {
    const seconds = times.map((time) => time[stage]).filter((each) => each !== null);
    return [stage, { median_seconds: medianOf(seconds), measured_pr_count: seconds.length }];
  });
  type Stages = Pick<Models["FactoryMetrics"]["pr_latency"], (typeof STAGES)[number]>;
  return { merged_pr_count: merged.length, ...(Object.fromEntries(stages) as Stages) };
}

function meanOf(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Those whose deliveries reach the factory. */
function reposOf(pullRequests: PullRequests): string[] {
  const observed = pullRequests.filter(({ snapshot }) => snapshot !== null);
  return [...new Set(observed.flatMap(({ repository }) => repository ?? []))].sort();
}
