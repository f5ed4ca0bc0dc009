import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../../errors/error.ts";
import { type GatheredCalls, gatherCalls } from "../gather-calls.ts";
import type { CallOutcome } from "../group-commit.ts";
import { createPorts, type Store } from "../store.ts";
import type { StoreCall } from "../store-call.ts";
import { type ClientOptions, connectPostgres, cutOff } from "./postgres-client.ts";
import { type PostgresConnection, postgresConnection } from "./postgres-connection.ts";

export interface LaneOptions {
  client: ClientOptions;
  /** Whether its transactions come one after the other with those of other servers. */
  isAlone?: boolean;
  /** Calls that change nothing the second time are carried out again for so long, in milliseconds, while PostgreSQL is away. */
  repeatForMs?: number;
  /** Carries out a batch of calls on the connection. */
  carryOut(connection: PostgresConnection, ports: Store, calls: readonly StoreCall[]): Promise<CallOutcome[]>;
  /** @param hasWritten whether anything was changed */
  onCommit(calls: readonly StoreCall[], hasWritten: boolean): void;
  onFailure(message: string): void;
}

/** One connection and the calls that wait for it. */
export interface PostgresLane extends Pick<GatheredCalls, "carry"> {
  /** How many calls wait, or are carried out. */
  readonly waiting: number;
  /** Gives up the connection: what is under way fails, and the next calls find another one. */
  reset(): void;
  close(): Promise<void>;
}

interface OpenConnection {
  connection: PostgresConnection;
  ports: Store;
  isLost(): boolean;
  cutOff(): void;
}

/** PostgreSQL is not asked for a connection more often than this. */
const REOPEN_MS = 200;

/**
 * Opens a connection that opens itself again: after a restart or a failover of PostgreSQL the next calls find it there. What was
 * under way then is answered as unavailable: nobody knows whether it was committed, and whoever asks again is told.
 * @throws the error of the first connection
 */
export async function openLane({
  repeatForMs = 0,
  carryOut,
  onCommit,
  onFailure,
  ...options
}: LaneOptions): Promise<PostgresLane> {
  let open: OpenConnection | undefined = await openConnection(options);
  let triedAt = 0;
  let waiting = 0;
  /** Whether the last batch has changed something. */
  let hasWritten = false;
  let isClosing = false;

  async function current(): Promise<OpenConnection> {
    if (open && !open.isLost()) return open;
    open = undefined;
    const restMs = triedAt + REOPEN_MS - performance.now();
    if (restMs > 0) await sleep(restMs);
    triedAt = performance.now();
    open = await openConnection(options);
    return open;
  }

  async function attempt(batch: readonly StoreCall[]): Promise<CallOutcome[]> {
    try {
      const { connection, ports } = await current();
      const outcomes = await carryOut(connection, ports, batch);
      hasWritten = connection.hasWritten();
      return outcomes;
    } catch (error) {
      hasWritten = false;
      return batch.map(() => ({ failure: { message: errorMessage(error), storeFailed: true } }));
    }
  }

  const calls = gatherCalls({
    async send(batch) {
      const until = performance.now() + repeatForMs;
      for (;;) {
        const outcomes = await attempt(batch);
        const hasFailed = outcomes.some((each) => "failure" in each && each.failure.storeFailed);
        if (!hasFailed || isClosing || performance.now() >= until) return outcomes;
        await sleep(REOPEN_MS);
      }
    },
    onCommit: (calls) => onCommit(calls, hasWritten),
    onFailure,
  });

  return {
    async carry(call) {
      waiting += 1;
      try {
        return await calls.carry(call);
      } finally {
        waiting -= 1;
      }
    },
    get waiting() {
      return waiting;
    },
    reset: () => open?.cutOff(),
    async close() {
      isClosing = true;
      await calls.finished();
      await open?.connection.close().catch(() => {});
    },
  };
}

async function openConnection({
  client: options,
  isAlone = false,
}: Pick<LaneOptions, "client" | "isAlone">): Promise<OpenConnection> {
  const client = await connectPostgres(options);
  let isLost = false;
  client.on("error", () => {
    isLost = true;
  });
  client.on("end", () => {
    isLost = true;
  });
  const connection = postgresConnection(client, { isAlone });
  return { connection, ports: createPorts(connection), isLost: () => isLost, cutOff: () => cutOff(client) };
}
