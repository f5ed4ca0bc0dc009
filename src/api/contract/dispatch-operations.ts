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
} from "./operation.ts";

const uid = pathParameter("uid", "The uid or the name of the factory.");

export const dispatchPaths: Paths = {
  "/factory": {
    get: {
      operationId: "searchFactories",
      summary: "List factories as the clients of the public API know them",
      tags: ["factories"],
      parameters: [
        ...pageParameters,
        queryParameter("search", "Part of a name or an alias, in any case.", { type: "string" }),
        queryParameter("filter_team_uid", "Taken and without effect: a server has one team.", {
          type: "string",
        }),
      ],
      responses: answers({ 200: json("A page of factories.", ref("FactoryDetailsList")) }),
    },
  },
  "/factory/{uid}": {
    get: {
      operationId: "getFactoryDetails",
      summary: "Get a factory as the clients of the public API know it",
      tags: ["factories"],
      parameters: [uid],
      responses: answers({ 200: json("The factory.", ref("FactoryDetails")) }),
    },
  },
  "/factory/{uid}/runs": {
    post: {
      operationId: "dispatchRun",
      summary: "Hand a run to a factory, whose foreman takes it",
      tags: ["factories"],
      parameters: [uid, idempotencyKey],
      requestBody: body(ref("FactoryRunRequest")),
      responses: answers({ 200: json("The run waits to start.", ref("FactoryRunResponse")) }),
    },
  },
};
