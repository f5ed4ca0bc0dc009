import { errorMessage } from "../../errors/error.ts";
import type { AcceptableDelivery, Recorded } from "../../ingress/delivery.ts";
import { acceptedRows } from "../deliveries/accepted-rows.ts";
import { type CallOutcome, commitTogether } from "../group-commit.ts";
import type { NewRow, Table } from "../new-row.ts";
import type { Store } from "../store.ts";
import type { StoreCall } from "../store-call.ts";
import type { PostgresConnection } from "./postgres-connection.ts";

/** What is larger waits for the answers to its statements, as everything else does: here, bytes are sent as text twice their length. */
const MAX_BYTES = 256 * 1024;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;

/**
 * Records deliveries that came together, with the runs that they start, by one statement in one transaction, which is sent whole: the
 * lock that servers wait for in turn is held for no round trip. Left out are deliveries that turn out not to be the first of their
 * identity, that were matched under something that is not in force any more, or that came with one that cannot be written.
 * @returns what has become of the others
 */
export async function acceptDeliveries(
  connection: PostgresConnection,
  calls: readonly StoreCall[],
): Promise<Map<StoreCall, CallOutcome>> {
  const outcomes = new Map<StoreCall, CallOutcome>();
  for (const batch of batches(calls)) {
    try {
      const ids = await record(connection, batch.map(deliveryOf));
      for (const call of batch) {
        const { id } = deliveryOf(call);
        const value: Recorded = { outcome: "Accepted", deliveryId: id };
        if (ids.has(id)) outcomes.set(call, { value });
      }
    } catch (error) {
      if (!connection.isFailure(error)) continue;
      const failure = { message: errorMessage(error), storeFailed: true };
      for (const call of batch) outcomes.set(call, { failure });
    }
  }
  return outcomes;
}

/** @returns the ids of those that were recorded */
async function record(
  connection: PostgresConnection,
  deliveries: readonly AcceptableDelivery[],
): Promise<Set<string>> {
  const rows = deliveries.flatMap(acceptedRows);
  const tables = [...new Set(rows.map(({ table }) => table))];
  const recorded = await connection.transact<{ id: string }>(statementFor(tables), [
    JSON.stringify(deliveries.map(asIdentity)),
    JSON.stringify(deliveries.flatMap(asAuthor)),
    JSON.stringify(deliveries.flatMap(asParts)),
    ...tables.map((table) => rowsOf(table, rows)),
  ]);
  return new Set(recorded.map(({ id }) => id));
}

const deliveryOf = ({ args: [delivery] }: StoreCall) => delivery as AcceptableDelivery;

