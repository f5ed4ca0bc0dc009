/** Who may do what: every operation of the API by the least role that it needs, written down once more by hand. */
export const NEEDED_ROLE: Readonly<Record<string, readonly string[]>> = {
  viewer: [
    ...["checkConversationRedirect", "getConversationById", "listModels"],
    ...["checkSessionRedirect", "downloadArtifact", "explainDelivery", "exportFactory", "getActivity"],
    ...["getActivityHistory", "listFactoryActivity"],
    ...["getUsage", "listCostliestRuns"],
    ...["getFactoryMetrics", "getRunBreakdown", "getCostBreakdown", "getPrCosts", "getPrCostsBySize"],
    ...["listCostliestPullRequests", "listPullRequests"],
    ...["getArtifact", "getAttachment", "getAutomation", "getCommitStanding", "getConversationTranscript"],
    ...["getDelivery", "getDrift", "getEnvironment", "getFactory", "getFactoryDetails", "getFile"],
    ...["getConversation", "getHarnessUsage", "getRunNetwork", "listRunSteps", "listRunDeliveries"],
    ...["getNote", "getRunDelivery", "getRunTree", "listRunAgents"],
    ...["getIdentity", "getPayload", "getRun", "getSchedule", "getTimeline", "getTranscript", "getWebhook"],
    ...["getWebhookTraffic", "getWhoami", "listAgentActivity", "listAgents", "listAllDeliveries"],
    ...["listAttachments", "listAutomationActivity", "listAutomations"],
    ...["listDeliveries", "listEnvironments", "listFactories", "listFiles", "listHandoffAttachments"],
    ...["getNotification", "listNotifications", "listNotificationTargets"],
    ...[
      "explainOutbound",
      "explainServerOutbound",
      "getOutbound",
      "getOutboundDelivery",
      "listOutbound",
      "listOutboundDeliveries",
    ],
    ...["getServerOutbound", "getServerOutboundDelivery", "listServerOutbound"],
    "listServerOutboundDeliveries",
    ...[
      "listHolds",
      "listIdentities",
      "listInbox",
      "listPauses",
      "listRevisions",
      "listRunners",
      "listRuns",
      "listSchedules",
    ],
    ...["listSecrets", "listWebhookActivity", "listWebhooks", "makeDeliveryTest", "planFactory"],
    ...["listServers", "searchFactories"],
    ...["getWorker", "listConnectedWorkers", "listWorkers"],
    ...["getWorkerDemand"],
    ...[
      "getTask",
      "getTaskByConversation",
      "getTaskByRun",
      "getTaskConversation",
      "listTaskRuns",
      "listTasks",
    ],
    ...["streamEvents", "testFilter"],
  ],
  operator: [
    ...["cancelRun", "createPause", "createRun", "createRunAlias", "createSchedule", "deleteSchedule"],
    ...[
      "dismissRun",
      "dispatchRun",
      "endHold",
      "endPause",
      "followUp",
      "followUpConversation",
      "testNotificationTarget",
      "testOutbound",
      "testServerOutbound",
      "redeliverOutbound",
      "redeliverServerOutbound",
      "pauseSchedule",
      "planRunAgain",
      "redeliver",
      "runAgain",
    ],
    ...["resumeFactory", "resumeSchedule", "rollBackFactory", "sendTestDelivery", "suspendFactory"],
    ...["syncFactory", "updateSchedule"],
    ...["cancelTask", "createTask", "deleteTask", "updateTask"],
    ...["drainWorker", "endWorkerDrain"],
  ],
  admin: [
    ...["adoptWebhook", "changeFiles", "createApiKey", "createEnvironment", "createFactory"],
    ...["createIdentity", "createWebhook", "deleteAutomation", "deleteDeliveries", "deleteEnvironment"],
    ...["deleteFactory", "planFactoryDeletion"],
    ...["deleteFile", "deleteIdentity", "deletePayload", "deleteRun", "deleteSecret", "deleteWebhook"],
    ...["listApiKeys", "listAuditLog", "listSettings", "putAutomation", "putFile", "revokeApiKey"],
    ...[
      "endSecretOverlap",
      "rotateOutboundSecret",
      "rotateWebhookSecret",
      "setSecret",
      "suggestSecretName",
      "updateEnvironment",
      "updateIdentity",
    ],
    ...["updateWebhook"],
    ...["createWorker", "revokeWorker"],
    "createIdentityKey",
  ],
};

/** What needs no key; validateFactoryFiles does where no setting opens it. */
export const OPEN: readonly string[] = [
  ...["downloadByLink", "getFactoryFileSchema", "getFactoryFileSchemas"],
  ...["listFactoryFileSchemas", "validateFactoryFiles"],
];

/** What answers without a key as well, but tells nothing then. */
export const EMPTY_WITHOUT_KEY: readonly string[] = ["checkConversationRedirect", "checkSessionRedirect"];

/** What only the token of a run is good for: no key of any role. */
export const OF_RUN_TOKENS_ALONE: readonly string[] = [
  "createIdentityToken",
  ...["putNote", "reportAnswer", "reportArtifact", "reportArtifactFile", "reportBlocked", "reportStatus"],
  "waitForRuns",
];

/** What the token of a run is good for, and for that run and its family alone. */
export const OF_RUN_TOKENS: readonly string[] = [
  ...[
    "checkConversationRedirect",
    "checkSessionRedirect",
    "downloadArtifact",
    "getArtifact",
    "getAttachment",
    "getConversationById",
    "getConversationTranscript",
  ],
  ...[
    "getConversation",
    "getHarnessUsage",
    "getRunNetwork",
    "listRunDeliveries",
    "listRunSteps",
    "getRun",
    "getTimeline",
    "getTranscript",
    "listAttachments",
    "listHandoffAttachments",
  ],
  ...["cancelRun", "createRun", "createRunAlias", "followUp", "getRunTree", "listRuns"],
  ...["getNote", "getRunDelivery", "listRunAgents"],
  ...["getTask", "getTaskByConversation", "getTaskByRun", "listTasks", "updateTask"],
  ...OF_RUN_TOKENS_ALONE,
];

/** What belongs to the whole server: a key that is bound to factories is refused, an admin's too. */
export const OF_THE_SERVER: readonly string[] = [
  ...["getServerOutbound", "getServerOutboundDelivery", "listServerOutbound", "listServerOutboundDeliveries"],
  ...["explainServerOutbound", "redeliverServerOutbound", "testServerOutbound"],
  ...["createApiKey", "createEnvironment", "createFactory", "createIdentity", "listApiKeys", "listAuditLog"],
  "createIdentityKey",
  ...["listServers", "listSettings", "revokeApiKey"],
  ...["createWorker", "drainWorker", "endWorkerDrain", "getWorker", "listConnectedWorkers", "listWorkers"],
  "revokeWorker",
  "getWorkerDemand",
];
