import type { PullRequestRecord } from "../pull-requests/pull-request-record.ts";

export const STAGES = [
  "kickoff_to_pr",
  "pr_to_first_review",
  "first_review_to_merge",
  "kickoff_to_merge",
] as const;
export type CycleStage = (typeof STAGES)[number];

/** How long each stage of a pull request took, in seconds; null where one of its ends is not known. */
export type CycleTime = Record<CycleStage, number | null>;

export function kickoffOf({ runs }: Pick<PullRequestRecord, "runs">): string | null {
  return runs[0]?.createdAt ?? null;
}

export function cycleTimeOf(
  record: Pick<PullRequestRecord, "runs" | "snapshot" | "firstHumanReviewAt">,
): CycleTime {
  const kickoff = kickoffOf(record);
  const { openedAt = null, mergedAt = null } = record.snapshot ?? {};
  const review = record.firstHumanReviewAt;
  return {
    kickoff_to_pr: secondsBetween(kickoff, openedAt),
    pr_to_first_review: secondsBetween(openedAt, review),
    first_review_to_merge: secondsBetween(review, mergedAt),
    kickoff_to_merge: secondsBetween(kickoff, mergedAt),
  };
}

/** @returns nothing also where the end came first: a run can report a pull request that was there before it */
function secondsBetween(from: string | null, to: string | null): number | null {
  if (from === null || to === null || to < from) return null;
  return (Date.parse(to) - Date.parse(from)) / 1_000;
}

/** The middle one of some values, or what lies between the two middle ones. */
export function medianOf(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
}
