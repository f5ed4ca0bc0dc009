import type { Problem } from "../definitions/problem.ts";
import type { CheckSubject } from "../forge/repository-forge.ts";

/** A check that was asked for and is not done. */
export interface CheckRequest {
  subject: CheckSubject;
  /** Another one each time that it is asked for: whoever is done with an earlier question is not done with this one. */
  ticket: string;
}

/** What was said of a production commit. */
export interface ReportedCommit {
  commit: string;
  /** Tells one outcome of a commit from another; the same is not told twice. */
  outcome: string;
}

/** Keeps what is to be told to forges, and what was, by the key of the forge. `find` and `list` read, the rest writes. */
export interface FeedbackStore {
  /** The oldest first. */
  listRequests(hostKey: string): Promise<CheckRequest[]>;
  /** Keeps a request until it is done; one that waits for the same is replaced. @returns whether there was room for it */
  ask(hostKey: string, request: CheckRequest, at: string): Promise<boolean>;
  /** A request is done, unless it was made again meanwhile. */
  settle(hostKey: string, request: CheckRequest): Promise<void>;
  /** The head that each pull request had when it was checked last, by its number. */
  listChecked(hostKey: string): Promise<Record<string, string>>;
  recordChecked(hostKey: string, pullRequest: number, head: string): Promise<void>;
  /** Forgets the pull requests that are not open any more. */
  keepChecked(hostKey: string, open: readonly number[]): Promise<void>;
  findReported(hostKey: string): Promise<ReportedCommit | undefined>;
  recordReported(hostKey: string, reported: ReportedCommit, at: string): Promise<void>;
}

/** Tells forges how pull requests and production commits stand. */
export interface Feedback {
  /**
   * Has something checked. Resolves when the wish is stored: a crash does not lose it.
   * @throws MillraceError `service_unavailable` when too many wait
   */
  ask(factoryUid: string, subject: CheckSubject): Promise<void>;
  /** A pass over the source has ended, or the factory was suspended or resumed. */
  /** Looks for what other servers were asked for. */
  look(): void;
  passed(factoryUid: string): void;
  /** What keeps a factory's forge from being told, for whoever looks at the factory. */
  noticesOf(factoryUid: string): Problem[];
  /** How much waits to be told, of all factories. */
  waiting(): number;
  stop(): Promise<void>;
}

/** How telling a forge has ended: well, with a later attempt, or for good. */
export type FeedbackOutcome = "done" | "postponed" | "given_up";
