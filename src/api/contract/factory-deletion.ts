import { answers, json, type Paths, pathParameter, ref } from "./operation.ts";
import { modeAndSource, text } from "./shapes.ts";

const factory = pathParameter("factory", "The name or the uid of the factory.");
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
        description: "Why it cannot be deleted now, and what to do; null when it can.",
      },
      webhooks: {
        type: "array",
        description: "Their URLs answer 404 from then on.",
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
      waiting_runs: { type: "integer", description: "Runs that have not begun, and are cancelled." },
      working_runs: { type: "integer", description: "Runs that a worker has, and are cancelled." },
      schedules: { type: "integer", description: "Schedules of the API that belong to it, and go." },
    },
  },
} as const;

/** How factories are deleted. */
export const factoryDeletionPaths: Paths = {
  "/factories/{factory}": {
    delete: {
      operationId: "deleteFactory",
      summary: "Delete a factory with all that is in force of it; one that the settings name is refused",
      tags: ["factories"],
      parameters: [factory],
      responses: answers({ 204: { description: "It is gone." } }),
    },
  },
  "/factories/{factory}/deletion": {
    get: {
      operationId: "planFactoryDeletion",
      summary: "What deleting a factory would take away, also of one that no source serves now",
      tags: ["factories"],
      parameters: [factory],
      responses: answers({ 200: json("What would go.", ref("FactoryDeletion")) }),
    },
  },
};
