/** What people do with a pull request, in the words of the public API. */
export const INTERACTIONS = [
  "opened",
  "code_push",
  "review_approved",
  "review_changes_requested",
  "review_commented",
  "comment",
  "review_comment",
  "pr_action",
] as const;
export type Interaction = (typeof INTERACTIONS)[number];

export const PULL_REQUEST_STATES = ["open", "draft", "merged", "closed"] as const;
export type PullRequestState = (typeof PULL_REQUEST_STATES)[number];
export type ForgeProvider = "github" | "gitlab";

/** How a pull request was when its forge sent a delivery; null is what the delivery does not say. */
export interface PullRequestSnapshot {
  title: string | null;
  author: string | null;
  state: PullRequestState;
  openedAt: string | null;
  mergedAt: string | null;
  closedAt: string | null;
  updatedAt: string;
  additions: number | null;
  deletions: number | null;
  changedFiles: number | null;
  commits: number | null;
}

/** Something that was done, by whomever. */
export interface PullRequestAct {
  interaction: Interaction;
  /** Tells it from every other act on the pull request: there may be several deliveries of one. */
  key: string;
  /** By the forge's clock. */
  at: string;
  isPerson: boolean;
}

/** What one delivery says about a pull request. */
export interface PullRequestEvent {
  url: string;
  provider: ForgeProvider;
  /** `owner/name`, as the forge writes it. */
  repository: string;
  number: number;
  snapshot: PullRequestSnapshot;
  act: PullRequestAct | null;
  /** An act that was withdrawn: a review that was dismissed. */
  withdrawal: { key: string; at: string } | null;
}

/** A pull request as a run has reported it. */
export interface ReportedPullRequest {
  /** As it was reported. */
  url: string;
  title: string | null;
  reportedAt: string;
  run: ReportingRun;
}

export interface ReportingRun {
  id: string;
  /** The run that its family began with; itself where nothing started it. */
  rootId: string;
  createdAt: string;
  source: string;
  creator: { uid: string; type: "user" | "service_account"; displayName: string };
  modelId: string | null;
}

/** A page of what runs have reported. */
export interface ReportPage {
  reports: ReportedPullRequest[];
  /** Where the next page begins; null at the end. */
  next: number | null;
}

/** Keeps what deliveries say about pull requests, and finds the runs that reported them. */
export interface PullRequestStore {
  /** What deliveries of a factory said, in their order. @param after the id of the last one of the page before */
  listEvents(
    factoryUid: string,
    page: { after: string | null; limit: number },
  ): Promise<{ id: string; event: PullRequestEvent }[]>;
  /** @param after the `next` of the page before */
  listReported(factoryUid: string, page: { after: number; limit: number }): Promise<ReportPage>;
  /** How many messages people have sent to runs, by run. */
  listMessageCounts(runIds: readonly string[]): Promise<Record<string, number>>;
  /** Deletes what was accepted before an instant. @returns how many; as many as `limit` means that there may be more */
  forgetEvents(before: string, limit: number): Promise<number>;
  /** Deletes what the deliveries of a webhook said, up to one of them. @returns as {@link forgetEvents} */
  forgetEventsOf(webhook: { factoryUid: string; uid: string }, upTo: string, limit: number): Promise<number>;
}
