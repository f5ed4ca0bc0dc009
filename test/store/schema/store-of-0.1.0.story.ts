import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { BetterSqlite } from "../../../src/store/sqlite/better-sqlite.ts";
import { automationWith, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { STORE_OF_0_1_0 } from "../../given/filled-store.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { startServer } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

const TRANSCRIPTS = fileURLToPath(new URL("0.1.0.transcripts.sql", import.meta.url));
const ADMIN_KEY = "fixture-admin-key-0123456789";
/** Where the factory of the store lay. */
const SOURCE = "/srv/factory";
const BODY = '{"event":"pushed"}';

/** What the store was served from when it was written. */
const source = () =>
  folderWith({
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a/automation.md": automationWith(
      "triggers: [{ provider: webhook, event: received, millrace: { webhooks: [ci] } }]",
    ),
  });

function load(sql: string, file: string): void {
  const database = new BetterSqlite(file);
  database.pragma("foreign_keys = off");
  database.exec(sql);
  database.close();
}

test("a store of version 0.1.0 is brought up to date, and served with all that is in it", async () => {
  const folder = source();
  const dataDir = join(temporaryFolder(), "data");
  mkdirSync(dataDir, { mode: 0o700 });
  load(STORE_OF_0_1_0.replaceAll(SOURCE, folder), join(dataDir, "millrace.db"));
  load(readFileSync(TRANSCRIPTS, "utf8"), join(dataDir, "millrace-transcripts.db"));
  const masterKey = /^-- MILLRACE_MASTER_KEY=(.+)$/m.exec(STORE_OF_0_1_0)?.[1] ?? "";
  const server = await startServer({
    sources: [folder],
    dataDir,
    env: { MILLRACE_MASTER_KEY: masterKey, MILLRACE_ADMIN_KEY: ADMIN_KEY },
  });
  const story = storyOf(server);
  const runs = await story.runs();
  expect(runs.map(({ state, source: from }) => [state, from]).sort()).toEqual([
    ["SUCCEEDED", "API"],
    ["SUCCEEDED", "CUSTOM_WEBHOOK"],
  ]);
  for (const { run_id } of runs) {
    const path = `/api/v1/agent/runs/${run_id}/transcript`;
    const transcript = await server.fetch(path, { headers: { authorization: `Bearer ${ADMIN_KEY}` } });
    expect(await transcript.text()).toContain("done\n");
  }
  const { uid, url } = await story.webhook("ci");
  const [delivery] = await story.deliveries(uid);
  expect(delivery).toMatchObject({ outcome: "Accepted", size: BODY.length });
  expect(await story.accept(url, "the-token", BODY)).toBe(delivery?.delivery_id);
  expect((await story.factory()).sync.status).toBe("synced");
});
