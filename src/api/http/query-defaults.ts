// Made by `npm run generate` from the API's description (src/api/document.ts). Do not edit.

/** The query parameters with a default, by operation: a handler always finds them. */
export interface QueryDefaults {
  listRuns: "limit" | "sort_by" | "sort_order" | "factory_only";
  getTimeline: "limit";
  getConversation: "limit";
  getTranscript: "follow";
  getConversationTranscript: "follow";
  listAgents: "refresh" | "include_malformed_skills" | "sort_by";
  listEnvironments: "limit" | "sort_by";
  listIdentities: "limit";
  listSchedules: "limit";
  searchFactories: "limit";
  listFactories: "limit";
  syncFactory: "wait" | "allow_deletes";
  listWebhooks: "limit";
  listDeliveries: "limit";
  listAutomations: "limit";
  listFiles: "limit";
  listRevisions: "limit";
  listPauses: "limit";
  listSecrets: "limit";
  listApiKeys: "limit";
  listAuditLog: "limit";
  getActivity: "hours";
  listRunners: "limit";
  listAllDeliveries: "limit";
}
