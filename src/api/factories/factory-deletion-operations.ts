import { answers, json, type Paths, pathParameter, ref } from "../http/operation.ts";
import { modeAndSource, text } from "../http/shapes.ts";

const factory = pathParameter("factory", "The name or UID of the factory.");
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

/** How factories are deleted. */
export const factoryDeletionPaths: Paths = {
  "/factories/{factory}": {
    delete: {
      operationId: "deleteFactory",
      "x-required-role": "admin",
      summary: "Delete a factory and its applied definition; refused if the settings name the factory",
      tags: ["factories"],
      parameters: [factory],
      responses: answers({ 204: { description: "The factory was deleted." } }),
    },
  },
  "/factories/{factory}/deletion": {
    get: {
      operationId: "planFactoryDeletion",
      "x-required-role": "admin",
      summary: "Preview the deletion of a factory, including one whose source is no longer configured",
      tags: ["factories"],
      parameters: [factory],
      responses: answers({ 200: json("What would be deleted.", ref("FactoryDeletion")) }),
    },
  },
};
