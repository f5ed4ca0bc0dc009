import {
  answers,
  body,
  json,
  type Paths,
  pageParameters,
  pathParameter,
  queryParameter,
  ref,
} from "../http/operation.ts";

const factory = pathParameter("factory", "The name or UID of the factory.");
const tags = ["factories"];
const theFactory = json("The factory.", ref("Factory"));

export const revisionPaths: Paths = {
  "/factories/{factory}/revisions": {
    get: {
      operationId: "listRevisions",
      "x-required-role": "viewer",
      summary: "List the attempts to apply revisions, newest first",
      tags,
      parameters: [factory, ...pageParameters],
      responses: answers({ 200: json("A page of revisions.", ref("RevisionList")) }),
    },
  },
  "/factories/{factory}/commits/{commit}": {
    get: {
      operationId: "getCommitStanding",
      "x-required-role": "viewer",
      summary: "Get the state of a commit, optionally waiting until it is applied",
      tags,
      parameters: [
        factory,
        pathParameter("commit", "The hash of the commit, or at least its first 7 characters."),
        queryParameter(
          "wait",
          "How long the server waits for the state to change from pending before it responds, at most 60s.",
          {
            type: "string",
            pattern: "^(?:[0-9]{1,5}ms|[0-9]{1,2}s|1m)$",
            description: "A duration such as 30s.",
          },
        ),
      ],
      responses: answers({ 200: json("The state of the commit.", ref("CommitStanding")) }),
    },
  },
  "/factories/{factory}/suspend": {
    post: {
      operationId: "suspendFactory",
      "x-required-role": "operator",
      summary: "Suspend a factory: stop applying new revisions",
      tags,
      parameters: [factory],
      responses: answers({ 200: theFactory }),
    },
  },
  "/factories/{factory}/resume": {
    post: {
      operationId: "resumeFactory",
      "x-required-role": "operator",
      summary: "Resume a factory, and sync it immediately",
      tags,
      parameters: [factory],
      responses: answers({ 200: theFactory }),
    },
  },
  "/factories/{factory}/rollback": {
    post: {
      operationId: "rollBackFactory",
      "x-required-role": "operator",
      summary: "Roll back to a previously applied revision, and suspend the factory",
      tags,
      parameters: [factory],
      requestBody: body(ref("RollbackRequest")),
      responses: answers({ 200: theFactory }),
    },
  },
};
