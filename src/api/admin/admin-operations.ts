import {
  answers,
  body,
  json,
  lastEventId,
  type Paths,
  pageParameters,
  pathParameter,
  queryParameter,
  ref,
  secretIdempotencyKey,
} from "../http/operation.ts";
import { writtenInstant } from "../http/shapes.ts";

const name = pathParameter("name", "The name of the secret.");
const filterText = { type: "string", minLength: 1, maxLength: 1_000 };

export const adminPaths: Paths = {
  "/events": {
    get: {
      operationId: "streamEvents",
      "x-required-role": "viewer",
      summary:
        "Stream changes to runs, tasks, deliveries, webhooks, factories, budgets and pauses as Server-Sent Events",
      tags: ["events"],
      parameters: [lastEventId],
      responses: answers({
        200: {
          description:
            "The events: run {run_id, state, deleted, factory_uid, at} (deleted is true if a person deleted the run), delivery {delivery_id, webhook_uid, outcome, factory_uid, at}, webhook {webhook_uid, status, factory_uid, at} (status is deleted or deliveries_deleted), factory {factory_uid, name, status, at}, pause {pause_id, status, factory_uid, at}, task {task_uid, stage, factory_uid, at} (stage is deleted if the task was deleted), budget {owner_uid, limit, factory_uid, at} (a limit for a day, usdPerDay or runsPerDay, of the factory, agent or automation owner_uid is used up; sent once in 24 hours), and reset {} when changes were missed. Send Last-Event-ID to resume.",
          content: { "text/event-stream": { schema: { type: "string" } } },
        },
      }),
    },
  },
  "/secrets": {
    get: {
      operationId: "listSecrets",
      "x-required-role": "viewer",
      summary: "List the secrets that the key's factories may use, without their values",
      tags: ["secrets"],
      parameters: pageParameters,
      responses: answers({ 200: json("A page of secrets.", ref("SecretList")) }),
    },
  },
  "/secrets/{name}": {
    put: {
      operationId: "setSecret",
      "x-required-role": "admin",
      summary: "Set a secret's value (write-only) and the factories that may use it",
      tags: ["secrets"],
      parameters: [name],
      requestBody: body(ref("SecretValue")),
      responses: answers({ 200: json("The secret, without its value.", ref("Secret")) }),
    },
    delete: {
      operationId: "deleteSecret",
      "x-required-role": "admin",
      summary: "Delete a secret that no definition uses",
      tags: ["secrets"],
      parameters: [name],
      responses: answers({ 204: { description: "The secret was deleted." } }),
    },
  },
  "/api-keys": {
    get: {
      operationId: "listApiKeys",
      "x-required-role": "admin",
      summary: "List API keys, without their values",
      tags: ["keys"],
      parameters: pageParameters,
      responses: answers({ 200: json("A page of keys.", ref("ApiKeyList")) }),
    },
    post: {
      operationId: "createApiKey",
      "x-required-role": "admin",
      summary: "Create an API key; it is shown only once",
      tags: ["keys"],
      parameters: [secretIdempotencyKey],
      requestBody: body(ref("NewApiKey")),
      responses: answers({ 201: json("The key.", ref("CreatedApiKey")) }),
    },
  },
  "/api-keys/{id}": {
    delete: {
      operationId: "revokeApiKey",
      "x-required-role": "admin",
      summary: "Revoke an API key immediately",
      tags: ["keys"],
      parameters: [pathParameter("id", "The id of the key.")],
      responses: answers({ 204: { description: "The key was revoked." } }),
    },
  },
  "/audit-log": {
    get: {
      operationId: "listAuditLog",
      "x-required-role": "admin",
      summary: "List API calls that made or attempted changes, newest first",
      tags: ["audit"],
      parameters: [
        queryParameter("actor", "Only calls by this principal, given by name or UID.", filterText),
        queryParameter("action", "Only calls with this operationId.", filterText),
        queryParameter(
          "factory",
          "Only calls that belong to this factory, given by name or UID; a deleted factory by UID. Calls from before this filter existed belong to no factory.",
          filterText,
        ),
        queryParameter("since", "Only calls at or after this time.", writtenInstant),
        queryParameter("until", "Only calls before this time.", writtenInstant),
        ...pageParameters,
      ],
      responses: answers({
        200: json(
          "A page of the audit log. With filters, it can contain fewer records than the limit, or none, while has_next_page is true.",
          ref("AuditLog"),
        ),
      }),
    },
  },
};
