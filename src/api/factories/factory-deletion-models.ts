import { modeAndSource, text } from "../http/shapes.ts";

const named = { uid: text, name: text };

/** The models of what goes with a factory. */
export const factoryDeletionModels = {
  FactoryDeletion: {
    type: "object",
    additionalProperties: false,
    required: ["factory", "refusal", "webhooks", "automations", "waiting_runs", "working_runs", "schedules"],
    properties: {
      factory: {
        type: "object",
        additionalProperties: false,
        required: ["uid", "name", "mode", "source"],
        properties: {
          ...named,
          ...modeAndSource,
        },
      },
      refusal: {
        type: ["string", "null"],
        description: "Why the factory cannot be deleted now, and what to do; null if it can.",
      },
      webhooks: {
        type: "array",
        description: "The webhooks that would be deleted; their URLs would return 404.",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["uid", "name", "url"],
          properties: { ...named, url: text },
        },
      },
      automations: {
        type: "array",
        items: {
          type: "object",
          additionalProperties: false,
          required: ["uid", "name"],
          properties: named,
        },
      },
      waiting_runs: { type: "integer", description: "Queued runs that would be cancelled." },
      working_runs: { type: "integer", description: "Runs claimed by a worker that would be cancelled." },
      schedules: { type: "integer", description: "Schedules created through the API that would be deleted." },
    },
  },
} as const;
