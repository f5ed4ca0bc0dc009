import { RUN_GROUPS, SPEND_GROUPS } from "../../insight/factory-metrics-store.ts";
import { USAGE_GROUPS } from "../../insight/usage.ts";
import { RANGES } from "../admin/activity-spans.ts";
import {
  json,
  lastEventId,
  type PlacedOperation,
  pageParameters,
  queryParameter,
  ref,
  secretIdempotencyKey,
} from "../http/operation.ts";
import {
  auditFilters,
  byPeriod,
  dates,
  deliveryFilters,
  deliveryPage,
  factoryParameter,
  flag,
  groupBy,
  ifNoneMatch,
  limit,
  pullRequestFilters,
  required,
  shortText,
  text,
  uidParameter,
  unchanged,
  usageSpan,
} from "./parameters.ts";
import { del, get, post, put, section } from "./row.ts";

/** What can be done with the server: its workers, keys and secrets, and what it counts. */
export const SERVER_OPERATIONS: readonly PlacedOperation[] = [
  ...section({ tag: "workers", path: { id: "The id of the worker." } }, [
    get("/workers/demand", "getWorkerDemand", "viewer", {
      summary: "Count waiting and executing runs by the worker that they demand, for autoscalers",
      parameters: [
        queryParameter(
          "worker_host",
          "Only runs with this worker host: a name, labels:a,b in any order, or local for runs that name no worker.",
          { type: "string", minLength: 1, maxLength: 2_200 },
        ),
      ],
      answer: ["The counts.", "WorkerDemand"],
    }),
    get("/workers", "listWorkers", "viewer", {
      summary: "List workers with their state, load and last contact, without their tokens",
      parameters: pageParameters,
      answer: ["A page of workers, sorted by name.", "WorkerList"],
    }),
    post("/workers", "createWorker", "admin", {
      summary: "Create a worker; its token is shown only once",
      parameters: [secretIdempotencyKey],
      body: "NewWorker",
      created: ["The worker, with its token.", "CreatedWorker"],
    }),
    get("/workers/{id}", "getWorker", "viewer", {
      summary: "Get a worker",
      answer: ["The worker.", "Worker"],
    }),
    del("/workers/{id}", "revokeWorker", "admin", {
      summary: "Delete a worker and revoke its token immediately",
      done: "The worker was deleted.",
    }),
    post("/workers/{id}/drain", "drainWorker", "operator", {
      summary: "Drain a worker: it finishes its turns and gets no new ones",
      answer: ["The worker.", "Worker"],
    }),
    del("/workers/{id}/drain", "endWorkerDrain", "operator", {
      summary: "End the drain of a worker, so that it gets turns again",
      answer: ["The worker.", "Worker"],
    }),
    get("/agent/connected-self-hosted-workers", "listConnectedWorkers", "viewer", {
      summary: "List the worker hosts that are connected",
      answer: ["The names of connected workers, each once.", "ConnectedWorkerList"],
    }),
  ]),
  ...section({ tag: "factory files" }, [
    get("/factory-files/schemas", "listFactoryFileSchemas", "anyone", {
      summary: "List the versions of the definition format",
      parameters: [ifNoneMatch],
      answers: { 200: json("The versions.", ref("FactoryFileVersions")), ...unchanged },
      tagsFirst: true,
    }),
    get("/factory-files/schemas/{version}", "getFactoryFileSchemas", "anyone", {
      summary: "Get all schemas of a version",
      parameters: [ifNoneMatch],
      answers: { 200: json("The schemas.", ref("FactoryFileSchemas")), ...unchanged },
      tagsFirst: true,
    }),
    get("/factory-files/schemas/{version}/{document}", "getFactoryFileSchema", "anyone", {
      summary: "Get one schema, for example for an editor",
      parameters: [ifNoneMatch],
      answers: {
        200: json("The schema (JSON Schema 2020-12).", { type: "object" }),
        ...unchanged,
      },
      tagsFirst: true,
    }),
    post("/factory-files/validate", "validateFactoryFiles", "viewer", {
      summary:
        "Validate a definition without server state; requires a key unless MILLRACE_PUBLIC_VALIDATE is on",
      body: { model: "ValidateFilesRequest", bytes: ["files.content"] },
      answer: ["The validation result, whether or not the definition is valid.", "FilesValidation"],
      tagsFirst: true,
    }),
  ]),
  ...section({ tag: "secrets", path: { name: "The name of the secret.", id: "The id of the key." } }, [
    get("/events", "streamEvents", "viewer", {
      summary:
        "Stream changes to runs, tasks, deliveries, webhooks, factories, budgets, pauses and holds as Server-Sent Events",
      tag: "events",
      parameters: [lastEventId],
      answers: {
        200: {
          description:
            "The events: run {run_id, state, deleted, factory_uid, at} (deleted is true if a person deleted the run), delivery {delivery_id, webhook_uid, outcome, factory_uid, at}, webhook {webhook_uid, status, factory_uid, at} (status is deleted or deliveries_deleted), factory {factory_uid, name, status, at}, pause {pause_id, status, factory_uid, at}, hold {hold_id, status, factory_uid, at} (status is created, extended or ended), task {task_uid, stage, factory_uid, at} (stage is deleted if the task was deleted), budget {owner_uid, limit, factory_uid, at} (a limit for a day, usdPerDay or runsPerDay, of the factory, agent or automation owner_uid is used up; sent once in 24 hours), and reset {} when changes were missed. Send Last-Event-ID to resume.",
          content: { "text/event-stream": { schema: { type: "string" } } },
        },
      },
    }),
    get("/secrets", "listSecrets", "viewer", {
      summary: "List the secrets that the key's factories may use, without their values",
      parameters: pageParameters,
      answer: ["A page of secrets.", "SecretList"],
    }),
    put("/secrets/{name}", "setSecret", "admin", {
      summary: "Set a secret's value (write-only) and the factories that may use it",
      body: "SecretValue",
      answer: ["The secret, without its value.", "Secret"],
    }),
    del("/secrets/{name}", "deleteSecret", "admin", {
      summary: "Delete a secret that no definition uses",
      done: "The secret was deleted.",
    }),
    get("/api-keys", "listApiKeys", "admin", {
      summary: "List API keys, without their values",
      tag: "keys",
      parameters: pageParameters,
      answer: ["A page of keys.", "ApiKeyList"],
    }),
    post("/api-keys", "createApiKey", "admin", {
      summary: "Create an API key; it is shown only once",
      tag: "keys",
      parameters: [secretIdempotencyKey],
      body: "NewApiKey",
      created: ["The key.", "CreatedApiKey"],
    }),
    del("/api-keys/{id}", "revokeApiKey", "admin", {
      summary: "Revoke an API key immediately",
      tag: "keys",
      done: "The key was revoked.",
    }),
    get("/audit-log", "listAuditLog", "admin", {
      summary: "List API calls that made or attempted changes, newest first",
      tag: "audit",
      parameters: [...auditFilters, ...pageParameters],
      answer: [
        "A page of the audit log. With filters, it can contain fewer records than the limit, or none, while has_next_page is true.",
        "AuditLog",
      ],
    }),
  ]),
  ...section({ tag: "server", path: { uid: "The UID of the webhook." } }, [
    get("/whoami", "getWhoami", "viewer", {
      summary: "Get the caller's identity and permissions",
      answer: ["The API key used for the request.", "Whoami"],
    }),
    get("/settings", "listSettings", "admin", {
      summary: "List the effective settings, with secrets masked",
      answer: ["The settings.", "SettingList"],
    }),
    get("/servers", "listServers", "viewer", {
      summary: "List the servers that share the store, with their load and last contact",
      parameters: pageParameters,
      answer: [
        "A page of servers, sorted by name. With SQLite, it contains only the server that responds.",
        "ServerList",
      ],
    }),
    get("/factories/{factory}/runners", "listRunners", "viewer", {
      summary: "List the runners of a factory",
      tag: "runners",
      parameters: pageParameters,
      answer: ["A page of runners.", "RunnerList"],
    }),
    get("/activity", "getActivity", "viewer", {
      summary: "Count deliveries and runs by hour",
      parameters: [
        queryParameter("hours", "The number of hours, including the current one.", {
          type: "integer",
          minimum: 1,
          maximum: 168,
          default: 24,
        }),
        factoryParameter("activity"),
      ],
      answer: ["The counts.", "Activity"],
    }),
    get("/activity/history", "getActivityHistory", "viewer", {
      summary: "Count deliveries and runs of a time range, by minute, hour or day",
      parameters: [
        queryParameter(
          "range",
          "The time range: an hour in buckets of a minute, a day or a week in buckets of an hour, or 30 days in buckets of a day.",
          { type: "string", enum: RANGES, default: "24h" },
        ),
        queryParameter(
          "utc_offset",
          "The hours by which the caller's time is ahead of UTC. Buckets of a day begin at midnight of that time.",
          { type: "integer", minimum: -14, maximum: 14, default: 0 },
        ),
        factoryParameter("activity"),
      ],
      answer: ["The counts.", "ActivityHistory"],
    }),
    get("/activity/factories", "listFactoryActivity", "viewer", {
      summary: "Count the open runs of each factory, and its deliveries and runs of the last 24 hours",
      answer: ["The counts of each factory.", "FactoryActivityList"],
    }),
    get("/activity/webhooks", "listWebhookActivity", "viewer", {
      summary: "List the outcomes of recent deliveries by webhook",
      parameters: [
        factoryParameter("webhooks"),
        uidParameter("webhook"),
        queryParameter("details", "Also include the hourly counts and how the recent runs went.", flag),
      ],
      answer: ["The active webhooks.", "WebhookActivityList"],
    }),
    get("/factories/{factory}/webhooks/{uid}/traffic", "getWebhookTraffic", "viewer", {
      summary: "Count the deliveries of a webhook in the log",
      tag: "deliveries",
      answer: ["The counts.", "WebhookTraffic"],
    }),
    get("/activity/automations", "listAutomationActivity", "viewer", {
      summary: "List how the recent runs of each automation went",
      parameters: [
        factoryParameter("automations"),
        uidParameter("automation"),
        queryParameter("scheduled", "Only automations that a schedule starts.", flag),
      ],
      answer: ["The automations.", "AutomationActivityList"],
    }),
    get("/activity/agents", "listAgentActivity", "viewer", {
      summary: "List how the recent runs of each agent went",
      parameters: [],
      answer: ["The agents.", "AgentActivityList"],
    }),
  ]),
  ...section({ tag: "inbox" }, [
    get("/inbox", "listInbox", "viewer", {
      summary: "List what waits for a person, newest first",
      parameters: [factoryParameter("items"), ...pageParameters],
      answer: ["A page of items.", "InboxList"],
    }),
  ]),
  ...section({ tag: "usage" }, [
    get("/usage", "getUsage", "viewer", {
      summary: "Sum tokens, cost and working time by automation, agent, factory, model or day",
      parameters: [
        queryParameter("group_by", "What the usage is summed by.", {
          type: "string",
          enum: USAGE_GROUPS,
          default: "automation",
        }),
        ...usageSpan,
      ],
      answer: ["The sums.", "UsageReport"],
    }),
    get("/usage/runs", "listCostliestRuns", "viewer", {
      summary: "List the runs with the highest known cost",
      parameters: [...usageSpan, limit(100, 10, "runs")],
      answer: ["The runs.", "RunSpendList"],
    }),
  ]),
  ...section({ tag: "factory metrics", path: { uid: "The UID or name of the factory." } }, [
    get("/factory/{uid}/metrics", "getFactoryMetrics", "viewer", {
      summary: "Get the productivity of a factory",
      parameters: [...dates, byPeriod],
      answer: ["The figures.", "FactoryMetrics"],
    }),
    get("/factory/{uid}/metrics/run-breakdown", "getRunBreakdown", "viewer", {
      summary: "Count the runs of a factory by group",
      parameters: [groupBy(RUN_GROUPS), ...dates, byPeriod],
      answer: ["The figures.", "RunBreakdown"],
    }),
    get("/factory/{uid}/costs/breakdown", "getCostBreakdown", "viewer", {
      summary: "Sum the spend of a factory by group",
      parameters: [groupBy(SPEND_GROUPS), ...dates, byPeriod],
      answer: ["The figures.", "CostBreakdown"],
    }),
    get("/factory/{uid}/costs/per-pr", "getPrCosts", "viewer", {
      summary: "Get the cost per pull request of a factory",
      parameters: [...dates, byPeriod],
      answer: ["The figures.", "PrCosts"],
    }),
    get("/factory/{uid}/costs/per-pr/by-size", "getPrCostsBySize", "viewer", {
      summary: "Get the cost per pull request of a factory by the size of the pull requests",
      parameters: [...dates, byPeriod],
      answer: ["The figures.", "PrCostsBySize"],
    }),
    get("/factory/{uid}/costs/per-pr/top", "listCostliestPullRequests", "viewer", {
      summary: "List the pull requests of a factory with the highest known cost",
      parameters: [...dates, limit(50, 20)],
      answer: ["The figures.", "CostliestPullRequests"],
    }),
    get("/factory/{uid}/pull-requests", "listPullRequests", "viewer", {
      summary: "List the pull requests that runs of a factory reported",
      parameters: pullRequestFilters,
      answer: ["The figures.", "PullRequestList"],
    }),
  ]),
  ...section({ tag: "deliveries" }, [
    get("/deliveries", "listAllDeliveries", "viewer", {
      summary: "List the deliveries of all webhooks, including deleted ones, newest first",
      parameters: [
        queryParameter("factory", "Only deliveries to this factory, given by name or UID.", text),
        queryParameter(
          "webhook",
          "Only deliveries to webhooks with this name or UID, including deleted webhooks.",
          text,
        ),
        ...deliveryFilters,
        ...pageParameters,
      ],
      answers: deliveryPage,
    }),
    get("/factories/{factory}/deliveries/{delivery_id}/test", "makeDeliveryTest", "viewer", {
      summary: "Get a delivery as the file of a test of an automation, without writing anything",
      parameters: [
        required(queryParameter("automation", "The name of the automation that the test is for.", shortText)),
        queryParameter("name", "The name of the file, without .yaml.", {
          type: "string",
          pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$",
          default: "delivery",
        }),
      ],
      answer: ["The file.", "DeliveryTest"],
    }),
  ]),
];
