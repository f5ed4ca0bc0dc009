import type { OperationId } from "../http/endpoint.ts";
import {
  idempotencyKey,
  ifMatch,
  optionalIfMatch,
  type PlacedOperation,
  pageParameters,
  queryParameter,
  secretIdempotencyKey,
} from "../http/operation.ts";
import {
  deliveryFilters,
  deliveryPage,
  flag,
  notificationFilters,
  outboundDeliveryFilters,
  required,
  shortText,
  taskFilters,
  text,
  waitTime,
} from "./parameters.ts";
import { del, get, patch, post, put, section } from "./row.ts";

/** The operations that outbound webhooks of factories and of the settings have in common. */
const OF_FACTORY = {
  list: "listOutbound",
  get: "getOutbound",
  listDeliveries: "listOutboundDeliveries",
  getDelivery: "getOutboundDelivery",
  redeliver: "redeliverOutbound",
  test: "testOutbound",
  explain: "explainOutbound",
} as const satisfies Record<string, OperationId>;

const OF_SERVER = {
  list: "listServerOutbound",
  get: "getServerOutbound",
  listDeliveries: "listServerOutboundDeliveries",
  getDelivery: "getServerOutboundDelivery",
  redeliver: "redeliverServerOutbound",
  test: "testServerOutbound",
  explain: "explainServerOutbound",
} as const satisfies Record<keyof typeof OF_FACTORY, OperationId>;

const outboundSection = {
  tag: "outbound webhooks",
  path: {
    factory: "The name or uid of the factory.",
    name: "The name of the outbound webhook.",
    id: "The id of the delivery.",
  },
};

function outbound(prefix: string, of: string, ids: Record<keyof typeof OF_FACTORY, OperationId>) {
  return section(outboundSection, [
    get(prefix, ids.list, "viewer", {
      summary: `List the outbound webhooks of ${of}`,
      parameters: pageParameters,
      answer: ["A page of outbound webhooks.", "OutboundList"],
    }),
    get(`${prefix}/{name}`, ids.get, "viewer", {
      summary: `Get an outbound webhook of ${of}`,
      answer: ["The outbound webhook.", "Outbound"],
    }),
    get(`${prefix}/{name}/deliveries`, ids.listDeliveries, "viewer", {
      summary: `List the deliveries of an outbound webhook of ${of}, newest first`,
      parameters: [...outboundDeliveryFilters, ...pageParameters],
      answer: ["A page of deliveries.", "OutboundDeliveryList"],
    }),
    get(`${prefix}/{name}/deliveries/{id}`, ids.getDelivery, "viewer", {
      summary: `Get a delivery of an outbound webhook of ${of}, with its body`,
      answer: ["The delivery.", "OutboundDeliveryWithBody"],
    }),
    post(`${prefix}/{name}/deliveries/{id}/redeliver`, ids.redeliver, "operator", {
      summary: `Send a delivery of an outbound webhook of ${of} again, with the same webhook-id and body`,
      answer: ["The delivery, which waits to be sent.", "OutboundDelivery"],
    }),
    post(`${prefix}/{name}/test`, ids.test, "operator", {
      summary: `Send a test event to an outbound webhook of ${of}`,
      answer: ["The delivery. Its state is sent or failed.", "OutboundDelivery"],
    }),
    post(`${prefix}/{name}/explain`, ids.explain, "viewer", {
      summary: `Explain whether an outbound webhook of ${of} sends an event, and show its body`,
      body: "OutboundQuestion",
      answer: ["What would be sent now, and why.", "OutboundExplanation"],
    }),
  ]);
}

