import { dirname, join } from "node:path";
import { newUuid } from "../../src/id.ts";
import type { AcceptableDelivery } from "../../src/ingress/delivery.ts";
import type { NewRun } from "../../src/runs/run.ts";
import type { RunFilter, RunQuery } from "../../src/runs/run-query.ts";
import { type CallOutcome, commitTogether, readOnce } from "../../src/store/group-commit.ts";
import { recordDeliveries } from "../../src/store/postgres/accept-deliveries.ts";
import { connectPostgres } from "../../src/store/postgres/postgres-client.ts";
import { type PostgresConnection, postgresConnection } from "../../src/store/postgres/postgres-connection.ts";
import { TRANSCRIPT_SCHEMA } from "../../src/store/runs/transcript-file.ts";
import { migrate } from "../../src/store/schema/migrate.ts";
import { openSqlite, type SqliteConnection } from "../../src/store/sqlite/sqlite.ts";
import { createPorts, remotePorts, type Store } from "../../src/store/store.ts";
import { hasTrait, isRead, type StoreCall } from "../../src/store/store-call.ts";
import { onFinished } from "./cleanup.ts";
import { temporaryFolder } from "./folder.ts";
import { POSTGRES_URL, postgresDatabaseOf } from "./postgres.ts";

/** A time at which something is written, and one an hour later. */
export const AT = "2026-11-21T10:00:00.000Z";
export const LATER = "2026-11-21T11:00:00.000Z";

/** What a worker takes runs with. */
export const LEASE = { worker: "a-worker", expiresAt: "2026-11-21T10:01:00.000Z" };

/**
 * A store on this thread, which commits each call by itself; the same code as on the store's own threads.
 * @param path its file, where it is SQLite; with PostgreSQL, the database of the folder around it
 */
export async function aStore(
  path = join(temporaryFolder(), "millrace.db"),
): Promise<Store & { connection: SqliteConnection }> {
  const connection = POSTGRES_URL
    ? ((await inPostgres(dirname(path))) as unknown as SqliteConnection)
    : await inSqlite(path);
  const ports = createPorts(connection);
  let last: Promise<unknown> = Promise.resolve();
  const store = remotePorts((call) => {
    const done = last.then(async () => {
      if (hasTrait("reads listing", call)) {
        // As a server does before it reads a list.
        const listing: StoreCall = { port: "runs", method: "updateListing", args: [100_000] };
        await commitTogether(connection, ports, [listing]);
      }
      if (hasTrait("searches deliveries", call)) {
        const { deliverySearch } = ports;
        while ((await deliverySearch.addSearched(await deliverySearch.listUnsearched(200))).changes > 0);
      }
      const [outcome] = await carryOut(connection, ports, call);
      if (outcome && "value" in outcome) return outcome.value;
      throw new Error(outcome?.failure.message);
    });
    last = done.catch(() => {});
    return done;
  });
  return { ...store, connection };
}

/** The store of a server, which may be running, for what its API does not do. */
export const storeOf = ({ dataDir }: { dataDir: string }) => aStore(join(dataDir, "millrace.db"));

/** As a server on the database does. */
async function carryOut(connection: SqliteConnection, ports: Store, call: StoreCall): Promise<CallOutcome[]> {
  if (isRead(call.method)) return [await readOnce(connection, ports, call)];
  if (POSTGRES_URL && call.port === "deliveries" && call.method === "record")
    return recordDeliveries(connection as unknown as PostgresConnection, ports, [call]);
  return commitTogether(connection, ports, [call]);
}

async function inSqlite(path: string): Promise<SqliteConnection> {
  const connection = openSqlite(path);
  onFinished(() => connection.close());
  await migrate(connection, new Date());
  // In a database of its own on a server; here it goes with the connection.
  connection.execute(TRANSCRIPT_SCHEMA.sql.replace("CREATE TABLE", "CREATE TEMP TABLE"));
  return connection;
}

async function inPostgres(dataDir: string): Promise<PostgresConnection> {
  const client = await connectPostgres({ url: await postgresDatabaseOf(dataDir), name: "test" });
  onFinished(() => client.end());
  return postgresConnection(client);
}

export function aRun(changes: Partial<NewRun> = {}): NewRun {
  const creator = changes.creator ?? { uid: "ann", type: "user", displayName: "Ann" };
  return {
    id: newUuid(),
    factoryUid: null,
    automationUid: null,
    agentUid: null,
    webhookUid: null,
    title: "A run",
    prompt: "Do something.",
    source: "API",
    creator,
    executor: creator,
    ancestors: [],
    scheduleId: null,
    skills: [],
    config: { name: "default" },
    execution: { harness: { type: "oz" }, secrets: [] },
    placement: "",
    metadata: {},
    attachments: [],
    ...changes,
  };
}

/** The last updated runs that fit a filter. */
export function aQuery(filter: RunFilter = {}, changes: Partial<RunQuery> = {}): RunQuery {
  return { limit: 20, sort: "updated_at", descending: true, filter, ...changes };
}

export function aDelivery(changes: Partial<AcceptableDelivery> = {}): AcceptableDelivery {
  const id = newUuid();
  return {
    id,
    factoryUid: "factory",
    generation: 0,
    webhookUid: "webhook",
    time: new Date().toISOString(),
    identity: { source: "service_header", value: id },
    identityKey: Buffer.from(id),
    bodyHash: Buffer.from("hash"),
    payload: Buffer.from('{"a":1}'),
    redeliveryOf: null,
    event: null,
    sender: null,
    provedBy: "current",
    pullRequest: null,
    pullRequestEvent: null,
    runs: [],
    ...changes,
  };
}
