import type { Automation, EventProviderName } from "../../definitions/definition.ts";
import { compileKey } from "../../definitions/key-template.ts";
import type { RunKey } from "../../runs/rules/run-key.ts";
import { continuation } from "../envelope.ts";
import type { Matchable } from "./match.ts";

/** What makes the run of a delivery one thing with others. */
export type RunKeyOf = (delivery: Matchable, event: string | undefined) => RunKey;

/** Without a key, the deliveries in a window are one thing. */
const WHOLE_AUTOMATION = "";

/**
 * Compiles what an automation says of deliveries that belong together.
 * @returns nothing to add where each delivery is a run of its own
 */
export function compileRunKey(
  { keyed, debounce }: Pick<Automation, "keyed" | "debounce">,
  provider: EventProviderName | undefined,
): { keyOf?: RunKeyOf } {
  if (!keyed && !debounce) return {};
  const windows = debounce ? { debounce } : {};
  if (!keyed) return { keyOf: () => ({ key: WHOLE_AUTOMATION, ...windows }) };
  const { key: template, ...concurrency } = keyed;
  const keyOfPayload = compileKey(template, provider);
  return {
    keyOf(delivery, event) {
      const key = keyOfPayload(delivery.payload) ?? null;
      const made: RunKey = { key, concurrency, ...windows };
      const continues = key !== null && concurrency.whileRunning === "continue";
      return continues ? { ...made, message: messageOf(delivery, event) } : made;
    },
  };
}

function messageOf({ webhookName, deliveryId, bytes }: Matchable, event: string | undefined) {
  const text = continuation(webhookName, deliveryId, Buffer.from(bytes).toString("utf8"), event);
  return { text, author: `webhook ${webhookName}` };
}
