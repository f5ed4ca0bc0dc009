import {
  INTERACTIONS,
  type Interaction,
  type PullRequestAct,
  type PullRequestEvent,
  type PullRequestSnapshot,
  type ReportedPullRequest,
  type ReportingRun,
} from "./pull-request.ts";
import { type PullRequestAddress, pullRequestAddress } from "./pull-request-address.ts";
import { SnapshotHistory } from "./snapshot-history.ts";

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