/** What can be done with factories and what belongs to them. */
export const FACTORY_OPERATIONS: readonly PlacedOperation[] = [
  ...section({ tag: "factories", path: { uid: "The UID or name of the factory." } }, [
    get("/factory", "searchFactories", "viewer", {
      summary: "List factories, in the format that clients of the public API expect",
      parameters: [
        ...pageParameters,
        queryParameter("search", "Part of a name or an alias; case-insensitive.", { type: "string" }),
        queryParameter(
          "filter_team_uid",
          "Accepted, but has no effect, because a server has only one team.",
          { type: "string" },
        ),
      ],
      answer: ["A page of factories.", "FactoryDetailsList"],
    }),
    get("/factory/{uid}", "getFactoryDetails", "viewer", {
      summary: "Get a factory, in the format that clients of the public API expect",
      answer: ["The factory.", "FactoryDetails"],
    }),
    post("/factory/{uid}/runs", "dispatchRun", "operator", {
      summary: "Dispatch a run to a factory's foreman",
      parameters: [idempotencyKey],
      body: "FactoryRunRequest",
      answer: ["The run was queued.", "FactoryRunResponse"],
    }),
  ]),
  ...section({ tag: "tasks", path: { uid: "The UID or name of the factory." } }, [
    get("/factory/{uid}/tasks", "listTasks", "viewer or run", {
      summary: "List the tasks of a factory",
      parameters: [...pageParameters, ...taskFilters],
      answer: ["A page of tasks.", "TaskList"],
    }),
    post("/factory/{uid}/tasks", "createTask", "operator", {
      summary: "Create a task for the conversation of a run",
      body: "CreateTaskRequest",
      answer: ["The task.", "Task"],
    }),
    get("/factory/{uid}/tasks/{taskUid}", "getTask", "viewer or run", {
      summary: "Get a task",
      answer: ["The task.", "Task"],
    }),
    patch("/factory/{uid}/tasks/{taskUid}", "updateTask", "operator or run", {
      summary: "Change the title, the description or the stage of a task",
      parameters: [optionalIfMatch],
      body: "UpdateTaskRequest",
      answer: ["The task.", "Task"],
    }),
    del("/factory/{uid}/tasks/{taskUid}", "deleteTask", "operator", {
      summary: "Delete a task; its runs are preserved",
      parameters: [optionalIfMatch],
      done: "The task was deleted.",
    }),
    post("/factory/{uid}/tasks/{taskUid}/cancel", "cancelTask", "operator", {
      summary: "Cancel a task and all of its runs",
      answer: ["The task.", "Task"],
    }),
    get("/factory/{uid}/tasks/{taskUid}/runs", "listTaskRuns", "viewer", {
      summary: "List the runs of a task, oldest first",
      parameters: pageParameters,
      answer: ["A page of runs.", "ListRunsResponse"],
    }),
    get("/factory/{uid}/tasks/{taskUid}/conversation", "getTaskConversation", "viewer", {
      summary: "List the messages of all runs of a task, oldest first, and its links",
      parameters: pageParameters,
      answer: ["A page of messages.", "TaskConversation"],
    }),
    get("/factory/{uid}/task-by-run", "getTaskByRun", "viewer or run", {
      summary: "Get the task that a run belongs to",
      parameters: [required(queryParameter("run_id", "The id of a run of the task.", text))],
      answer: ["The task.", "Task"],
    }),
    get("/factory/{uid}/task-by-conversation", "getTaskByConversation", "viewer or run", {
      summary: "Get the task of a conversation",
      parameters: [required(queryParameter("conversation_id", "The id of the conversation.", text))],
      answer: ["The task.", "Task"],
    }),
  ]),
  ...section(
    {
      tag: "factories",
      path: { uid: "The UID of the webhook.", name: "The name or UID of the automation." },
    },
    [
      get("/factories", "listFactories", "viewer", {
        summary: "List the factories of this server",
        parameters: pageParameters,
        answer: ["A page of factories.", "FactoryList"],
      }),
      post("/factories", "createFactory", "admin", {
        summary: "Create a managed factory, whose definition millrace stores",
        body: "NewFactory",
        created: ["The factory.", "Factory"],
      }),
      get("/factories/{factory}", "getFactory", "viewer", {
        summary: "Get a factory: its source, applied revision and problems",
        answer: ["The factory.", "Factory"],
      }),
      del("/factories/{factory}", "deleteFactory", "admin", {
        summary: "Delete a factory and its applied definition; refused if the settings name the factory",
        done: "The factory was deleted.",
      }),
      post("/factories/{factory}/sync", "syncFactory", "operator", {
        summary: "Sync a factory with its source now",
        parameters: [
          queryParameter("wait", "Whether to respond only after the sync has finished.", flag),
          queryParameter(
            "allow_deletes",
            "Whether to allow deletions that the prune guard would block.",
            flag,
          ),
          queryParameter(
            "revision",
            "With allow_deletes: the only revision whose deletions are allowed, given by its hash or at least its first 7 characters. If the source has moved to another revision, the prune guard applies as usual.",
            { type: "string", pattern: "^[0-9a-fA-F]{7,64}$" },
          ),
        ],
        answer: ["The factory after the sync, or its current state.", "Factory"],
      }),
      get("/factories/{factory}/webhooks", "listWebhooks", "viewer", {
        summary: "List the webhooks of a factory",
        tag: "webhooks",
        parameters: pageParameters,
        answer: ["A page of webhooks.", "WebhookList"],
      }),
      post("/factories/{factory}/webhooks", "createWebhook", "admin", {
        summary: "Create a webhook; a generated secret is shown only once",
        tag: "webhooks",
        parameters: [secretIdempotencyKey],
        body: "NewWebhook",
        created: ["The webhook.", "CreatedWebhook"],
      }),
      get("/factories/{factory}/webhooks/{uid}", "getWebhook", "viewer", {
        summary: "Get a webhook, including a deleted one",
        tag: "webhooks",
        answer: ["The webhook.", "Webhook"],
      }),
      patch("/factories/{factory}/webhooks/{uid}", "updateWebhook", "admin", {
        summary: "Enable or disable a webhook, or change its delivery ID header",
        tag: "webhooks",
        parameters: [ifMatch],
        body: "WebhookChange",
        answer: ["The webhook.", "Webhook"],
      }),
      del("/factories/{factory}/webhooks/{uid}", "deleteWebhook", "admin", {
        summary:
          "Delete a webhook: its senders get 404, and automations that select it no longer fire for it",
        tag: "webhooks",
        parameters: [ifMatch],
        done: "The resource was deleted.",
      }),
      del("/factories/{factory}/webhooks/{uid}/deliveries", "deleteDeliveries", "admin", {
        summary: "Delete a webhook's deliveries and payloads, except those with runs that have not ended",
        tag: "deliveries",
        answer: ["How many deliveries were deleted.", "DeletedDeliveries"],
      }),
      get("/factories/{factory}/webhooks/{uid}/deliveries", "listDeliveries", "viewer", {
        summary: "List the recent deliveries of a webhook, newest first",
        tag: "deliveries",
        parameters: [...deliveryFilters, ...pageParameters],
        answers: deliveryPage,
      }),
      get("/factories/{factory}/deliveries/{delivery_id}", "getDelivery", "viewer", {
        summary: "Get a delivery, with its payload if it was accepted",
        tag: "deliveries",
        answer: ["The delivery.", "Delivery"],
      }),
      post("/factories/{factory}/webhooks/{uid}/test-deliveries", "sendTestDelivery", "operator", {
        summary: "Send a test delivery, signed in the webhook's own mode and scheme",
        tag: "webhooks",
        parameters: [idempotencyKey],
        body: { model: "TestDeliveryRequest", optional: true, bytes: ["body", "text"] },
        answer: ["The webhook's response.", "TestDelivery"],
      }),
      get("/factories/{factory}/deliveries/{delivery_id}/explain", "explainDelivery", "viewer", {
        summary:
          "Explain for each automation why a delivery would or would not start a run under the active definition",
        tag: "deliveries",
        answer: ["The explanation.", "DeliveryExplanation"],
      }),
      post("/factories/{factory}/deliveries/{delivery_id}/redeliver", "redeliver", "operator", {
        summary: "Redeliver an accepted delivery, using the active definition",
        tag: "deliveries",
        parameters: [idempotencyKey],
        answer: ["The new delivery.", "Delivery"],
      }),
      post("/factories/{factory}/filter-test", "testFilter", "viewer", {
        summary: "Test whether a filter matches a stored delivery or a body, and explain the result",
        tag: "automations",
        body: { model: "FilterTestRequest", bytes: ["body", "payload"] },
        answer: ["The result.", "FilterTest"],
      }),
      get("/factories/{factory}/deliveries/{delivery_id}/payload", "getPayload", "viewer", {
        summary: "Get the body of an accepted delivery, byte for byte",
        tag: "deliveries",
        answers: {
          200: { description: "The bytes as received.", content: { "application/json": { schema: {} } } },
        },
      }),
      del("/factories/{factory}/deliveries/{delivery_id}/payload", "deletePayload", "admin", {
        summary: "Delete the payload of a delivery whose runs have ended, including the runs' copies",
        tag: "deliveries",
        done: "The payload was deleted.",
      }),
      get("/factories/{factory}/automations", "listAutomations", "viewer", {
        summary: "List the automations of a factory",
        tag: "automations",
        parameters: pageParameters,
        answer: ["A page of automations.", "AutomationList"],
      }),
      get("/factories/{factory}/automations/{name}", "getAutomation", "viewer", {
        summary: "Get an automation",
        tag: "automations",
        answer: ["The automation.", "Automation"],
      }),
      put("/factories/{factory}/automations/{name}", "putAutomation", "admin", {
        summary: "Create or replace an automation's file",
        tag: "automations",
        parameters: [ifMatch],
        body: { model: "AutomationContent", bytes: ["content"] },
        answer: ["The automation.", "Automation"],
        created: ["The new automation.", "Automation"],
      }),
      del("/factories/{factory}/automations/{name}", "deleteAutomation", "admin", {
        summary: "Delete an automation and its tests",
        tag: "automations",
        parameters: [ifMatch],
        done: "The resource was deleted.",
      }),
      get("/factories/{factory}/suggested-secret-name", "suggestSecretName", "admin", {
        summary: "Suggest a name for the secret of a new webhook",
        tag: "webhooks",
        parameters: [required(queryParameter("webhook", "The name of the webhook.", shortText))],
        answer: ["The suggested name.", "SuggestedSecretName"],
      }),
      post("/factories/{factory}/webhooks/{uid}/rotate-secret", "rotateWebhookSecret", "admin", {
        summary:
          "Set or rotate a webhook's secret; without an overlap, the old secret stops working immediately",
        tag: "webhooks",
        parameters: [secretIdempotencyKey],
        body: { model: "SecretRotation", optional: true },
        answer: ["The webhook.", "RotatedWebhook"],
      }),
      post("/factories/{factory}/webhooks/{uid}/end-overlap", "endSecretOverlap", "admin", {
        summary: "Stop accepting the previous secret of a webhook",
        tag: "webhooks",
        answer: ["The webhook.", "Webhook"],
      }),
      get("/factories/{factory}/files", "listFiles", "viewer", {
        summary: "List the files of the applied definition",
        tag: "files",
        parameters: pageParameters,
        answer: ["A page of files.", "FactoryFileList"],
      }),
      post("/factories/{factory}/files", "changeFiles", "admin", {
        summary: "Write and delete several files of the definition in one atomic change",
        tag: "files",
        body: { model: "FileChanges", bytes: ["files.content"] },
        answer: ["The applied change.", "ChangedFiles"],
      }),
      get("/factories/{factory}/files/{path}", "getFile", "viewer", {
        summary: "Get a file of the applied definition",
        tag: "files",
        answer: ["The file.", "FactoryFileContent"],
      }),
      put("/factories/{factory}/files/{path}", "putFile", "admin", {
        summary: "Create or replace a file of the definition",
        tag: "files",
        parameters: [ifMatch],
        body: { model: "FileContent", bytes: ["content"] },
        answer: ["The file.", "FactoryFile"],
        created: ["The new file.", "FactoryFile"],
      }),
      del("/factories/{factory}/files/{path}", "deleteFile", "admin", {
        summary: "Delete a file of the definition",
        tag: "files",
        parameters: [ifMatch],
        done: "The resource was deleted.",
      }),
      get("/factories/{factory}/deletion", "planFactoryDeletion", "admin", {
        summary: "Preview the deletion of a factory, including one whose source is no longer configured",
        answer: ["What would be deleted.", "FactoryDeletion"],
      }),
      get("/factories/{factory}/revisions", "listRevisions", "viewer", {
        summary: "List the attempts to apply revisions, newest first",
        parameters: pageParameters,
        answer: ["A page of revisions.", "RevisionList"],
      }),
      get("/factories/{factory}/commits/{commit}", "getCommitStanding", "viewer", {
        summary: "Get the state of a commit, optionally waiting until it is applied",
        parameters: [
          queryParameter(
            "wait",
            "How long the server waits for the state to change from pending before it responds, at most 60s.",
            waitTime,
          ),
        ],
        answer: ["The state of the commit.", "CommitStanding"],
      }),
      post("/factories/{factory}/suspend", "suspendFactory", "operator", {
        summary: "Suspend a factory: stop applying new revisions",
        answer: ["The factory.", "Factory"],
      }),
      post("/factories/{factory}/resume", "resumeFactory", "operator", {
        summary: "Resume a factory, and sync it immediately",
        answer: ["The factory.", "Factory"],
      }),
      post("/factories/{factory}/rollback", "rollBackFactory", "operator", {
        summary: "Roll back to a previously applied revision, and suspend the factory",
        body: "RollbackRequest",
        answer: ["The factory.", "Factory"],
      }),
      get("/factories/{factory}/drift", "getDrift", "viewer", {
        summary: "Compare the stored state with the applied revision",
        answer: ["The differences.", "Drift"],
      }),
      get("/factories/{factory}/export", "exportFactory", "viewer", {
        summary: "Get the definition files of the applied revision, or of another attempted one",
        parameters: [
          queryParameter(
            "revision",
            "The full hash of an attempted revision; defaults to the applied revision.",
            {
              type: "string",
              pattern: "^[0-9a-f]{7,64}$",
              description: "A hash.",
            },
          ),
        ],
        answer: ["The files, byte for byte.", "FactoryExport"],
      }),
      post("/factories/{factory}/webhooks/{uid}/adopt", "adoptWebhook", "admin", {
        summary: "Restore a webhook's previous UID after the database was lost",
        tag: "webhooks",
        path: { uid: "The webhook's current UID." },
        body: "WebhookAdoption",
        answer: ["The webhook, with its previous URL.", "Webhook"],
      }),
      post("/factories/{factory}/plan", "planFactory", "viewer", {
        summary: "Plan a definition: show what applying it would change, without writing anything",
        body: { model: "PlanRequest", optional: true, bytes: ["files.content", "changes.content"] },
        answer: ["The plan, whether or not the definition is valid.", "Plan"],
      }),
    ],
  ),
  ...section({ tag: "pauses", path: { id: "The id of the pause." } }, [
    get("/pauses", "listPauses", "viewer", {
      summary: "List the active pauses",
      parameters: pageParameters,
      answer: ["A page of pauses.", "PauseList"],
    }),
    post("/pauses", "createPause", "operator", {
      summary: "Pause the server, a factory, a webhook or an automation",
      body: "NewPause",
      answer: ["The pause that was already active.", "Pause"],
      created: ["The pause. New runs wait until it ends.", "Pause"],
    }),
    del("/pauses/{id}", "endPause", "operator", {
      summary: "End a pause, and start the runs that were waiting",
      done: "The pause was ended.",
    }),
  ]),
  ...section({ tag: "pauses", path: { id: "The id of the hold." } }, [
    get("/holds", "listHolds", "viewer", {
      summary: "List the credentials and models whose runs wait for a limit of their provider",
      answer: ["The holds, the oldest first.", "HoldList"],
    }),
    del("/holds/{id}", "endHold", "operator", {
      summary: "End a hold before its time, and start the runs that were waiting",
      done: "The hold was ended. If the provider still refuses, there is soon another one.",
    }),
  ]),
  ...section({ tag: "notifications", path: { id: "The id of the notification." } }, [
    get("/notifications", "listNotifications", "viewer", {
      summary: "List notifications, newest first",
      parameters: [...notificationFilters, ...pageParameters],
      answer: ["A page of notifications.", "NotificationList"],
    }),
    get("/notifications/{id}", "getNotification", "viewer", {
      summary: "Get a notification",
      answer: ["The notification.", "Notification"],
    }),
    get("/notification-targets", "listNotificationTargets", "viewer", {
      summary: "List the targets of notifications",
      parameters: pageParameters,
      answer: ["A page of targets.", "NotificationTargetList"],
    }),
    post("/notification-targets/{id}/test", "testNotificationTarget", "operator", {
      summary: "Send a test notification to a target",
      path: { id: "The id of the target." },
      answer: ["The test notification. Its state is sent or failed.", "Notification"],
    }),
  ]),
  ...outbound("/factories/{factory}/outbound", "a factory", OF_FACTORY),
  ...outbound("/outbound", "the settings", OF_SERVER),
  ...section(outboundSection, [
    post("/factories/{factory}/outbound/{name}/rotate-secret", "rotateOutboundSecret", "admin", {
      summary: "Generate a new signing secret for an outbound webhook; it is shown once",
      parameters: [secretIdempotencyKey],
      answer: ["The secret.", "OutboundSecret"],
    }),
  ]),
];
