import {
  answers,
  body,
  json,
  type Paths,
  pageParameters,
  pathParameter,
  ref,
  secretIdempotencyKey,
} from "../http/operation.ts";

const id = pathParameter("id", "The id of the worker.");

export const workerPaths: Paths = {
  "/workers": {
    get: {
      operationId: "listWorkers",
      "x-required-role": "viewer",
      summary: "List workers with their state, load and last contact, without their tokens",
      tags: ["workers"],
      parameters: pageParameters,
      responses: answers({ 200: json("A page of workers, sorted by name.", ref("WorkerList")) }),
    },
    post: {
      operationId: "createWorker",
      "x-required-role": "admin",
      summary: "Create a worker; its token is shown only once",
      tags: ["workers"],
      parameters: [secretIdempotencyKey],
      requestBody: body(ref("NewWorker")),
      responses: answers({ 201: json("The worker, with its token.", ref("CreatedWorker")) }),
    },
  },
  "/workers/{id}": {
    get: {
      operationId: "getWorker",
      "x-required-role": "viewer",
      summary: "Get a worker",
      tags: ["workers"],
      parameters: [id],
      responses: answers({ 200: json("The worker.", ref("Worker")) }),
    },
    delete: {
      operationId: "revokeWorker",
      "x-required-role": "admin",
      summary: "Delete a worker and revoke its token immediately",
      tags: ["workers"],
      parameters: [id],
      responses: answers({ 204: { description: "The worker was deleted." } }),
    },
  },
  "/workers/{id}/drain": {
    post: {
      operationId: "drainWorker",
      "x-required-role": "operator",
      summary: "Drain a worker: it finishes its turns and gets no new ones",
      tags: ["workers"],
      parameters: [id],
      responses: answers({ 200: json("The worker.", ref("Worker")) }),
    },
    delete: {
      operationId: "endWorkerDrain",
      "x-required-role": "operator",
      summary: "End the drain of a worker, so that it gets turns again",
      tags: ["workers"],
      parameters: [id],
      responses: answers({ 200: json("The worker.", ref("Worker")) }),
    },
  },
  "/agent/connected-self-hosted-workers": {
    get: {
      operationId: "listConnectedWorkers",
      "x-required-role": "viewer",
      summary: "List the worker hosts that are connected",
      tags: ["workers"],
      responses: answers({
        200: json("The names of connected workers, each once.", ref("ConnectedWorkerList")),
      }),
    },
  },
};
