import { ref } from "../http/operation.ts";
import { boundedText, instant, listOf, optionalText, text } from "../http/shapes.ts";

export const pauseModels = {
  NewPause: {
    type: "object",
    additionalProperties: false,
    description:
      "The scope of the pause. If factory, webhook and automation are omitted, the whole server is paused.",
    properties: {
      factory: { type: "string", description: "The name or UID of a factory." },
      webhook: {
        type: "string",
        description: "The name or UID of a webhook: pauses the runs that its deliveries start.",
      },
      automation: {
        type: "string",
        description: "The name or the id of an automation: pauses the runs that it starts.",
      },
      reason: { ...boundedText(500), description: "The reason, shown wherever the pause is shown." },
    },
  },
  Pause: {
    type: "object",
    additionalProperties: false,
    required: [
      "id",
      "scope",
      "factory",
      "factory_uid",
      "webhook",
      "webhook_uid",
      "automation",
      "automation_id",
      "reason",
      "created_by",
      "created_at",
    ],
    properties: {
      id: text,
      scope: { type: "string", enum: ["server", "factory", "webhook", "automation"] },
      factory: { ...optionalText, description: "The name of the factory; null for the server." },
      factory_uid: optionalText,
      webhook: optionalText,
      webhook_uid: optionalText,
      automation: optionalText,
      automation_id: optionalText,
      reason: optionalText,
      created_by: ref("RunCreatorInfo"),
      created_at: instant,
    },
  },
  PauseList: listOf("pauses", "Pause"),
} as const;
