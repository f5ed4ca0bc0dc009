import {
  INTERACTIONS,
  type Interaction,
  type PullRequestAct,
  type PullRequestEvent,
  type PullRequestSnapshot,
  type ReportedPullRequest,
  type ReportingRun,
} from "./pull-request.ts";
import { pullRequestUrl } from "./pull-request-url.ts";

/** A pull request with everything that is known of it. */
export interface PullRequestRecord {
  url: string;
  provider: PullRequestEvent["provider"] | null;
  repository: string | null;
  number: number | null;
  title: string | null;
  /** Nothing where no delivery has told of the pull request. */
  told: PullRequestSnapshot | null;
  /** When a run reported it first; nothing where none did. */
  firstSeenAt: string | null;
  /** The runs that reported it, the first one first. */
  runs: ReportingRun[];
  firstHumanReviewAt: string | null;
  interactions: Readonly<Record<Interaction, number>>;
  /** Whether it was told when the pull request was opened. */
  isHistoryComplete: boolean;
}

/** The pull requests of one factory, as their events and the reports of runs come to be known. */
export class PullRequestRecords {
  readonly #told = new Map<string, ToldPullRequest>();
  readonly #reported = new Map<string, ReportedPullRequest[]>();

  addEvent(event: PullRequestEvent): void {
    const { key } = pullRequestUrl(event.url) ?? {};
    if (key === undefined) return;
    const known = this.#told.get(key);
    if (known) known.add(event);
    else this.#told.set(key, new ToldPullRequest(event));
  }

  addReport(report: ReportedPullRequest): void {
    const { key } = pullRequestUrl(report.url) ?? {};
    if (key === undefined) return;
    const known = this.#reported.get(key);
    if (known) known.push(report);
    else this.#reported.set(key, [report]);
  }

  list(): PullRequestRecord[] {
    const keys = new Set([...this.#told.keys(), ...this.#reported.keys()]);
    return [...keys].map((key) => recordOf(this.#told.get(key), this.#reported.get(key) ?? []));
  }
}

function recordOf(
  told: ToldPullRequest | undefined,
  reports: readonly ReportedPullRequest[],
): PullRequestRecord {
  const runs = [...new Map(reports.map(({ run }) => [run.id, run])).values()].sort(byCreation);
  const acts = told?.actsOfPeople() ?? [];
  const count = (wanted: Interaction) => acts.filter(({ interaction }) => interaction === wanted).length;
  const reported = pullRequestUrl(reports[0]?.url ?? "");
  const name = told?.name ?? reported?.name;
  return {
    url: told?.url ?? reported?.url ?? "",
    provider: told?.name.provider ?? null,
    repository: name?.repository ?? null,
    number: name?.number ?? null,
    title: told?.snapshot.title ?? reports.find(({ title }) => title !== null)?.title ?? null,
    told: told?.snapshot ?? null,
    firstSeenAt: earliest(reports.map(({ reportedAt }) => reportedAt)),
    runs,
    firstHumanReviewAt: earliest(acts.filter(isReview).map(({ at }) => at)),
    interactions: Object.fromEntries(INTERACTIONS.map((each) => [each, count(each)])) as Record<
      Interaction,
      number
    >,
    isHistoryComplete: told?.isHistoryComplete ?? false,
  };
}

/** What deliveries have told of one pull request. They may come in any order, and more than once. */
class ToldPullRequest {
  readonly url: string;
  readonly name: Pick<PullRequestEvent, "provider" | "repository" | "number">;
  snapshot: PullRequestSnapshot;
  readonly #acts = new Map<string, PullRequestAct>();
  readonly #dismissed = new Set<string>();

  constructor(event: PullRequestEvent) {
    const { url, provider, repository, number, snapshot } = event;
    this.url = url;
    this.name = { provider, repository, number };
    this.snapshot = snapshot;
    this.add(event);
  }

  add({ snapshot, act, dismissed }: PullRequestEvent): void {
    this.snapshot = newer(this.snapshot, snapshot);
    if (act) this.#acts.set(act.key, act);
    if (dismissed !== null) this.#dismissed.add(dismissed);
  }

  get isHistoryComplete(): boolean {
    return [...this.#acts.values()].some(({ interaction }) => interaction === "opened");
  }

  actsOfPeople(): PullRequestAct[] {
    return [...this.#acts.values()].filter(({ isPerson, key }) => isPerson && !this.#dismissed.has(key));
  }
}

/** What was said last counts; what was not said then stays as it was. */
function newer(known: PullRequestSnapshot, told: PullRequestSnapshot): PullRequestSnapshot {
  const [before, last] = told.updatedAt < known.updatedAt ? [told, known] : [known, told];
  const isOpen = last.state === "open" || last.state === "draft";
  return {
    title: last.title ?? before.title,
    author: last.author ?? before.author,
    state: last.state,
    openedAt: last.openedAt ?? before.openedAt,
    mergedAt: last.state === "merged" ? (last.mergedAt ?? before.mergedAt) : null,
    closedAt: isOpen ? null : (last.closedAt ?? before.closedAt),
    updatedAt: last.updatedAt,
    additions: last.additions ?? before.additions,
    deletions: last.deletions ?? before.deletions,
    changedFiles: last.changedFiles ?? before.changedFiles,
    commits: last.commits ?? before.commits,
  };
}

const isReview = ({ interaction }: PullRequestAct) =>
  interaction === "review_approved" ||
  interaction === "review_changes_requested" ||
  interaction === "review_commented";

const byCreation = (one: ReportingRun, other: ReportingRun) => (one.createdAt < other.createdAt ? -1 : 1);

function earliest(instants: readonly string[]): string | null {
  return instants.reduce<string | null>(
    (first, each) => (first === null || each < first ? each : first),
    null,
  );
}
