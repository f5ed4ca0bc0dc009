import { ref } from "./operation.ts";
import { text } from "./shapes.ts";

/** How an agent runs, as requests ask for it and as runs show it. */
export const configModels = {
  MCPServerConfig: {
    type: "object",
    additionalProperties: false,
    description: "One of warp_id, command and url.",
    oneOf: [{ required: ["warp_id"] }, { required: ["command"] }, { required: ["url"] }],
    properties: {
      warp_id: text,
      command: text,
      url: text,
      args: { type: "array", items: text },
      env: { type: "object", additionalProperties: text },
      headers: { type: "object", additionalProperties: text },
    },
  },
  AmbientAgentConfig: {
    type: "object",
    additionalProperties: false,
    description: "How an agent runs. All keys are optional.",
    properties: {
      name: text,
      model_id: text,
      base_prompt: text,
      environment_id: text,
      runner_id: text,
      skill_spec: text,
      skills: { type: "array", items: text, minItems: 1, maxItems: 20 },
      mcp_servers: { type: "object", additionalProperties: ref("MCPServerConfig") },
      computer_use_enabled: { type: "boolean" },
      computer_use_model_id: text,
      idle_timeout_minutes: { type: "integer", minimum: 0, maximum: 60 },
      worker_host: text,
      harness: {
        type: "object",
        additionalProperties: false,
        properties: { type: text, model_id: text, reasoning_level: text },
      },
      harness_auth_secrets: {
        type: "object",
        additionalProperties: false,
        properties: { claude_auth_secret_name: text, codex_auth_secret_name: text },
      },
      session_sharing: {
        type: "object",
        additionalProperties: false,
        properties: { public_access: { type: "string", enum: ["VIEWER", "EDITOR"] } },
      },
      memory_stores: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["uid", "access", "instructions"],
          properties: {
            uid: text,
            access: { type: "string", enum: ["read_write", "read_only"] },
            instructions: text,
          },
        },
      },
      inference_providers: { type: "object" },
      credential_strategy: { type: ["string", "null"], enum: ["CREATOR", "EXECUTOR", null] },
      secrets: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["name"],
          properties: { name: text },
        },
      },
      experimental: { type: "object" },
    },
  },
} as const;
