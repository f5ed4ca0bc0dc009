// Made by `npm run generate` from the API's description (src/api/document.ts). Do not edit.

// Own file: it is generated.

/** The query parameters with a default, by operation: a handler always finds them. */
export interface QueryDefaults {
  listRuns: "limit" | "sort_by" | "sort_order" | "factory_only";
  getTimeline: "limit";
  getConversation: "limit";
  listRunSteps: "limit";
  getTranscript: "follow" | "steps";
  getConversationById: "limit";
  getConversationTranscript: "follow" | "steps";
  listAgents: "refresh" | "include_malformed_skills" | "sort_by";
  listEnvironments: "limit" | "sort_by";
  listIdentities: "limit";
  listSchedules: "limit";
  searchFactories: "limit";
  listTasks: "limit" | "sort_by" | "sort_order" | "full_list" | "include_current_run";
  listTaskRuns: "limit";
  getTaskConversation: "limit";
  listFactories: "limit";
  syncFactory: "wait" | "allow_deletes";
  listWebhooks: "limit";
  listDeliveries: "limit";
  listAutomations: "limit";
  listFiles: "limit";
  listRevisions: "limit";
  listPauses: "limit";
  listNotifications: "limit";
  listNotificationTargets: "limit";
  listOutbound: "limit";
  listOutboundDeliveries: "limit";
  listServerOutbound: "limit";
  listServerOutboundDeliveries: "limit";
  listWorkers: "limit";
  listSecrets: "limit";
  listApiKeys: "limit";
  listAuditLog: "limit";
  listServers: "limit";
  listRunners: "limit";
  getActivity: "hours";
  getActivityHistory: "range" | "utc_offset";
  listWebhookActivity: "details";
  listAutomationActivity: "scheduled";
  getUsage: "group_by" | "since";
  listCostliestRuns: "since" | "limit";
  listCostliestPullRequests: "limit";
  listPullRequests: "limit";
  listAllDeliveries: "limit";
  makeDeliveryTest: "name";
}
