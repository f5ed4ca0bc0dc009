import type { OutboxSize } from "../../messages/outbox.ts";

/** The tables of an outbox. What is sent differs from one to the other; how it waits does not. */
export interface OutboxTables {
  /** Which changes it was followed up to: one row. */
  progress: string;
  /** What is known of its targets. */
  targets: string;
  messages: string;
  /** The column with the ids of messages. */
  id: string;
  /** The index of what waits for a target, in the order of its turns. */
  inTurn: string;
  /** The index of what waits for a target and is about a run. */
  ofRunInTurn: string;
  /** The index of what was made for the targets of a factory, by the time. */
  ofOwner: string;
  limits: OutboxLimits;
}

/** What is beyond them is counted and not kept. */
export interface OutboxLimits {
  /** So many wait for one target. */
  waiting: OutboxSize;
  /** A definition is someone's who may push: so many are made in an hour for all targets of a factory. */
  perHour: OutboxSize;
}

const MIB = 1024 * 1024;

export const NOTIFICATION_TABLES: OutboxTables = {
  progress: "notification_progress",
  targets: "notification_targets",
  messages: "notifications",
  id: "notification_id",
  inTurn: "notifications_in_turn",
  ofRunInTurn: "notifications_of_run_in_turn",
  ofOwner: "notifications_of_owner_by_time",
  limits: { waiting: { messages: 1_000, bytes: 16 * MIB }, perHour: { messages: 120, bytes: 16 * MIB } },
};

export const OUTBOUND_TABLES: OutboxTables = {
  progress: "outbound_progress",
  targets: "outbound_targets",
  messages: "outbound_messages",
  id: "message_id",
  inTurn: "outbound_messages_in_turn",
  ofRunInTurn: "outbound_messages_of_run_in_turn",
  ofOwner: "outbound_messages_of_owner",
  limits: {
    waiting: { messages: 10_000, bytes: 64 * MIB },
    perHour: { messages: 10_000, bytes: 256 * MIB },
  },
};
