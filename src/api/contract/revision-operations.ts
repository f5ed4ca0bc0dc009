import {
  answers,
  body,
  json,
  type Paths,
  pageParameters,
  pathParameter,
  queryParameter,
  ref,
} from "./operation.ts";

const factory = pathParameter("factory", "The name or the uid of the factory.");
const tags = ["factories"];
const theFactory = json("The factory.", ref("Factory"));

export const revisionPaths: Paths = {
  "/factories/{factory}/revisions": {
    get: {
      operationId: "listRevisions",
      summary: "List the attempts to bring revisions into force, the newest first",
      tags,
      parameters: [factory, ...pageParameters],
      responses: answers({ 200: json("A page of revisions.", ref("RevisionList")) }),
    },
  },
  "/factories/{factory}/commits/{commit}": {
    get: {
      operationId: "getCommitStanding",
      summary: "Whether a commit is in force",
      tags,
      parameters: [
        factory,
        pathParameter("commit", "The hash of the commit, or at least its first 7 characters."),
        queryParameter(
          "wait",
          "Answer when the state is another than pending, or after this long: at most 60s.",
          {
            type: "string",
            pattern: "^(?:[0-9]{1,5}ms|[0-9]{1,2}s|1m)$",
            description: "A time such as 30s.",
          },
        ),
      ],
      responses: answers({ 200: json("How the factory stands to the commit.", ref("CommitStanding")) }),
    },
  },
  "/factories/{factory}/suspend": {
    post: {
      operationId: "suspendFactory",
      summary: "Hold what is in force, whatever the source says",
      tags,
      parameters: [factory],
      responses: answers({ 200: theFactory }),
    },
  },
  "/factories/{factory}/resume": {
    post: {
      operationId: "resumeFactory",
      summary: "Follow the source again, which is looked at at once",
      tags,
      parameters: [factory],
      responses: answers({ 200: theFactory }),
    },
  },
  "/factories/{factory}/rollback": {
    post: {
      operationId: "rollBackFactory",
      summary: "Bring a revision into force again that was in force before, and suspend the factory",
      tags,
      parameters: [factory],
      requestBody: body(ref("RollbackRequest")),
      responses: answers({ 200: theFactory }),
    },
  },
};
