/** The tables of an outbox. What is sent differs from one to the other; how it waits does not. */
export interface OutboxTables {
  /** Which changes it was followed up to: one row. */
  progress: string;
  /** What is known of its targets. */
  targets: string;
  messages: string;
  /** The column with the ids of messages. */
  id: string;
  /** The index of what waits for a target. */
  waiting: string;
  /** The index of what was made for the targets of a factory. */
  ofOwner: string;
  limits: OutboxLimits;
}

/** What is beyond them is counted and not kept. */
export interface OutboxLimits {
  /** So many wait for one target. */
  waiting: number;
  /** A definition is someone's who may push: so many are made in an hour for all targets of a factory. */
  perHour: number;
}

export const NOTIFICATION_TABLES: OutboxTables = {
  progress: "notification_progress",
  targets: "notification_targets",
  messages: "notifications",
  id: "notification_id",
  waiting: "notifications_waiting",
  ofOwner: "notifications_of_owner",
  limits: { waiting: 1_000, perHour: 120 },
};

export const OUTBOUND_TABLES: OutboxTables = {
  progress: "outbound_progress",
  targets: "outbound_targets",
  messages: "outbound_messages",
  id: "message_id",
  waiting: "outbound_messages_waiting",
  ofOwner: "outbound_messages_of_owner",
  limits: { waiting: 10_000, perHour: 10_000 },
};
