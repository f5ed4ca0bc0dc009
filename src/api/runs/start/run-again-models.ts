import { ref } from "../../http/operation.ts";
import { text } from "../../http/shapes.ts";

/** What is answered about repeating a run. */
export const runAgainModels = {
  RunAgainPlan: {
    type: "object",
    additionalProperties: false,
    required: ["run_id", "based_on", "title", "source", "attachments", "secrets", "is_paused"],
    properties: {
      run_id: { type: "string", format: "uuid", description: "The run that is run again." },
      based_on: {
        type: "string",
        enum: ["automation", "request"],
        description:
          "automation: the run's automation as it is defined now. request: the recorded prompt and configuration of the run.",
      },
      title: text,
      source: ref("RunSourceType"),
      factory: { type: "string", description: "The name of its factory." },
      automation: { type: "string", description: "The name of its automation." },
      automation_enabled: {
        type: "boolean",
        description: "Whether the automation is enabled. A disabled automation does not prevent the run.",
      },
      agent: { type: "string", description: "The name of the agent that executes it." },
      delivery_id: { type: "string", format: "uuid", description: "The delivery whose payload it gets." },
      schedule: { type: "string", description: "The name of its schedule." },
      attachments: { type: "array", items: text, description: "The names of the files that it gets." },
      secrets: { type: "array", items: text, description: "The names of the secrets that it gets." },
      is_paused: { type: "boolean", description: "Whether a pause makes it wait." },
    },
  },
} as const;
