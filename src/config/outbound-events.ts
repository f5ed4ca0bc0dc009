import type { ExternalPlace, FileSettings } from "./config.ts";

/** What outbound webhooks tell of. */
export const OUTBOUND_EVENTS = [
  "run.created",
  "run.started",
  "run.blocked",
  "run.ended",
  "delivery.refused",
  "definition.applied",
  "definition.failed",
  "definition.drifted",
  "task.moved",
  "budget.reached",
] as const;
export type OutboundEvent = (typeof OUTBOUND_EVENTS)[number];

/** One place that millrace.yaml has events posted to. */
export interface OutboundSetting {
  name: string;
  url: string;
  /** What requests are signed with; read at every use. */
  secret: ExternalPlace;
  events: OutboundEvent[];
  /** A payload filter, as written. */
  filter?: object;
  enabled?: boolean;
  ordered?: boolean;
  /** Names or uids of the factories whose events are sent; without it, those of all and of the runs of none. */
  factories?: string[];
}

/** What contradicts itself in `outbound:`, beyond what the schema sees. */
export function outboundProblems({ outbound = [] }: Pick<FileSettings, "outbound">): string[] {
  const names = outbound.map(({ name }) => name);
  const repeated = [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
  return repeated.map((name) => `outbound: two have the name "${name}"; give each its own`);
}
