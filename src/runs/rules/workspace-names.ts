/** The name under which a run finds the body of the delivery that started it. */
export const EVENT_PAYLOAD = "event-payload.json";

/** The name of the configuration of the run. */
export const AGENT_JSON = "agent.json";

/** The folder with the bodies of all deliveries of a run that has several. */
export const EVENT_PAYLOADS = "event-payloads";

/** The name of one of them, by its place from 1: they are listed in the order in which they came. */
export function joinedPayloadName(position: number, deliveryId: string): string {
  return `${EVENT_PAYLOADS}/${String(position).padStart(6, "0")}-${deliveryId}.json`;
}

/** What a workspace holds by these names is the run's own, or will be at a later turn. */
export const OWN_NAMES: ReadonlySet<string> = new Set([
  "prompt.md",
  AGENT_JSON,
  "mcp.json",
  EVENT_PAYLOAD,
  EVENT_PAYLOADS,
  "skills",
  "turns",
  "artifacts",
]);
