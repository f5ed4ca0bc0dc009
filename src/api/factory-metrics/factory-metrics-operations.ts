import { RUN_GROUPS, SPEND_GROUPS } from "../../insight/factory-metrics-store.ts";
import { PERIODS } from "../../insight/periods.ts";
import { PULL_REQUEST_STATES } from "../../insight/pull-request.ts";
import type { OperationId } from "../http/endpoint.ts";
import {
  answers,
  json,
  type Operation,
  type Parameter,
  type Paths,
  pageParameters,
  pathParameter,
  queryParameter,
  ref,
} from "../http/operation.ts";
import { writtenInstant } from "../http/shapes.ts";

const uid = pathParameter("uid", "The UID or name of the factory.");
const dates = [
  queryParameter(
    "start_date",
    "The start of the period, inclusive. Default: 30 days before end_date.",
    writtenInstant,
  ),
  queryParameter("end_date", "The end of the period, exclusive. Default: now.", writtenInstant),
];
const byPeriod = queryParameter(
  "group_by_period",
  "Also returns the figures of each period, in UTC. Weeks start on Sunday. At most 365 periods.",
  { type: "string", enum: PERIODS },
);
const groupBy = (groups: readonly string[]): Parameter => ({
  ...queryParameter("group_by", "What the figures are divided by.", { type: "string", enum: groups }),
  required: true,
});
const limit = (maximum: number, standard: number) =>
  queryParameter("limit", "The maximum number of items to return.", {
    type: "integer",
    minimum: 1,
    maximum,
    default: standard,
  });

const read = <Id extends OperationId>(
  operationId: Id,
  summary: string,
  { parameters, model }: { parameters: readonly Parameter[]; model: string },
): { get: Operation<Id> } => ({
  get: {
    operationId,
    "x-required-role": "viewer",
    summary,
    tags: ["factory metrics"],
    parameters: [uid, ...parameters],
    responses: answers({ 200: json("The figures.", ref(model)) }),
  },
});

const after = (field: string) =>
  queryParameter(`${field}_after`, `Only pull requests ${field} at or after this time.`, writtenInstant);
const before = (field: string) =>
  queryParameter(`${field}_before`, `Only pull requests ${field} before this time.`, writtenInstant);

/** The Metrics API of the public documentation (factories/metrics-api). */
export const factoryMetricsPaths: Paths = {
  "/factory/{uid}/metrics": read("getFactoryMetrics", "Get the productivity of a factory", {
    parameters: [...dates, byPeriod],
    model: "FactoryMetrics",
  }),
  "/factory/{uid}/metrics/run-breakdown": read("getRunBreakdown", "Count the runs of a factory by group", {
    parameters: [groupBy(RUN_GROUPS), ...dates, byPeriod],
    model: "RunBreakdown",
  }),
  "/factory/{uid}/costs/breakdown": read("getCostBreakdown", "Sum the spend of a factory by group", {
    parameters: [groupBy(SPEND_GROUPS), ...dates, byPeriod],
    model: "CostBreakdown",
  }),
  "/factory/{uid}/costs/per-pr": read("getPrCosts", "Get the cost per pull request of a factory", {
    parameters: [...dates, byPeriod],
    model: "PrCosts",
  }),
  "/factory/{uid}/costs/per-pr/by-size": read(
    "getPrCostsBySize",
    "Get the cost per pull request of a factory by the size of the pull requests",
    { parameters: [...dates, byPeriod], model: "PrCostsBySize" },
  ),
  "/factory/{uid}/costs/per-pr/top": read(
    "listCostliestPullRequests",
    "List the pull requests of a factory with the highest known cost",
    { parameters: [...dates, limit(50, 20)], model: "CostliestPullRequests" },
  ),
  "/factory/{uid}/pull-requests": read(
    "listPullRequests",
    "List the pull requests that runs of a factory reported",
    {
      parameters: [
        limit(500, 50),
        ...pageParameters.filter(({ name }) => name === "cursor"),
        queryParameter("repo", "Only pull requests of this repository: owner/name.", {
          type: "string",
          minLength: 1,
          maxLength: 300,
        }),
        queryParameter("state", "Only pull requests in one of these states.", {
          type: "array",
          items: { type: "string", enum: PULL_REQUEST_STATES },
          minItems: 1,
          maxItems: PULL_REQUEST_STATES.length,
        }),
        ...[after("opened"), before("opened"), after("merged"), before("merged"), after("updated")],
      ],
      model: "PullRequestList",
    },
  ),
};
