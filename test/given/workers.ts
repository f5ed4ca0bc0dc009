import { openServerDatabase } from "../../src/admin/open-server-database.ts";
import { newUid } from "../../src/id.ts";
import type { ProcessFacts } from "../../src/workers/worker.ts";
import { openWorkers } from "../../src/workers/workers.ts";
import { postgresEnvironment } from "./postgres.ts";
import type { Server } from "./server.ts";

/** What a process reports of itself. */
export function someFacts(changes: Partial<ProcessFacts> = {}): ProcessFacts {
  return {
    labels: [],
    version: "1.2.3",
    platform: { os: "linux", arch: "x86_64" },
    shape: { vcpus: 4, memoryGb: 16 },
    sandbox: "bwrap",
    concurrency: 4,
    executing: 1,
    ...changes,
  };
}

/** Has the store of a server hold a process that was seen just now, as when one has connected with this token. */
export async function seenProcess(
  { dataDir }: Server,
  token: string,
  { uid = newUid(), at = new Date(), ...facts }: Partial<ProcessFacts> & { uid?: string; at?: Date } = {},
): Promise<void> {
  const { MILLRACE_DATABASE_URL: databaseUrl } = await postgresEnvironment(dataDir);
  const beside = await openServerDatabase({ dataDir, databaseUrl });
  try {
    await beside.transact(async ({ workers }) => {
      const registry = await openWorkers({ store: workers, now: () => at });
      const worker = await registry.authenticate(`Bearer ${token}`);
      if (!worker) throw new Error("no worker has this token");
      await registry.seen(worker, uid, someFacts(facts));
    });
  } finally {
    beside.close();
  }
}
