/** The name under which a run finds the body of the delivery that started it. */
export const EVENT_PAYLOAD = "event-payload.json";

/** What a workspace holds by these names is the run's own, or will be at a later turn. */
export const OWN_NAMES: ReadonlySet<string> = new Set([
  "prompt.md",
  "agent.json",
  "mcp.json",
  EVENT_PAYLOAD,
  "skills",
  "turns",
  "artifacts",
]);
