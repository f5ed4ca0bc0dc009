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

export type PullRequestState = "open" | "draft" | "merged" | "closed";
export type ForgeProvider = "github" | "gitlab";

/** How a pull request was when its forge told of it; null is what the forge did not say then. */
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
  /** Tells it from every other act on the pull request: a forge may tell of it more than once. */
  key: string;
  /** By the forge's clock. */
  at: string;
  isPerson: boolean;
}

/** What one delivery tells of a pull request. */
export interface PullRequestEvent {
  url: string;
  provider: ForgeProvider;
  /** `owner/name`, as the forge writes it. */
  repository: string;
  number: number;
  snapshot: PullRequestSnapshot;
  act: PullRequestAct | null;
  /** The key of the review that was dismissed. */
  dismissed: string | null;
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

/** Keeps what deliveries tell of pull requests, and finds the runs that reported them. */
export interface PullRequestStore {
  /** What was told to a factory, in the order in which it was accepted. @param after the id of the last one of the page before */
  listEvents(
    factoryUid: string,
    page: { after: string | null; limit: number },
  ): Promise<{ id: string; event: PullRequestEvent }[]>;
  listReported(factoryUid: string): Promise<ReportedPullRequest[]>;
  /** How many messages people have sent to runs, by run. */
  listMessageCounts(runIds: readonly string[]): Promise<Record<string, number>>;
  /** Forgets what was told before an instant. @returns how many; as many as `limit` means that there may be more */
  forgetEvents(before: string, limit: number): Promise<number>;
}
