/** That a statement reads a table, or an index, from its beginning to its end. */
export interface Scan {
  table: string;
  /** Nothing where the table itself is read. */
  index: string;
  sql: string;
}

/** They have one row, or grow with definitions, settings and people, and not with deliveries, runs and time. */
const SMALL_TABLES = new Set([
  ...[
    "listing_progress",
    "delivery_search_progress",
    "notification_progress",
    "outbound_progress",
    "trigger_progress",
  ],
  ...["factory_generation", "sealing", "signing_keys", "migrations"],
  ...[
    "factories",
    "bound_names",
    "schedules",
    "pauses",
    "provider_holds",
    "secrets",
    "secret_scopes",
    "setting_scopes",
    "environments",
  ],
  ...["webhook_credentials", "trigger_listeners", "notification_targets", "outbound_targets"],
  ...["principals", "api_keys", "identities", "servers", "workers", "worker_processes", "sessions"],
]);

/** They are read whole, since they have only what is under way. */
const INDEXES_OF_FEW = new Map([
  ["runs_leased", "the runs that a server or a worker has"],
  ["runs_in_windows", "the runs whose window is open"],
  ["runs_of_keys_in_windows", "the runs with a key whose window is open"],
  ["runs_held_for_key", "the runs that wait for another one of their key"],
  ["runs_blocked_with_key", "the runs with a key that wait for a person"],
  ["run_waits_until", "the waits that have not ended; only the first one is read"],
  ["run_wait_targets_open", "the runs that others wait for"],
  ["notifications_waiting", "the messages that wait, which are limited for each target"],
  ["notifications_in_turn", "the messages that wait, which are limited for each target"],
  ["outbound_messages_in_turn", "the messages that wait, which are limited for each target"],
]);

/** Each begins with what the table is, and says why reading it is right. */
const ALLOWED: readonly { table: string; sql: RegExp; reason: string }[] = [
  {
    table: "run_listing",
    sql: /^SELECT l\.(\w+) AS key, l\.number AS number FROM run_listing l (WHERE .* )?ORDER BY l\.\1 (ASC|DESC), l\.number (ASC|DESC) LIMIT \$\d+$/,
    reason:
      "walks in the order of the list until a page is full; where few runs fit, run-entries.ts takes another index",
  },
  {
    table: "audit_log",
    sql: /^SELECT .* FROM audit_log (WHERE .* )?ORDER BY id DESC LIMIT (\$\d+|1 OFFSET 19999)$/,
    reason: "begins with the newest records and examines at most 20,000 for each page",
  },
  {
    table: "notifications",
    sql: /^SELECT .* FROM notifications (WHERE .* )?ORDER BY notification_id DESC LIMIT \$\d+$/,
    reason: "a page of the newest messages, of which a limited number is kept",
  },
  {
    table: "outbound_messages",
    sql: /^SELECT .* FROM outbound_messages (WHERE .* )?ORDER BY message_id DESC LIMIT \$\d+$/,
    reason: "a page of the newest messages, of which a limited number is kept",
  },
  ...["notifications", "outbound_messages"].map((table) => ({
    table,
    sql: / WINDOW newest AS \(ORDER BY ended_at DESC, \w+ DESC ROWS UNBOUNDED PRECEDING\)/,
    reason: "finds out once in ten minutes, on a connection that only reads, what is more than what is kept",
  })),
  {
    table: "notification_series",
    sql: /^SELECT kind, subject FROM notification_series$/,
    reason: "has a row for each automation and schedule that fails again and again",
  },
  {
    table: "resources",
    sql: /FROM factories LEFT JOIN resources ON resources\.factory_uid = factories\.uid/,
    reason: "the factory.yaml of each factory, at the start",
  },
  {
    table: "delivery_segments",
    sql: /./,
    reason: "segments are merged: a million deliveries have about thirty",
  },
  {
    table: "run_deliveries",
    sql: /^SELECT d\.delivery_id AS id FROM deliveries d WHERE d\.delivery_id IN \(.* OR EXISTS \(SELECT 1 FROM run_deliveries /,
    reason: "PostgreSQL weighs a look for each delivery against one scan; with more rows, it looks",
  },
];

/** The scans that have no reason. */
export function unexpectedScans(scans: readonly Scan[]): Scan[] {
  return scans.filter(
    ({ table, index, sql }) =>
      !SMALL_TABLES.has(table) &&
      !INDEXES_OF_FEW.has(index) &&
      !ALLOWED.some(
        (allowed) => allowed.table === table && allowed.sql.test(sql.replace(/\s+/g, " ").trim()),
      ),
  );
}
