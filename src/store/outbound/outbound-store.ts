import type { EventBody, OutboundStore, SentType } from "../../outbound-webhooks/outbound-event.ts";
import { outboxStore } from "../outbox/outbox-store.ts";
import { OUTBOUND_TABLES } from "../outbox/outbox-tables.ts";
import type { Database } from "../sqlite/database.ts";
import { outboundEvents } from "./outbound-events.ts";

export function outboundStore(db: Database): OutboundStore {
  return { ...outboxStore<SentType, EventBody>(db, OUTBOUND_TABLES), ...outboundEvents(db) };
}
