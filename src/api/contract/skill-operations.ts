import { answers, json, type Paths, queryParameter, ref } from "./operation.ts";

export const skillPaths: Paths = {
  "/agent": {
    get: {
      operationId: "listAgents",
      summary: "List the skills of definitions and repositories, which the public API calls agents",
      tags: ["runs"],
      parameters: [
        queryParameter("repo", "Only the skills of this repository, as owner/repo.", { type: "string" }),
        queryParameter("refresh", "Fetch the repositories first.", { type: "boolean", default: false }),
        queryParameter("include_malformed_skills", "Also those that cannot be read, with their error.", {
          type: "boolean",
          default: false,
        }),
        queryParameter("sort_by", "By name, or the last used first.", {
          type: "string",
          enum: ["name", "last_run"],
          default: "name",
        }),
      ],
      responses: answers({ 200: json("The skills by name.", ref("AgentListResponse")) }),
    },
  },
};
