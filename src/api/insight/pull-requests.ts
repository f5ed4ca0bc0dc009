import type { Models } from "../../client/typed-paths.ts";
import type { FactoryMetricsStore } from "../../insight/factory-metrics-store.ts";
import {
  costsOf,
  cycleTimeOf,
  type FactoryPullRequest,
  hasHumanCode,
  humanInteractions,
  isReported,
  kickoffOf,
  type PullRequestCost,
  SIZES,
  sizeOf,
} from "../../insight/factory-pull-requests.ts";
import { type Dated, datedIn, type Frame, withSeries } from "../../insight/periods.ts";
import { instantIn } from "../../time/instant.ts";
import type { ApiRequest } from "../http/endpoint.ts";
import { type Cursors, cutPage, type Page } from "../http/page.ts";
import { creatorInfo } from "../runs/run-item.ts";
import { dollarsOf, type FiguresOf, meanUsd, roundedUsd } from "./figures.ts";

/** A page of the pull requests that a request asks for, the last reported first. */
export function pageOfPullRequests(
  all: readonly FactoryPullRequest[],
  { operation, path, query }: ApiRequest<"listPullRequests">,
  cursors: Cursors,
): Page<FactoryPullRequest> {
  const { limit, cursor, ...rest } = query;
  const scope = { operation, ...path, ...rest };
  const [after] = cursor ? cursors.decode(scope, cursor, 1) : [];
  const isAsked = filterOf(query);
  const found = all
    .filter((record) => isReported(record) && isAsked(record))
    .map((record) => ({ record, position: positionOf(record) }))
    .filter(({ position }) => after === undefined || position < after)
    .sort((one, other) => (one.position < other.position ? 1 : -1));
  const { items, pageInfo } = cutPage(found.slice(0, limit + 1), limit, ({ position }) =>
    cursors.encode(scope, [position]),
  );
  return { items: items.map(({ record }) => record), pageInfo };
}

/** Does not change while somebody goes through the pages. */
const positionOf = ({ firstSeenAt, key }: FactoryPullRequest) => `${firstSeenAt} ${key}`;

type ListQuery = ApiRequest<"listPullRequests">["query"];

/** What a request asks of a pull request. */
function filterOf(query: ListQuery): (record: FactoryPullRequest) => boolean {
  const { repo, state } = query;
  const wasOpened = within(query.opened_after, query.opened_before);
  const wasMerged = within(query.merged_after, query.merged_before);
  const wasUpdated = within(query.updated_after, undefined);
  return (record) => {
    const { snapshot, repository } = record;
    if (repo !== undefined && repository?.toLowerCase() !== repo.toLowerCase()) return false;
    if (state !== undefined && !(snapshot && state.includes(snapshot.state))) return false;
    return wasOpened(snapshot?.openedAt) && wasMerged(snapshot?.mergedAt) && wasUpdated(updatedAtOf(record));
  };
}

/** Whether an instant lies between two, of which either may be left out; one that is not known lies between none. */
function within(after: string | undefined, before: string | undefined) {
  if (after === undefined && before === undefined) return () => true;
  const from = instantIn(after) ?? Number.NEGATIVE_INFINITY;
  const to = instantIn(before) ?? Number.POSITIVE_INFINITY;
  return (instant: string | null | undefined): boolean => {
    const at = Date.parse(instant ?? "");
    return at >= from && at < to;
  };
}

export interface CostedPullRequest {
  record: FactoryPullRequest;
  cost: PullRequestCost;
}

/** The pull requests that were reported first in the time that is asked for, with their costs. */
export async function costedPullRequests(
  {
    factoryUid,
    frame,
    records,
  }: { factoryUid: string; frame: Frame; records: readonly FactoryPullRequest[] },
  store: Pick<FactoryMetricsStore, "listTreeSpend">,
): Promise<Dated<CostedPullRequest>> {
  const reported = records.filter(isReported);
  const wanted = datedIn(frame, reported, ({ firstSeenAt }) => firstSeenAt).all;
  const costs = await costsOf({ factoryUid, records: reported, wanted }, store);
  const costed = [...costs].map(([record, cost]) => ({ record, cost }));
  return datedIn(frame, costed, ({ record }) => record.firstSeenAt);
}

