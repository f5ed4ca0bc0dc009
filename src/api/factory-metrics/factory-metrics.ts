import type { FactoryMetricsStore } from "../../insight/factory-metrics-store.ts";
import { listPullRequests } from "../../insight/factory-pull-requests.ts";
import type { Dated } from "../../insight/periods.ts";
import type { PullRequestStore } from "../../insight/pull-request.ts";
import type { SpendStore } from "../../insight/usage.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { findFactory } from "../factories/factories.ts";
import type { Cursors } from "../http/cursor.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { costBreakdown, countRuns, runBreakdown, sumSpend } from "./breakdowns.ts";
import { type AskedFigures, figuresMaker } from "./figures.ts";
import { type GroupNameDeps, groupNames } from "./group-names.ts";
import { productivityOf } from "./productivity.ts";
import {
  type CostedPullRequest,
  costedPullRequests,
  costliestPullRequests,
  costsBySize,
  costsPerPullRequest,
} from "./pull-request-costs.ts";
import { pageOfPullRequests } from "./pull-request-list.ts";
import { pullRequestView } from "./pull-request-view.ts";

export interface FactoryMetricsDeps extends GroupNameDeps {
  factories: Factories;
  factoryMetrics: FactoryMetricsStore;
  pullRequests: PullRequestStore;
  spend: Pick<SpendStore, "findFirstUse">;
  cursors: Cursors;
  now: () => Date;
}

/** The Metrics API of the public documentation: what the runs of a factory have brought about, and what they have cost. */
export function factoryMetricsEndpoints(deps: FactoryMetricsDeps) {
  const { factories, factoryMetrics: store, spend: usage, cursors } = deps;
  const { answer, known } = figuresMaker(deps);
  const pullRequestsOf = (uid: string) =>
    known("pull requests", uid, () => listPullRequests(uid, deps.pullRequests));
  /** What is made of the costs of pull requests, which are as old as the list of these is. */
  const ofCosts = async <Figures extends object>(
    { uid, frame }: AskedFigures,
    figuresOf: (costed: Dated<CostedPullRequest>) => Figures,
  ) => {
    const { found: records, as_of } = await pullRequestsOf(uid);
    return { ...figuresOf(await costedPullRequests({ factoryUid: uid, frame, records }, store)), as_of };
  };

  return {
    getFactoryMetrics: {
      handle: (request) =>
        answer(request, async ({ uid, frame, now }) => {
          const { found: pullRequests, as_of } = await pullRequestsOf(uid);
          const counts = await countRuns(uid, { by: "root_vs_subrun", span: frame.span, now }, store);
          return { ...productivityOf(frame, { counts, pullRequests }), as_of };
        }),
    },
    getRunBreakdown: {
      handle: (request) =>
        answer(request, async ({ factory, uid, frame, now }) => {
          const { group_by: by } = request.query;
          const counts = await countRuns(uid, { by, span: frame.span, now }, store);
          return runBreakdown(by, { counts, frame, factory });
        }),
    },
    getCostBreakdown: {
      handle: (request) =>
        answer(request, async ({ factory, uid, frame, now }) => {
          const { group_by: by } = request.query;
          const spend = await sumSpend(uid, { by, span: frame.span, now }, { store, usage });
          return costBreakdown(spend, { frame, names: await groupNames(by, factory, deps) });
        }),
    },
    getPrCosts: {
      handle: (request) =>
        answer(request, (asked) => ofCosts(asked, (costed) => costsPerPullRequest(asked.frame, costed))),
    },
    getPrCostsBySize: {
      handle: (request) =>
        answer(request, (asked) => ofCosts(asked, (costed) => costsBySize(asked.frame, costed))),
    },
    listCostliestPullRequests: {
      handle: (request) =>
        answer(request, (asked) => {
          const which = { factoryUid: asked.uid, limit: request.query.limit };
          return ofCosts(asked, (costed) => ({ data: costliestPullRequests(costed, which) }));
        }),
    },
    listPullRequests: {
      async handle(request) {
        const { uid } = findFactory(request, factories).record;
        const { found, ...common } = await pullRequestsOf(uid);
        const { items, pageInfo } = pageOfPullRequests(found, request, cursors);
        const data = items.map((record) => pullRequestView(record, uid));
        return { json: { data, page_info: pageInfo, ...common } };
      },
    },
  } satisfies Endpoints;
}
