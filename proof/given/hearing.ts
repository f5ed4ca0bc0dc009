import { createHash } from "node:crypto";
import { join } from "node:path";
import { BetterSqlite } from "../../src/store/sqlite/better-sqlite.ts";
import { waitFor } from "../../test/given/server.ts";
import type { Delivery, Run } from "../../test/given/story.ts";
import type { Stage } from "./stage.ts";
import type { Accepted, KnownRun } from "./verdict.ts";

/** How long runs that wait may take when nothing does harm any more. */
const DRAIN_SECONDS = 240;

/** What the server and its store say when a part is over. */
export interface Heard {
  accepted: Accepted[];
  runs: KnownRun[];
  /** How many deliveries the log has as duplicates. */
  duplicates: number;
  /** What is wrong with the database, and where the API and the store disagree; a sentence each. */
  disagreements: string[];
}

/** Waits for what is under way, asks the API for everything, stops the server, and looks into the database. */
export async function hear(stage: Stage): Promise<Heard> {
  await waitFor(async () => ((await unfinished(stage)) === 0 ? true : undefined), DRAIN_SECONDS).catch(
    () => {},
  );
  const deliveries = (await Promise.all(Object.values(stage.paths).map((path) => log(stage, path)))).flat();
  const runs = await all<Run>(stage, "/agent/runs", "runs");
  const code = await stage.server.stop();
  const stored = readStore(join(stage.dataDir, "millrace.db"));

  const accepted = deliveries
    .filter(({ outcome }) => outcome === "Accepted")
    .map(({ delivery_id, identity, run_ids }) => {
      const storedSha256 = stored.payloads.get(delivery_id);
      return { delivery_id, identity: identity?.value, run_ids, storedSha256 };
    });
  const disagreements = [...stored.problems];
  if (code !== 0) disagreements.push(`the server ended with ${code}`);
  if (stored.payloads.size !== accepted.length)
    disagreements.push(
      `the API lists ${accepted.length} accepted deliveries, the store has ${stored.payloads.size}`,
    );
  if (stored.runs !== runs.length)
    disagreements.push(`the API lists ${runs.length} runs, the store has ${stored.runs}`);
  return {
    accepted,
    runs: runs.map(({ run_id, state, status_message, prompt }) => ({
      run_id,
      state,
      reason: status_message?.error_code ?? undefined,
      due: /which was due at (\S+)\./.exec(prompt)?.[1],
    })),
    duplicates: deliveries.filter(({ outcome }) => outcome === "Duplicate").length,
    disagreements,
  };
}

async function unfinished(stage: Stage): Promise<number> {
  const states = "state=QUEUED&state=CLAIMED&state=INPROGRESS";
  const { runs } = await stage.server.api<{ runs: Run[] }>("GET", `/agent/runs?${states}&limit=1`);
  return runs.length;
}

function log(stage: Stage, path: string): Promise<Delivery[]> {
  const uid = path.split("/").at(-1);
  return all<Delivery>(stage, `/factories/acme/webhooks/${uid}/deliveries`, "deliveries");
}

async function all<Item>(stage: Stage, path: string, name: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined = "";
  while (cursor !== undefined) {
    const query = `limit=500${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`;
    const page: Record<string, unknown> = await stage.server.api("GET", `${path}?${query}`);
    items.push(...(page[name] as Item[]));
    cursor = (page.page_info as { next_cursor?: string }).next_cursor;
  }
  return items;
}

/** Reads the database by itself, without a line of the server's code. */
function readStore(file: string): { payloads: Map<string, string>; runs: number; problems: string[] } {
  const database = new BetterSqlite(file, { readonly: true });
  try {
    const problems: string[] = [];
    const integrity = database.pragma("integrity_check", { simple: true });
    if (integrity !== "ok") problems.push(`SQLite says of the database: ${integrity}`);
    const orphans = database.pragma("foreign_key_check") as unknown[];
    if (orphans.length > 0) problems.push(`${orphans.length} rows refer to rows that are not there`);
    const payloads = new Map<string, string>();
    const rows = database.prepare("SELECT delivery_id, payload FROM deliveries WHERE outcome = 'Accepted'");
    for (const row of rows.iterate() as Iterable<{ delivery_id: string; payload: Buffer }>)
      payloads.set(row.delivery_id, createHash("sha256").update(row.payload).digest("hex"));
    const { count } = database.prepare("SELECT count(*) AS count FROM runs").get() as { count: number };
    return { payloads, runs: count, problems };
  } finally {
    database.close();
  }
}