/** What pull requests have cost, as the API shows it. */
export function costsPerPullRequest(
  frame: Frame,
  costed: Dated<CostedPullRequest>,
): FiguresOf<Models["PrCosts"]> {
  const { series, ...whole } = withSeries(frame, (pick) => {
    const costs = pick(costed).map(({ cost }) => cost);
    return { pr_count: costs.length, dollars: dollarsOf(costs), mean: meanUsd(costs) };
  });
  if (!series) return whole;
  // Machines and the server cost nothing (dollarsOf), so that all of a mean is that of models.
  const withParts = series.map((each) => {
    const nothing = each.mean === null ? null : 0;
    return { ...each, inference_mean: each.mean, compute_mean: nothing, platform_mean: nothing };
  });
  return { ...whole, series: withParts };
}

/** The same by the size of pull requests. */
export function costsBySize(
  frame: Frame,
  costed: Dated<CostedPullRequest>,
): FiguresOf<Models["PrCostsBySize"]> {
  const isSized = ({ record }: CostedPullRequest) => sizeOf(record) !== null;
  return {
    ...withSeries(frame, (pick) => ({
      pr_count: pick(costed).length,
      sized_pr_count: pick(costed).filter(isSized).length,
    })),
    buckets: SIZES.map((size) => ({
      size,
      ...withSeries(frame, (pick) => {
        const ofSize = pick(costed).filter(({ record }) => sizeOf(record) === size);
        return { pr_count: ofSize.length, mean: meanUsd(ofSize.map(({ cost }) => cost)) };
      }),
    })),
  };
}

/** The pull requests with the highest known costs, the costliest first. */
export function costliestPullRequests(
  costed: Dated<CostedPullRequest>,
  { factoryUid, limit }: { factoryUid: string; limit: number },
): Models["CostlyPullRequest"][] {
  const sorted = [...costed.all].sort((one, other) => other.cost.costUsd - one.cost.costUsd);
  return sorted.slice(0, limit).map(({ record, cost }) => costlyPullRequestView(record, cost, factoryUid));
}

/** A program can name as many models as it likes. */
const MAX_MODELS = 100;

/** A pull request that runs have reported, as the API shows it. */
export function pullRequestView(record: FactoryPullRequest, factoryUid: string): Models["PullRequest"] {
  const { snapshot } = record;
  return {
    provider: record.provider,
    repo_full_name: record.repository,
    pr_number: record.number,
    url: record.url,
    title: record.title,
    author_login: snapshot?.author ?? null,
    factory_uid: factoryUid,
    team_uid: "",
    state: snapshot?.state ?? null,
    opened_at: snapshot?.openedAt ?? null,
    first_human_review_at: record.firstHumanReviewAt,
    merged_at: snapshot?.mergedAt ?? null,
    closed_at: snapshot?.closedAt ?? null,
    updated_at: updatedAtOf(record),
    additions: snapshot?.additions ?? null,
    deletions: snapshot?.deletions ?? null,
    changed_files: snapshot?.changedFiles ?? null,
    num_commits: snapshot?.commits ?? null,
    human_interactions: humanInteractions(record),
    human_code_change: hasHumanCode(record),
    history_complete: record.isHistoryComplete,
    runs: record.runs.map(({ id, rootId, createdAt }) => ({
      run_id: id,
      root_run_id: rootId,
      created_at: createdAt,
    })),
    kickoff_at: kickoffOf(record) ?? "",
    cycle_time: cycleTimeOf(record),
  };
}

/** When the pull request changed last, or was reported where no delivery names it. */
function updatedAtOf({ snapshot, firstSeenAt }: FactoryPullRequest): string {
  return snapshot?.updatedAt ?? firstSeenAt ?? "";
}

/** The same with what it has cost, and of the run that reported it first. */
function costlyPullRequestView(
  record: FactoryPullRequest,
  cost: PullRequestCost,
  factoryUid: string,
): Models["CostlyPullRequest"] {
  const [kickoff] = record.runs;
  if (!kickoff) throw new Error("a pull request that no run has reported has no cost");
  const models = [...cost.models].map(([model, usd]) => ({ model_id: model, inference: roundedUsd(usd) }));
  return {
    ...pullRequestView(record, factoryUid),
    dollars: dollarsOf([cost]),
    models: models.sort((one, other) => other.inference - one.inference).slice(0, MAX_MODELS),
    creator: creatorInfo(kickoff.creator),
    source: kickoff.source,
    requested_model_id: kickoff.modelId,
  };
}
