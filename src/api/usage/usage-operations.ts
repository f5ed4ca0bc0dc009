import { USAGE_GROUPS } from "../../insight/usage.ts";
import { answers, json, type Paths, queryParameter, ref } from "../http/operation.ts";

const when = { type: "string", minLength: 1, maxLength: 60 };
const span = [
  queryParameter(
    "since",
    "The beginning of the period: a time such as 2026-01-31T12:00:00Z, a date, or an age such as 24h or 30d.",
    { ...when, default: "30d" },
  ),
  queryParameter("until", "The end of the period, in the same forms. Default: now.", when),
  queryParameter("factory", "Only usage of this factory, given by name or UID.", {
    type: "string",
    minLength: 1,
    maxLength: 200,
  }),
];

export const usageReportPaths: Paths = {
  "/usage": {
    get: {
      operationId: "getUsage",
      "x-required-role": "viewer",
      summary: "Sum tokens, cost and working time by automation, agent, factory, model or day",
      tags: ["usage"],
      parameters: [
        queryParameter("group_by", "What the usage is summed by.", {
          type: "string",
          enum: USAGE_GROUPS,
          default: "automation",
        }),
        ...span,
      ],
      responses: answers({ 200: json("The sums.", ref("UsageReport")) }),
    },
  },
  "/usage/runs": {
    get: {
      operationId: "listCostliestRuns",
      "x-required-role": "viewer",
      summary: "List the runs with the highest known cost",
      tags: ["usage"],
      parameters: [
        ...span,
        queryParameter("limit", "The maximum number of runs to return.", {
          type: "integer",
          minimum: 1,
          maximum: 100,
          default: 10,
        }),
      ],
      responses: answers({ 200: json("The runs.", ref("RunSpendList")) }),
    },
  },
};
