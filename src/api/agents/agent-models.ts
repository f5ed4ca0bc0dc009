import { REPOSITORY_NAME, REPOSITORY_OWNER } from "../../forge/forge.ts";
import { ref } from "../http/operation.ts";
import { instant, listOf, text } from "../http/shapes.ts";
import { name, notEmpty, optionalPlain, secrets } from "./agent-shapes.ts";

/** The models of environments, under the names that the public API gives them. */
export const agentModels = {
  Scope: {
    type: "object",
    additionalProperties: false,
    required: ["type"],
    properties: { type: { type: "string", enum: ["User", "Team"] }, uid: text },
  },
  SecretReference: {
    type: "object",
    additionalProperties: false,
    required: ["name"],
    properties: {
      name: {
        type: "string",
        maxLength: 200,
        pattern: "^[A-Za-z_][A-Za-z0-9_]*$",
        description: "The name of a secret.",
      },
    },
  },
  GitHubRepo: {
    type: "object",
    additionalProperties: false,
    required: ["owner", "repo"],
    properties: {
      owner: { type: "string", maxLength: 200, pattern: REPOSITORY_OWNER },
      repo: { type: "string", maxLength: 200, pattern: REPOSITORY_NAME },
    },
  },
  CloudEnvironmentConfig: {
    type: "object",
    additionalProperties: false,
    required: ["name"],
    properties: {
      name,
      description: optionalPlain,
      docker_image: {
        type: "string",
        maxLength: 500,
        pattern: "^[A-Za-z0-9][A-Za-z0-9._:/@+-]*$",
        description: "An image reference, for example registry.example.com/team/image:1.",
      },
      github_repos: { type: "array", items: ref("GitHubRepo") },
      setup_commands: {
        type: "array",
        items: notEmpty,
        description: "Shell commands that set up the environment, run in this order.",
      },
      secrets,
    },
  },
  CloudEnvironment: {
    type: "object",
    additionalProperties: false,
    required: [
      "uid",
      "config",
      "created_at",
      "last_updated",
      "setup_failed",
      "creator",
      "last_editor",
      "scope",
    ],
    properties: {
      uid: text,
      config: ref("CloudEnvironmentConfig"),
      created_at: instant,
      last_updated: instant,
      setup_failed: { type: "boolean" },
      creator: ref("RunCreatorInfo"),
      last_editor: ref("RunCreatorInfo"),
      scope: ref("Scope"),
      missing_secrets: {
        type: "array",
        items: text,
        description:
          "Secrets that the environment lists but that do not exist; runs start without them. Omitted if there are none.",
      },
    },
  },
  ListEnvironmentsResponse: listOf("environments", "CloudEnvironment"),
} as const;
