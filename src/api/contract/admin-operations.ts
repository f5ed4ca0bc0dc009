import {
  answers,
  body,
  json,
  lastEventId,
  type Paths,
  pageParameters,
  pathParameter,
  ref,
} from "./operation.ts";

const name = pathParameter("name", "The name of the secret.");

export const adminPaths: Paths = {
  "/events": {
    get: {
      operationId: "streamEvents",
      summary: "Stream changes of runs, deliveries, factories and pauses as Server-Sent Events",
      tags: ["events"],
      parameters: [lastEventId],
      responses: answers({
        200: {
          description:
            "Events run {run_id, state, factory_uid, at}, delivery {delivery_id, webhook_uid, outcome, factory_uid, at}, factory {factory_uid, name, status, at}, pause {pause_id, status, factory_uid, at}, and reset {} when changes were missed. Last-Event-ID resumes.",
          content: { "text/event-stream": { schema: { type: "string" } } },
        },
      }),
    },
  },
  "/secrets": {
    get: {
      operationId: "listSecrets",
      summary: "List the secrets that factories of the key may use, without their values",
      tags: ["secrets"],
      parameters: pageParameters,
      responses: answers({ 200: json("A page of secrets.", ref("SecretList")) }),
    },
  },
  "/secrets/{name}": {
    put: {
      operationId: "setSecret",
      summary: "Give a secret its value, which cannot be read again, and say which factories may use it",
      tags: ["secrets"],
      parameters: [name],
      requestBody: body(ref("SecretValue")),
      responses: answers({ 200: json("The secret, without its value.", ref("Secret")) }),
    },
    delete: {
      operationId: "deleteSecret",
      summary: "Delete a secret that no definition uses",
      tags: ["secrets"],
      parameters: [name],
      responses: answers({ 204: { description: "It is gone." } }),
    },
  },
  "/api-keys": {
    get: {
      operationId: "listApiKeys",
      summary: "List API keys, without their values",
      tags: ["keys"],
      parameters: pageParameters,
      responses: answers({ 200: json("A page of keys.", ref("ApiKeyList")) }),
    },
    post: {
      operationId: "createApiKey",
      summary: "Make an API key, which is shown this once",
      tags: ["keys"],
      requestBody: body(ref("NewApiKey")),
      responses: answers({ 201: json("The key.", ref("CreatedApiKey")) }),
    },
  },
  "/api-keys/{id}": {
    delete: {
      operationId: "revokeApiKey",
      summary: "Revoke an API key at once",
      tags: ["keys"],
      parameters: [pathParameter("id", "The id of the key.")],
      responses: answers({ 204: { description: "The key is revoked." } }),
    },
  },
  "/audit-log": {
    get: {
      operationId: "listAuditLog",
      summary: "List the calls that wrote something or tried to, the newest first",
      tags: ["audit"],
      parameters: pageParameters,
      responses: answers({ 200: json("A page of the audit log.", ref("AuditLog")) }),
    },
  },
};
