import { type CommitFollower, createCommitFollower } from "../commit-follower.ts";
import { createDeliveryIndexer, type DeliveryIndexer } from "../delivery-search/delivery-indexer.ts";
import { type CallOutcome, commitTogether, readOnce } from "../group-commit.ts";
import type { OpenStore, StoreEvents } from "../open-store.ts";
import {
  followsCommits,
  isRead,
  readsListing,
  remotePorts,
  type Store,
  type StoreCall,
  searchesDeliveries,
} from "../store.ts";
import { holdDatabase } from "./hold-database.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { connectPostgres } from "./postgres-client.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { openLane, type PostgresLane } from "./postgres-lane.ts";

export interface PostgresOptions {
  /** `postgres://…`. */
  url: string;
  /** How many connections read. */
  readers?: number;
}

const READERS = 3;

/**
 * Opens the store on a database of PostgreSQL, which several servers may share: one connection writes, one writes what agents write,
 * and some read. No thread is needed: PostgreSQL works elsewhere.
 * @throws the error of the first connection
 */
export async function openPostgres(
  { url, readers = READERS }: PostgresOptions,
  events: StoreEvents,
): Promise<OpenStore> {
  // Before the schema is changed: a server of an earlier version may be using it.
  const release = await holdDatabase(url, events.onLost);
  try {
    return await openHeld({ url, readers }, events, release);
  } catch (error) {
    await release();
    throw error;
  }
}

async function openHeld(
  { url, readers }: Required<PostgresOptions>,
  events: StoreEvents,
  release: () => Promise<void>,
): Promise<OpenStore> {
  await migrated(url);
  let listing: CommitFollower | undefined;
  let indexer: DeliveryIndexer | undefined;
  const onCommit = (calls: readonly StoreCall[]) => {
    events.onCommit(calls.length);
    if (calls.every(followsCommits)) return;
    listing?.committed();
    indexer?.committed();
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
    ...Array.from({ length: readers }, () => openLane({ ...read, client: { url, name: "reader" } })),
  ]);
  const laneFor = ({ port, method }: StoreCall) => {
    if (isRead(method)) return leastBusy(reading);
    return port === "transcripts" ? transcripts : writer;
  };
  const ports = remotePorts((call) => laneFor(call).carry(call));
  listing = createCommitFollower(ports.runs.updateListing);
  indexer = createDeliveryIndexer(ports.deliverySearch);
  const [listed, searched] = [listing, indexer];
  return {
    ...remotePorts(async (call) => {
      // Who has just written something finds it in the list. A store that cannot be written can still be read.
      if (readsListing(call)) await listed.caughtUp().catch(() => {});
      if (searchesDeliveries(call)) await searched.caughtUp().catch(() => {});
      return laneFor(call).carry(call);
    }),
    async close() {
      await listed.stop();
      await searched.stop();
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
