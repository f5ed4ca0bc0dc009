import { inBatches } from "../concurrency/periodic-jobs.ts";

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

/** The part of a path that names a pull request of GitHub or a merge request of GitLab; its tabs lie below it. */
const PULL_REQUEST_PATH = /^\/+(.+?)\/+(?:-\/+merge_requests|merge_requests|pulls?)\/+(\d{1,15})(?=\/|$)/;

/** A longer address names nothing that anybody can open. */
const MAX_LENGTH = 2_000;

export interface PullRequestAddress {
  /** The same for the usual ways to write the address of one pull request: in any case, by http, with one of its tabs. */
  key: string;
  /** Without tabs, queries and fragments. */
  url: string;
  /** Null where the address has a form that is not known. */
  name: { repository: string; number: number } | null;
}

/**
 * Reads the address of a pull request, as agents and forges write it.
 * @returns nothing for what is no address of the web
 */
export function pullRequestAddress(text: string): PullRequestAddress | undefined {
  if (text.length > MAX_LENGTH || !URL.canParse(text)) return undefined;
  const { protocol, host, pathname } = new URL(text);
  if (protocol !== "https:" && protocol !== "http:") return undefined;
  const site = host.replace(/^www\./, "");
  const match = PULL_REQUEST_PATH.exec(pathname);
  if (!match)
    return { key: `${site}${pathname}`.toLowerCase(), url: `${protocol}//${host}${pathname}`, name: null };
  const [path, repository = "", digits = ""] = match;
  const number = Number(digits);
  // Owners and repositories are the same in any case.
  const key = `${site}/${repository}#${number}`.toLowerCase();
  return { key, url: `${protocol}//${host}${path}`, name: { repository, number } };
}

export interface EventRetentionDeps {
  store: Pick<PullRequestStore, "forgetEvents">;
  /** How long events are kept, in milliseconds. */
  keepMs: number;
  now: () => Date;
}

/** Keeps what deliveries tell of pull requests from growing for ever. */
export function pruneEvents({ store, keepMs, now }: EventRetentionDeps, signal?: AbortSignal): Promise<void> {
  const before = new Date(now().getTime() - keepMs).toISOString();
  return inBatches((limit) => store.forgetEvents(before, limit), signal);
}
