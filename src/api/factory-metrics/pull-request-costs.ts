import type { Models } from "../../client/typed-paths.ts";
import type { FactoryMetricsStore } from "../../insight/factory-metrics-store.ts";
import {
  costsOf,
  type FactoryPullRequest,
  isReported,
  type PullRequestCost,
  SIZES,
  sizeOf,
} from "../../insight/factory-pull-requests.ts";
import { type Dated, datedIn, type Frame, withSeries } from "../../insight/periods.ts";
import { dollarsOf, meanUsd } from "./dollars.ts";
import type { FiguresOf } from "./figures.ts";
import { costlyPullRequestView } from "./pull-request-view.ts";

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
