import { errorMessage } from "../errors/error.ts";
import { allDone } from "./all-done.ts";
import type { Connection } from "./connection.ts";
import type { Store } from "./store.ts";
import { hasTrait, type StoreCall } from "./store-call.ts";

/** How a call ended: what it returned, or a failure in a form that can travel between threads. */
export type CallOutcome = { value: unknown } | { failure: CallFailure };

export interface CallFailure {
  message: string;
  /** Whether the store could not write at all (disk full, locked), so that trying again later can help. */
  storeFailed: boolean;
}

/**
 * Carries out calls that came together in one transaction with one sync of the log, which is what makes many small
 * durable writes fast. A call that fails is undone alone, and its neighbours are kept. Nobody is told of success before
 * the commit.
 */
export async function commitTogether(
  connection: Connection,
  ports: Store,
  calls: readonly StoreCall[],
): Promise<CallOutcome[]> {
  // Savepoints cost as much as a small write, and calls hardly ever fail: they are for the second attempt.
  return (await commitWhole(connection, ports, calls)) ?? commitEach(connection, ports, calls);
}

/** @returns nothing, and leaves nothing behind, when any of the calls failed */
async function commitWhole(
  connection: Connection,
  ports: Store,
  calls: readonly StoreCall[],
): Promise<CallOutcome[] | undefined> {
  try {
    await connection.begin();
    const outcomes: CallOutcome[] = [];
    for (const group of connection.isPipelined ? commuting(calls) : calls.map((call) => [call]))
      outcomes.push(...(await invokeAll(ports, group)));
    await connection.commit();
    return outcomes;
  } catch (error) {
    await connection.rollback();
    const failure = failureOf(connection, error);
    return failure.storeFailed ? calls.map(() => ({ failure })) : undefined;
  }
}

/** Calls in a row that may be carried out in any order are one group. */
function commuting(calls: readonly StoreCall[]): StoreCall[][] {
  const groups: StoreCall[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    const [first] = last ?? [];
    if (last && first && hasTrait("commutes", first) && hasTrait("commutes", call)) last.push(call);
    else groups.push([call]);
  }
  return groups;
}

async function invokeAll(ports: Store, calls: readonly StoreCall[]): Promise<CallOutcome[]> {
  const values = await allDone(calls.map((call) => invoke(ports, call)));
  return values.map((value) => ({ value }));
}

/** Each call with a savepoint of its own. */
async function commitEach(
  connection: Connection,
  ports: Store,
  calls: readonly StoreCall[],
): Promise<CallOutcome[]> {
  try {
    await connection.begin();
    const outcomes: CallOutcome[] = [];
    for (const call of calls) {
      outcomes.push(await attempt(connection, ports, call));
      // SQLite gives up a whole transaction on some failures (disk full, I/O error): then no work is kept.
      if (!connection.inTransaction)
        throw new Error("the transaction was rolled back", { cause: outcomes.at(-1) });
    }
    await connection.commit();
    return outcomes;
  } catch (error) {
    await connection.rollback();
    const failure = failureOf(connection, error);
    return calls.map(() => ({ failure }));
  }
}

/** Carries out one reading call on a snapshot of the database. */
export async function readOnce(connection: Connection, ports: Store, call: StoreCall): Promise<CallOutcome> {
  try {
    await connection.beginReading();
    return { value: await invoke(ports, call) };
  } catch (error) {
    return { failure: failureOf(connection, error) };
  } finally {
    await connection.rollback();
  }
}

async function attempt(connection: Connection, ports: Store, call: StoreCall): Promise<CallOutcome> {
  try {
    return { value: await connection.savepoint(() => invoke(ports, call)) };
  } catch (error) {
    return { failure: failureOf(connection, error) };
  }
}

function invoke(ports: Store, { port, method, args }: StoreCall): Promise<unknown> {
  const methods = ports[port] as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
  const call = methods[method];
  if (!call) throw new Error(`the store has no method ${port}.${method}`);
  return call(...args);
}

function failureOf(connection: Connection, error: unknown): CallFailure {
  const cause = error instanceof Error ? error.cause : undefined;
  if (typeof cause === "object" && cause !== null && "failure" in cause) return cause.failure as CallFailure;
  return { message: errorMessage(error), storeFailed: connection.isFailure(error) };
}
