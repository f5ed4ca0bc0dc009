import {
  INTERACTIONS,
  type Interaction,
  type PullRequestAct,
  type PullRequestAddress,
  type PullRequestEvent,
  type PullRequestSnapshot,
  type PullRequestState,
  pullRequestAddress,
  type ReportedPullRequest,
  type ReportingRun,
} from "./pull-request.ts";

/** A pull request with everything that is known of it. */
export interface PullRequestRecord {
  /** See {@link PullRequestAddress}. */
  key: string;
  url: string;
  provider: PullRequestEvent["provider"] | null;
  repository: string | null;
  number: number | null;
  title: string | null;
  /** How it is by the deliveries of its forge; null without any. */
  snapshot: PullRequestSnapshot | null;
  /** When a run reported it first; null if no run did. */
  firstSeenAt: string | null;
  /** The runs that reported it, the oldest first. */
  runs: ReportingRun[];
  firstHumanReviewAt: string | null;
  /** What people did with it. */
  interactions: Readonly<Record<Interaction, number>>;
  /** Whether there is a delivery of its opening. */
  isHistoryComplete: boolean;
}

/** The pull requests of one factory, put together from events and from the reports of runs. */
export class PullRequestRecords {
  readonly #parts = new Map<string, { address: PullRequestAddress; parts: PullRequestParts }>();

  addEvent(event: PullRequestEvent): void {
    this.#partsOf(event.url)?.addEvent(event);
  }

  addReport(report: ReportedPullRequest): void {
    this.#partsOf(report.url)?.reports.push(report);
  }

  list(): PullRequestRecord[] {
    return [...this.#parts.values()].map(({ address, parts }) => recordOf(address, parts));
  }

  /** @returns nothing for what is no address of the web */
  #partsOf(url: string): PullRequestParts | undefined {
    const address = pullRequestAddress(url);
    if (!address) return undefined;
    const known = this.#parts.get(address.key);
    if (known) return known.parts;
    const parts = new PullRequestParts();
    this.#parts.set(address.key, { address, parts });
    return parts;
  }
}

function recordOf(address: PullRequestAddress, parts: PullRequestParts): PullRequestRecord {
  const { reports, event } = parts;
  const snapshot = parts.snapshots.latest();
  const acts = parts.actsOfPeople();
  const count = (wanted: Interaction) => acts.filter(({ interaction }) => interaction === wanted).length;
  const runs = [...new Map(reports.map(({ run }) => [run.id, run])).values()];
  return {
    key: address.key,
    url: event?.url ?? address.url,
    provider: event?.provider ?? null,
    repository: event?.repository ?? address.name?.repository ?? null,
    number: event?.number ?? address.name?.number ?? null,
    title: snapshot?.title ?? reports.find(({ title }) => title !== null)?.title ?? null,
    snapshot,
    firstSeenAt: earliest(reports.map(({ reportedAt }) => reportedAt)),
    runs: runs.sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1)),
    firstHumanReviewAt: earliest(acts.filter(isReview).map(({ at }) => at)),
    interactions: Object.fromEntries(INTERACTIONS.map((each) => [each, count(each)])) as Record<
      Interaction,
      number
    >,
    isHistoryComplete: parts.isHistoryComplete,
  };
}

/** What is known of one pull request. Its events may come in any order, and more than once. */
class PullRequestParts {
  readonly reports: ReportedPullRequest[] = [];
  readonly snapshots = new SnapshotHistory();
  event: PullRequestEvent | undefined;
  readonly #acts = new Map<string, PullRequestAct>();
  /** When acts were withdrawn last, by their keys. */
  readonly #withdrawn = new Map<string, string>();

  addEvent(event: PullRequestEvent): void {
    const { snapshot, act, withdrawal } = event;
    this.event ??= event;
    this.snapshots.add(snapshot);
    if (act && act.at >= (this.#acts.get(act.key)?.at ?? "")) this.#acts.set(act.key, act);
    if (withdrawal && withdrawal.at > (this.#withdrawn.get(withdrawal.key) ?? ""))
      this.#withdrawn.set(withdrawal.key, withdrawal.at);
  }

  get isHistoryComplete(): boolean {
    return [...this.#acts.values()].some(({ interaction }) => interaction === "opened");
  }

  actsOfPeople(): PullRequestAct[] {
    const isWithdrawn = ({ key, at }: PullRequestAct) => (this.#withdrawn.get(key) ?? "") >= at;
    return [...this.#acts.values()].filter((act) => act.isPerson && !isWithdrawn(act));
  }
}

const isReview = ({ interaction }: PullRequestAct) =>
  interaction === "review_approved" ||
  interaction === "review_changes_requested" ||
  interaction === "review_commented";

function earliest(instants: readonly string[]): string | null {
  return instants.reduce<string | null>(
    (first, each) => (first === null || each < first ? each : first),
    null,
  );
}

/** Of snapshots of one second, the later state counts: forges do not say which of them came first. */
const RANK: Readonly<Record<PullRequestState, number>> = { draft: 0, open: 1, closed: 2, merged: 3 };

interface Known<Value> {
  value: Value;
  /** When the pull request was so, by the forge's clock. */
  at: string;
}

/** How a pull request was, as its deliveries say, in whatever order they come. */
class SnapshotHistory {
  readonly #fields = new Map<keyof PullRequestSnapshot, Known<unknown>>();
  #state: Known<PullRequestState> | undefined;

  add(snapshot: PullRequestSnapshot): void {
    const { updatedAt: at, state } = snapshot;
    for (const [name, value] of Object.entries(snapshot) as [keyof PullRequestSnapshot, unknown][]) {
      if (value !== null && at >= (this.#fields.get(name)?.at ?? "")) this.#fields.set(name, { value, at });
    }
    if (!this.#state || isLater({ value: state, at }, this.#state)) this.#state = { value: state, at };
  }

  /** How it is now: of each field, what was said last. @returns null when nothing was said */
  latest(): PullRequestSnapshot | null {
    if (!this.#state) return null;
    const state = this.#state.value;
    const isOpen = state === "open" || state === "draft";
    return {
      title: this.#valueOf("title"),
      author: this.#valueOf("author"),
      state,
      openedAt: this.#valueOf("openedAt"),
      mergedAt: state === "merged" ? this.#valueOf("mergedAt") : null,
      closedAt: isOpen ? null : this.#valueOf("closedAt"),
      updatedAt: this.#valueOf("updatedAt") ?? this.#state.at,
      additions: this.#valueOf("additions"),
      deletions: this.#valueOf("deletions"),
      changedFiles: this.#valueOf("changedFiles"),
      commits: this.#valueOf("commits"),
    };
  }

  #valueOf<Name extends keyof PullRequestSnapshot>(name: Name): PullRequestSnapshot[Name] | null {
    return (this.#fields.get(name)?.value as PullRequestSnapshot[Name] | undefined) ?? null;
  }
}

/** What is merged stays so. */
function isLater(one: Known<PullRequestState>, other: Known<PullRequestState>): boolean {
  if (other.value === "merged") return false;
  if (one.value === "merged" || one.at > other.at) return true;
  return one.at === other.at && RANK[one.value] > RANK[other.value];
}
