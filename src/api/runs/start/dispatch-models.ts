import { ref } from "../../http/operation.ts";
import { instant, listOf, optionalText, text } from "../../http/shapes.ts";

const object = { type: "object" };
const secretList = {
  type: "array",
  items: { type: "object", additionalProperties: false, required: ["name"], properties: { name: text } },
};
const forge = { type: "string", enum: ["GITHUB", "GITLAB", "AZURE_DEVOPS", "NONE"] };

/** Factories as the clients of the public API know them, and runs that are handed to one. */
export const dispatchModels = {
  FactoryDetails: {
    type: "object",
    additionalProperties: false,
    required: [
      "uid",
      "name",
      "alias",
      "description",
      "avatar_url",
      "code_forge",
      "code_forges",
      "created_at",
      "updated_at",
      "credential_strategy",
      "default_environment",
      "default_model",
      "integrations",
      "repositories",
      "agent_defaults",
      "scorer_defaults",
      "scoring",
      "team_uid",
    ],
    properties: {
      uid: text,
      name: text,
      alias: optionalText,
      description: optionalText,
      avatar_url: { type: "null" },
      code_forge: forge,
      code_forges: { type: "array", items: forge },
      created_at: instant,
      updated_at: instant,
      credential_strategy: { type: "string", enum: ["EXECUTOR"] },
      default_environment: optionalText,
      default_model: optionalText,
      integrations: {
        type: ["array", "null"],
        items: {
          type: "object",
          additionalProperties: false,
          required: ["type"],
          properties: { type: text },
        },
      },
      repositories: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["owner", "repo"],
          properties: { owner: text, repo: text },
        },
      },
      agent_defaults: {
        type: "object",
        additionalProperties: false,
        required: ["default_runner_uid", "mcp_servers", "secrets", "worker_host"],
        properties: { default_runner_uid: text, mcp_servers: object, secrets: secretList, worker_host: text },
      },
      scorer_defaults: { type: "object", additionalProperties: false },
      scoring: {
        type: "object",
        additionalProperties: false,
        required: ["default_model"],
        properties: { default_model: { type: "null" } },
      },
      team_uid: text,
    },
  },
  FactoryDetailsList: listOf("factories", "FactoryDetails"),
  FactoryRunResponse: {
    type: "object",
    additionalProperties: false,
    required: ["run_id", "factory_uid", "foreman_agent", "state", "ticket_ref", "run_url", "task_uid"],
    properties: {
      run_id: { type: "string", format: "uuid" },
      factory_uid: text,
      foreman_agent: text,
      state: ref("RunState"),
      ticket_ref: text,
      run_url: { type: "string", format: "uri" },
      task_uid: { type: "string", description: "The task that was created with the run." },
    },
  },
} as const;
