import { queryOptions } from "@tanstack/react-query";
import { millrace } from "./client.ts";

/** How long a chart may lack the minute that has begun. */
const MINUTE_MS = 60_000;

export const activityHistoryQuery = (range: "1h" | "24h" | "7d" | "30d", utcOffset: number) =>
  queryOptions({
    queryKey: ["activity", range, utcOffset],
    queryFn: () => millrace.activityHistory({ range, utc_offset: utcOffset }),
    refetchInterval: MINUTE_MS,
  });

/** The open runs of each factory, and its last day. */
export const factoryActivityQuery = queryOptions({
  queryKey: ["activity", "factories"],
  queryFn: async () => (await millrace.factoryActivity()).factories,
});

/** The latest deliveries of webhooks, how their runs went and the counts of each hour, of all of a factory or of one. */
export const webhookDetailsQuery = (factory: string, uid?: string) =>
  queryOptions({
    queryKey: ["webhook-details", factory, uid],
    queryFn: async () =>
      (await millrace.webhookActivity({ factory, details: true, ...(uid ? { uid } : {}) })).webhooks,
  });

/** How the runs of the automations of a factory went, or of one of them. */
export const automationActivityQuery = (factory: string, uid?: string) =>
  queryOptions({
    queryKey: ["automation-activity", factory, uid],
    queryFn: async () =>
      (await millrace.automationActivity({ factory, ...(uid ? { uid } : {}) })).automations,
  });

/** The automations of all factories that schedules start. */
export const scheduledAutomationsQuery = queryOptions({
  queryKey: ["automation-activity", "scheduled"],
  queryFn: async () => (await millrace.automationActivity({ scheduled: true })).automations,
});

/** How the runs of agents went. */
export const agentActivityQuery = queryOptions({
  queryKey: ["agent-activity"],
  queryFn: async () => (await millrace.agentActivity()).agents,
});
