import { newUuid } from "../../src/id.ts";
import type { NewOutboundMessage } from "../../src/messages/outbound-events.ts";
import { AT, aStore } from "./store.ts";

/** An event for an outbound webhook of the settings, `ops`. */
export function anEvent(change: Partial<NewOutboundMessage> = {}): NewOutboundMessage {
  return {
    id: newUuid(),
    cause: newUuid(),
    target: "settings.ops",
    fingerprint: "f1",
    ownerUid: null,
    factoryUid: null,
    runId: null,
    event: "run.ended",
    content: { type: "run.ended", timestamp: AT, factory: null, data: {} },
    at: AT,
    ...change,
  };
}

/** An outbox of outbound webhooks, in a store of its own. */
export async function anOutbox() {
  const store = await aStore();
  const { outbound } = store;
  const save = async (messages: NewOutboundMessage[]) =>
    outbound.saveFollowed({ from: (await outbound.findProgress()).seq, upTo: 1, messages, at: AT });
  return { ...store, save };
}
