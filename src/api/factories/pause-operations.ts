import { answers, body, json, type Paths, pageParameters, pathParameter, ref } from "../http/operation.ts";
import { boundedText, instant, listOf, optionalText, text } from "../http/shapes.ts";

export const pausePaths: Paths = {
  "/pauses": {
    get: {
      operationId: "listPauses",
      "x-required-role": "viewer",
      summary: "List the active pauses",
      tags: ["pauses"],
      parameters: pageParameters,
      responses: answers({ 200: json("A page of pauses.", ref("PauseList")) }),
    },
    post: {
      operationId: "createPause",
      "x-required-role": "operator",
      summary: "Pause the server, a factory, a webhook or an automation",
      tags: ["pauses"],
      requestBody: body(ref("NewPause")),
      responses: answers({
        201: json("The pause. New runs wait until it ends.", ref("Pause")),
        200: json("The pause that was already active.", ref("Pause")),
      }),
    },
  },
  "/pauses/{id}": {
    delete: {
      operationId: "endPause",
      "x-required-role": "operator",
      summary: "End a pause, and start the runs that were waiting",
      tags: ["pauses"],
      parameters: [pathParameter("id", "The id of the pause.")],
      responses: answers({ 204: { description: "The pause was ended." } }),
    },
  },
};

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
