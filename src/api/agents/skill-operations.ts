import { answers, json, type Paths, queryParameter, ref } from "../http/operation.ts";

export const skillPaths: Paths = {
  "/agent": {
    get: {
      operationId: "listAgents",
      "x-required-role": "viewer",
      summary: "List the skills of definitions and repositories (called agents in the public API)",
      tags: ["runs"],
      parameters: [
        queryParameter("repo", "Only skills of this repository, as owner/repo.", { type: "string" }),
        queryParameter("refresh", "Whether to fetch the repositories first.", {
          type: "boolean",
          default: false,
        }),
        queryParameter(
          "include_malformed_skills",
          "Whether to include skills that cannot be read, with their error.",
          {
            type: "boolean",
            default: false,
          },
        ),
        queryParameter("sort_by", "The order: by name, or last used first.", {
          type: "string",
          enum: ["name", "last_run"],
          default: "name",
        }),
      ],
      responses: answers({ 200: json("The skills, ordered by name.", ref("AgentListResponse")) }),
    },
  },
};
