import { answers, json, type Paths, queryParameter, ref } from "../http/operation.ts";
import { RANGES } from "./activity-spans.ts";

const factoryParameter = queryParameter("factory", "Only activity of this factory, given by name or UID.", {
  type: "string",
  minLength: 1,
  maxLength: 200,
});

export const activityPaths: Paths = {
  "/activity": {
    get: {
      operationId: "getActivity",
      "x-required-role": "viewer",
      summary: "Count deliveries and runs by hour",
      tags: ["server"],
      parameters: [
        queryParameter("hours", "The number of hours, including the current one.", {
          type: "integer",
          minimum: 1,
          maximum: 168,
          default: 24,
        }),
        factoryParameter,
      ],
      responses: answers({ 200: json("The counts.", ref("Activity")) }),
    },
  },
  "/activity/history": {
    get: {
      operationId: "getActivityHistory",
      "x-required-role": "viewer",
      summary: "Count deliveries and runs of a time range, by minute, hour or day",
      tags: ["server"],
      parameters: [
        queryParameter(
          "range",
          "The time range: an hour in buckets of a minute, a day or a week in buckets of an hour, or 30 days in buckets of a day.",
          { type: "string", enum: RANGES, default: "24h" },
        ),
        queryParameter(
          "utc_offset",
          "The hours by which the caller's time is ahead of UTC. Buckets of a day begin at midnight of that time.",
          { type: "integer", minimum: -14, maximum: 14, default: 0 },
        ),
        factoryParameter,
      ],
      responses: answers({ 200: json("The counts.", ref("ActivityHistory")) }),
    },
  },
  "/activity/factories": {
    get: {
      operationId: "listFactoryActivity",
      "x-required-role": "viewer",
      summary: "Count the open runs of each factory, and its deliveries and runs of the last 24 hours",
      tags: ["server"],
      responses: answers({ 200: json("The counts of each factory.", ref("FactoryActivityList")) }),
    },
  },
};
