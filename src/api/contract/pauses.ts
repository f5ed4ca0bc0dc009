import { answers, body, json, type Paths, pageParameters, pathParameter, ref } from "./operation.ts";
import { boundedText, instant, listOf, optionalText, text } from "./shapes.ts";

export const pausePaths: Paths = {
  "/pauses": {
    get: {
      operationId: "listPauses",
      summary: "List the active pauses",
      tags: ["pauses"],
      parameters: pageParameters,
      responses: answers({ 200: json("A page of pauses.", ref("PauseList")) }),
    },
    post: {
      operationId: "createPause",
      summary: "Pause the server, a factory, a webhook or an automation",
      tags: ["pauses"],
      requestBody: body(ref("NewPause")),
      responses: answers({
        201: json("The pause. New runs wait until it is ended.", ref("Pause")),
        200: json("The pause that was already active.", ref("Pause")),
      }),
    },
  },
  "/pauses/{id}": {
    delete: {
      operationId: "endPause",
      summary: "End a pause, and start the runs that waited for it",
      tags: ["pauses"],
      parameters: [pathParameter("id", "The id of the pause.")],
      responses: answers({ 204: { description: "The pause has ended." } }),
    },
  },
};

export const pauseModels = {
  NewPause: {
    type: "object",
    additionalProperties: false,
    description: "What to pause. Without factory, webhook and automation: the whole server.",
    properties: {
      factory: { type: "string", description: "The name or the uid of a factory." },
      webhook: {
        type: "string",
        description: "The name or the uid of a webhook: runs that its deliveries start.",
      },
      automation: {
        type: "string",
        description: "The name or the id of an automation: runs that it starts.",
      },
      reason: { ...boundedText(500), description: "Shown wherever the pause is shown." },
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
