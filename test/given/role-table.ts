/** Who may do what: every operation of the API by the least role that it needs, written down once more by hand. */
export const NEEDED_ROLE: Readonly<Record<string, readonly string[]>> = {
  viewer: [
    ...["checkSessionRedirect", "downloadArtifact", "explainDelivery", "exportFactory", "getActivity"],
    ...["getArtifact", "getAttachment", "getAutomation", "getCommitStanding", "getConversationTranscript"],
    ...["getDelivery", "getDrift", "getEnvironment", "getFactory", "getFactoryDetails", "getFile"],
    ...["getConversation", "getHarnessUsage"],
    ...["getIdentity", "getPayload", "getRun", "getSchedule", "getTimeline", "getTranscript", "getWebhook"],
    ...["getWebhookTraffic", "getWhoami", "listAgents", "listAllDeliveries"],
    ...["listAttachments", "listAutomations"],
    ...["listDeliveries", "listEnvironments", "listFactories", "listFiles", "listHandoffAttachments"],
    ...["listIdentities", "listPauses", "listRevisions", "listRunners", "listRuns", "listSchedules"],
    ...["listSecrets", "listWebhookActivity", "listWebhooks", "planFactory", "searchFactories"],
    ...["streamEvents", "testFilter"],
  ],
  operator: [
    ...["cancelRun", "createPause", "createRun", "createRunAlias", "createSchedule", "deleteSchedule"],
    ...[
      "dismissRun",
      "dispatchRun",
      "endPause",
      "followUp",
      "followUpConversation",
      "pauseSchedule",
      "redeliver",
    ],
    ...["resumeFactory", "resumeSchedule", "rollBackFactory", "sendTestDelivery", "suspendFactory"],
    ...["syncFactory", "updateSchedule"],
  ],
  admin: [
    ...["adoptWebhook", "changeFiles", "createApiKey", "createEnvironment", "createFactory"],
    ...["createIdentity", "createWebhook", "deleteAutomation", "deleteDeliveries", "deleteEnvironment"],
    ...["deleteFactory", "planFactoryDeletion"],
    ...["deleteFile", "deleteIdentity", "deletePayload", "deleteRun", "deleteSecret", "deleteWebhook"],
    ...["listApiKeys", "listAuditLog", "listSettings", "putAutomation", "putFile", "revokeApiKey"],
    ...["rotateWebhookSecret", "setSecret", "suggestSecretName", "updateEnvironment", "updateIdentity"],
    ...["updateWebhook"],
  ],
};

/** What needs no key; validateFactoryFiles does where no setting opens it. */
export const OPEN: readonly string[] = [
  ...["checkConversationRedirect", "downloadByLink", "getFactoryFileSchema", "getFactoryFileSchemas"],
  ...["listFactoryFileSchemas", "validateFactoryFiles"],
];

/** What only the token of a run is good for: no key of any role. */
export const OF_RUN_TOKENS_ALONE: readonly string[] = ["reportArtifact", "reportBlocked"];

/** What the token of a run is good for, and for that run alone. */
export const OF_RUN_TOKENS: readonly string[] = [
  ...[
    "checkSessionRedirect",
    "downloadArtifact",
    "getArtifact",
    "getAttachment",
    "getConversationTranscript",
  ],
  ...[
    "getConversation",
    "getHarnessUsage",
    "getRun",
    "getTimeline",
    "getTranscript",
    "listAttachments",
    "listHandoffAttachments",
  ],
  ...OF_RUN_TOKENS_ALONE,
];

/** What belongs to the whole server: a key that is bound to factories is refused, an admin's too. */
export const OF_THE_SERVER: readonly string[] = [
  ...["createApiKey", "createEnvironment", "createFactory", "createIdentity", "listApiKeys", "listAuditLog"],
  ...["listSettings", "revokeApiKey"],
];
