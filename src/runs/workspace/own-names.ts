import { EVENT_PAYLOAD, EVENT_PAYLOADS } from "../rules/event-payload.ts";

/** What a workspace holds by these names is the run's own, or will be at a later turn. */
export const OWN_NAMES: ReadonlySet<string> = new Set([
  "prompt.md",
  "agent.json",
  "mcp.json",
  EVENT_PAYLOAD,
  EVENT_PAYLOADS,
  "skills",
  "turns",
  "artifacts",
]);
