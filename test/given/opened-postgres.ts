import { setTimeout as sleep } from "node:timers/promises";
import { openPostgres } from "../../src/store/postgres/open-postgres.ts";
import { connectPostgres } from "../../src/store/postgres/postgres-client.ts";
import { onFinished } from "./cleanup.ts";

/** A store as a server opens it, and what that hears of others. */
export async function openedPostgres(url: string) {
  const heard: boolean[] = [];
  const lost: string[] = [];
  const store = await openPostgres(url, {
    onLost: ({ message }) => void lost.push(message),
    onCommit: () => {},
    onFailure: () => {},
    onOthers: (isNews) => void heard.push(isNews),
  });
  // One whose link was cut has nobody to say goodbye to.
  onFinished(() => Promise.race([store.close(), sleep(2_000)]));
  return { store, heard, lost, leads: store.session.isLeader };
}

/** Ends connections of a store as an administrator would. */
export async function terminate(url: string, name: string): Promise<void> {
  const client = await connectPostgres({ url, name: "administrator" });
  await client.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1",
    [`millrace ${name}`],
  );
  await client.end();
}