function* batches(calls: readonly StoreCall[]): Generator<StoreCall[]> {
  let batch: StoreCall[] = [];
  let bytes = 0;
  for (const call of calls) {
    const delivery = deliveryOf(call);
    const size = sizeOf(delivery);
    if (size > MAX_BYTES || !isPlain(delivery)) continue;
    if (bytes + size > MAX_BATCH_BYTES) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(call);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** Whether nothing has to be looked up for it but its identity. */
function isPlain({ once, runs }: AcceptableDelivery): boolean {
  return (
    !once &&
    runs.every(
      ({ ancestors, rerun, task, keyed, happening }) =>
        ancestors.length === 0 && !rerun && !task && !keyed && !happening,
    )
  );
}

function sizeOf({ payload, runs }: AcceptableDelivery): number {
  const given = runs.flatMap(({ prompt, attachments }) => [
    prompt.length,
    ...attachments.map((attachment) => ("content" in attachment ? attachment.content.length : 0)),
  ]);
  return given.reduce((sum, size) => sum + size, payload.length);
}

function asIdentity(delivery: AcceptableDelivery) {
  return {
    identity: written(delivery.identityKey),
    delivery_id: delivery.id,
    body_hash: written(delivery.bodyHash),
    accepted_at: delivery.time,
    factory_uid: delivery.factoryUid,
    generation: delivery.generation,
  };
}

function asAuthor({ id, factoryUid, pullRequest, time }: AcceptableDelivery) {
  return pullRequest ? [{ delivery_id: id, factory_uid: factoryUid, told_at: time, ...pullRequest }] : [];
}

function asParts({ id, runs }: AcceptableDelivery) {
  return [{ id, delivery_id: id }, ...runs.map((run) => ({ id: run.id, delivery_id: id }))];
}

function rowsOf(table: Table, rows: readonly NewRow[]): string {
  const ofTable = rows.filter((row) => row.table === table);
  return JSON.stringify(
    ofTable.map(({ values }) =>
      Object.fromEntries(table.columns.map((column, place) => [column, written(values[place])])),
    ),
  );
}

/** Bytes as PostgreSQL reads them from text. */
function written<Value>(value: Value): Value | string {
  return ArrayBuffer.isView(value)
    ? `\\x${Buffer.from(value as unknown as Uint8Array).toString("hex")}`
    : value;
}

const statements = new Map<string, string>();

function statementFor(tables: readonly Table[]): string {
  const key = tables.map(({ name }) => name).join();
  const known = statements.get(key) ?? composed(tables);
  statements.set(key, known);
  return known;
}

/**
 * Each row is written for a delivery that was the first of its identity, and whose factory is as it was: a rotation, a disabling or a
 * deletion counts from its commit on. Rows are numbered in the order in which the deliveries came.
 */
function composed(tables: readonly Table[]): string {
  const inserts = tables.map(
    ({ name, columns, owner }, place) => `
      rows_of_${name} AS (
        INSERT INTO ${name} (${columns.join(", ")})
        SELECT ${columns.join(", ")}
        FROM json_populate_recordset(NULL::${name}, $${place + 4}::json) WITH ORDINALITY
        WHERE ${owner} IN (SELECT id FROM parts)
        ORDER BY ordinality)`,
  );
  return `
    WITH accepted AS (
      INSERT INTO delivery_identities (identity, delivery_id, body_hash, accepted_at)
      SELECT given.identity, given.delivery_id, given.body_hash, given.accepted_at
      FROM json_to_recordset($1::json) AS given
        (identity bytea, delivery_id text, body_hash bytea, accepted_at text, factory_uid text, generation bigint)
      WHERE EXISTS (SELECT 1 FROM factories WHERE uid = given.factory_uid AND factories.generation = given.generation)
      ORDER BY given.delivery_id
      ON CONFLICT (identity) DO NOTHING
      RETURNING delivery_id),
    authors AS (
      INSERT INTO pull_request_authors (factory_uid, repository, number, author, told_at)
      SELECT DISTINCT ON (factory_uid, repository, number) factory_uid, repository, number, author, told_at
      FROM json_to_recordset($2::json) AS given
        (delivery_id text, factory_uid text, repository text, number bigint, author text, told_at text)
      WHERE delivery_id IN (SELECT delivery_id FROM accepted)
      ORDER BY factory_uid, repository, number, delivery_id DESC
      ON CONFLICT (factory_uid, repository, number)
        DO UPDATE SET author = excluded.author, told_at = excluded.told_at),
    parts AS (
      SELECT id FROM json_to_recordset($3::json) AS given (id text, delivery_id text)
      WHERE delivery_id IN (SELECT delivery_id FROM accepted)),
    ${inserts.join(",")}
    SELECT delivery_id AS id FROM accepted`;
}

/**
 * Records deliveries that came together. Most are new, and nothing has changed since they were matched: those share a statement. The
 * others are looked at in turn.
 */
export async function recordDeliveries(
  connection: PostgresConnection,
  ports: Store,
  calls: readonly StoreCall[],
): Promise<CallOutcome[]> {
  const accepted = await acceptDeliveries(connection, calls);
  const others = calls.filter((call) => !accepted.has(call));
  const outcomes = others.length > 0 ? await commitTogether(connection, ports, others) : [];
  return calls.map((call) => accepted.get(call) ?? (outcomes.shift() as CallOutcome));
}
