import { followCommits } from "../follow-commits.ts";
import { type CallOutcome, commitTogether, readOnce } from "../group-commit.ts";
import type { OpenStore, StoreEvents } from "../open-store.ts";
import { isRead, type Store, type StoreCall } from "../store.ts";
import { holdDatabase } from "./hold-database.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { connectPostgres } from "./postgres-client.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { openLane, type PostgresLane } from "./postgres-lane.ts";

/** How many connections read. */
const READERS = 3;

/**
 * Opens the store on a database of PostgreSQL: one connection writes, one writes what agents write, and some read. No thread is
 * needed: PostgreSQL works elsewhere.
 * @param url `postgres://…`
 * @throws MillraceError `service_unavailable` when it cannot be reached, or another server has it
 */
export async function openPostgres(url: string, events: StoreEvents): Promise<OpenStore> {
  // Before the schema is changed: a server of an earlier version may be using it.
  const release = await holdDatabase(url, events.onLost);
  try {
    return await openHeld(url, events, release);
  } catch (error) {
    await release();
    throw error;
  }
}

async function openHeld(url: string, events: StoreEvents, release: () => Promise<void>): Promise<OpenStore> {
  await migrated(url);
  const following = followCommits((call) => laneFor(call).carry(call));
  const onCommit = (calls: readonly StoreCall[]) => {
    events.onCommit(calls.length);
    following.committed(calls);
  };
  const { onFailure } = events;
  const write = { carryOut: commitTogether, onFailure };
  const read = { carryOut: readEach, onFailure, onCommit: () => {} };
  const [writer, transcripts, ...reading] = await Promise.all([
    openLane({ ...write, client: { url, name: "writer" }, isAlone: true, onCommit }),
    openLane({
      ...write,
      // A failure of the machine may take the last of what agents wrote; the death of this process takes nothing.
      client: { url, name: "transcripts", settings: { synchronous_commit: "off" } },
      onCommit: ({ length }) => events.onCommit(length),
    }),
    ...Array.from({ length: READERS }, () => openLane({ ...read, client: { url, name: "reader" } })),
  ]);
  const laneFor = ({ port, method }: StoreCall) => {
    if (isRead(method)) return leastBusy(reading);
    return port === "transcripts" ? transcripts : writer;
  };
  return {
    ...following.begin(),
    async close() {
      await following.stop();
      await Promise.all([...reading, transcripts, writer].map((lane) => lane.close()));
      await release();
    },
  };
}

async function migrated(url: string): Promise<void> {
  const client = await connectPostgres({ url, name: "migrations" });
  try {
    await migratePostgres(client, new Date());
  } finally {
    await client.end();
  }
}

async function readEach(
  connection: PostgresConnection,
  ports: Store,
  calls: readonly StoreCall[],
): Promise<CallOutcome[]> {
  const outcomes: CallOutcome[] = [];
  for (const call of calls) outcomes.push(await readOnce(connection, ports, call));
  return outcomes;
}

function leastBusy(lanes: readonly PostgresLane[]): PostgresLane {
  return lanes.reduce((least, lane) => (lane.waiting < least.waiting ? lane : least));
}
