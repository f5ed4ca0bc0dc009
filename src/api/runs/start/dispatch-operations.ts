import {
  answers,
  body,
  idempotencyKey,
  json,
  type Paths,
  pageParameters,
  pathParameter,
  queryParameter,
  ref,
} from "../../http/operation.ts";

const uid = pathParameter("uid", "The UID or name of the factory.");

export const dispatchPaths: Paths = {
  "/factory": {
    get: {
      operationId: "searchFactories",
      "x-required-role": "viewer",
      summary: "List factories, in the format that clients of the public API expect",
      tags: ["factories"],
      parameters: [
        ...pageParameters,
        queryParameter("search", "Part of a name or an alias; case-insensitive.", { type: "string" }),
        queryParameter(
          "filter_team_uid",
          "Accepted, but has no effect, because a server has only one team.",
          {
            type: "string",
          },
        ),
      ],
      responses: answers({ 200: json("A page of factories.", ref("FactoryDetailsList")) }),
    },
  },
  "/factory/{uid}": {
    get: {
      operationId: "getFactoryDetails",
      "x-required-role": "viewer",
      summary: "Get a factory, in the format that clients of the public API expect",
      tags: ["factories"],
      parameters: [uid],
      responses: answers({ 200: json("The factory.", ref("FactoryDetails")) }),
    },
  },
  "/factory/{uid}/runs": {
    post: {
      operationId: "dispatchRun",
      "x-required-role": "operator",
      summary: "Dispatch a run to a factory's foreman",
      tags: ["factories"],
      parameters: [uid, idempotencyKey],
      requestBody: body(ref("FactoryRunRequest")),
      responses: answers({ 200: json("The run was queued.", ref("FactoryRunResponse")) }),
    },
  },
};
