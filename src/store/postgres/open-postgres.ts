import { newUid } from "../../id.ts";
import { followCommits } from "../follow-commits.ts";
import { type CallOutcome, commitTogether, readOnce } from "../group-commit.ts";
import type { OpenStore, StoreEvents } from "../open-store.ts";
import type { Store } from "../store.ts";
import { hasTrait, isRead, type StoreCall } from "../store-call.ts";
import { recordDeliveries } from "./accept-deliveries.ts";
import { migratePostgres } from "./migrate-postgres.ts";
import { connectPostgres } from "./postgres-client.ts";
import type { PostgresConnection } from "./postgres-connection.ts";
import { openLane, type PostgresLane } from "./postgres-lane.ts";
import { openServerSession, type ServerSession } from "./server-session.ts";

/** How many connections read. */
const READERS = 3;

/** What agents write is given up after so long; a failover of PostgreSQL takes less. Pieces that are stored already stay as they are. */
const KEEPS_OUTPUT_MS = 20_000;

/** A store that several servers share. */
export interface SharedStore extends OpenStore {
  /** What this server is among them. */
  session: Pick<ServerSession, "isLeader" | "onLeading" | "resign" | "now">;
}

export interface PostgresEvents extends StoreEvents {
  /** Another server has committed something, or this one may have missed that. @param isNews whether runs may be concerned that execute here */
  onOthers(isNews: boolean): void;
}

/**
 * Opens the store on a database of PostgreSQL: one connection writes, one records deliveries, one writes what agents write, some read,
 * and one tells other servers of commits and hears of theirs. No thread is needed: PostgreSQL works elsewhere.
 * @param url `postgres://…`
 * @throws MillraceError `service_unavailable` when it cannot be reached
 */
export async function openPostgres(url: string, events: PostgresEvents): Promise<SharedStore> {
  let lanes: readonly PostgresLane[] = [];
  const following = followCommits((call) => laneFor(call).carry(call));
  const session = await openServerSession({
    url,
    uid: newUid(),
    onOthers(isNews) {
      following.othersCommitted();
      events.onOthers(isNews);
    },
    onShutOut: events.onLost,
    onSilence() {
      for (const lane of lanes) lane.reset();
    },
  });
  // What another server is told of, it looks for: a look that finds nothing must not wake the others in turn.
  const onCommit = (calls: readonly StoreCall[], hasWritten: boolean) => {
    events.onCommit(calls.length);
    if (!hasWritten) return;
    following.committed(calls);
    if (calls.every((call) => hasTrait("follows commits", call))) return;
    session.committed(calls.some((call) => hasTrait("is news", call)));
  };
  const { onFailure } = events;
  const write = { carryOut: commitTogether, onFailure };
  const read = { carryOut: readEach, onFailure, onCommit: () => {} };
  try {
    await migrated(url);
    lanes = await Promise.all([
      openLane({ ...write, client: { url, name: "writer" }, isAlone: true, onCommit }),
      openLane({
        ...write,
        carryOut: recordDeliveries,
        client: { url, name: "deliveries" },
        isAlone: true,
        onCommit,
      }),
      openLane({
        ...write,
        // A failure of the machine may take the last of what agents wrote; the death of this process takes nothing.
        client: { url, name: "transcripts", settings: { synchronous_commit: "off" } },
        repeatForMs: KEEPS_OUTPUT_MS,
        onCommit(calls, hasWritten) {
          events.onCommit(calls.length);
          if (hasWritten) session.committed(false);
        },
      }),
      ...Array.from({ length: READERS }, () => openLane({ ...read, client: { url, name: "reader" } })),
    ]);
  } catch (error) {
    await session.close();
    throw error;
  }
  const [writer, deliveries, transcripts, ...reading] = lanes as [
    PostgresLane,
    PostgresLane,
    PostgresLane,
    ...PostgresLane[],
  ];
  const laneFor = ({ port, method }: StoreCall) => {
    if (isRead(method)) return leastBusy(reading);
    if (port === "deliveries" && method === "record") return deliveries;
    return port === "transcripts" ? transcripts : writer;
  };
  return {
    ...following.begin(),
    session,
    async close() {
      await following.stop();
      await Promise.all(lanes.map((lane) => lane.close()));
      await session.close();
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
