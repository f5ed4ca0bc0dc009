/** The forge of one repository: where its pull requests are, and what can be told how they stand. One implementation a forge. */
export interface RepositoryForge {
  /** Tells it from every other one of this server, whatever becomes of the factory that it belongs to. */
  key: string;
  /** `owner/name`, as the forge writes it in its hooks. */
  repository: string;
  /** What its checks are called. */
  checkName: string;
  /** Every method throws {@link ForgeError}, this one also when there is no such pull request. */
  findPullRequest(number: number): Promise<PullRequest>;
  /** The open pull requests that would be merged into a branch, the latest first, a hundred at most. */
  listPullRequests(branch: string): Promise<PullRequest[]>;
  /** The commit that a branch points to. */
  findTip(branch: string): Promise<string>;
  /** Says that a commit is being looked at. What an earlier attempt has left open there is closed or gone on with. */
  beginCheck(check: { commit: string; title: string; reference: string }): Promise<OpenCheck>;
  setStatus(status: CommitStatus): Promise<void>;
}

export interface PullRequest {
  number: number;
  /** The commit at its head. */
  head: string;
  /** The branch that it would be merged into. */
  base: string;
  isOpen: boolean;
}

/** A check that has begun and has to come to an end. */
export interface OpenCheck {
  conclude(result: CheckResult): Promise<void>;
}

export interface CheckResult {
  /** `cancelled`: nobody needs to know any more. */
  conclusion: "success" | "failure" | "neutral" | "cancelled";
  /** One line. */
  title: string;
  /** Markdown, of any length. */
  summary: string;
  annotations: readonly Annotation[];
}

/** Something to be said of a line. */
export interface Annotation {
  /** Relative to the root of the repository, with `/`. */
  path: string;
  line: number;
  column: number;
  level: "failure" | "warning" | "notice";
  title: string;
  message: string;
}

/** How a commit stands, in one line. */
export interface CommitStatus {
  commit: string;
  state: "pending" | "success" | "failure";
  description: string;
}

/** Why a forge could not be asked or told. Its text holds no credential. */
export class ForgeError extends Error {
  /** `unavailable`: it is worth asking again. `refused`: somebody has to change something first. */
  readonly kind: "unavailable" | "refused";
  /** How long the forge wants to be left alone; nothing where it has not said. */
  readonly retryAfterMs: number | undefined;
  /** The status of the answer; nothing when there was none. */
  readonly status: number | undefined;

  constructor(
    kind: ForgeError["kind"],
    message: string,
    { retryAfterMs, status }: { retryAfterMs?: number | undefined; status?: number | undefined } = {},
  ) {
    super(message);
    this.name = "ForgeError";
    this.kind = kind;
    this.retryAfterMs = retryAfterMs;
    this.status = status;
  }
}

/** What somebody wants checked: a pull request, or every open one with this commit at its head. */
export type CheckSubject = { pullRequest: number } | { head: string };

/** What a check carries, so that a hook about it tells which pull request it is of. */
export function checkReference(pullRequest: number): string {
  return `pull-request-${pullRequest}`;
}

/** The pull request that a check is of; nothing for a check of somebody else. */
export function pullRequestOf(reference: unknown): number | undefined {
  const number = /^pull-request-([1-9]\d{0,9})$/.exec(String(reference))?.[1];
  return number === undefined ? undefined : Number(number);
}
