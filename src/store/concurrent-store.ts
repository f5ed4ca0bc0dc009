import type { Connection } from "./connection.ts";
import { createPorts, type Store } from "./store.ts";

/** What is in the main database. */
type MainPorts = Omit<Store, "transcripts">;

/** A database that belongs to a server, which may be running. */
export interface ConcurrentStore {
  /** Does some work in one transaction; a server that writes just now is waited for. */
  transact<Result>(work: (ports: MainPorts) => Promise<Result>): Promise<Result>;
  /** Does some work that only reads; it keeps no server waiting. */
  read<Result>(work: (ports: MainPorts) => Promise<Result>): Promise<Result>;
  close(): void;
}

/** @param notUsable the error for a database that cannot be used, of what it says itself */
export function concurrentStoreOf(
  connection: Connection,
  { notUsable, close }: { notUsable(cause: unknown): Error; close(): void },
): ConcurrentStore {
  const ports = createPorts(connection);
  const explained = (error: unknown) => (connection.isFailure(error) ? notUsable(error) : error);
  return {
    async transact(work) {
      try {
        await connection.begin();
        const result = await work(ports);
        await connection.commit();
        return result;
      } catch (error) {
        await connection.rollback();
        throw explained(error);
      }
    },
    async read(work) {
      try {
        return await work(ports);
      } catch (error) {
        throw explained(error);
      }
    },
    close,
  };
}
