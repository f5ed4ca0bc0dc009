import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { BetterSqlite } from "../../../src/store/sqlite/better-sqlite.ts";
import { migrate } from "../../../src/store/sqlite/migrate.ts";
import { migrations } from "../../../src/store/sqlite/migrations/migrations.ts";
import { openSqlite, type SqliteConnection } from "../../../src/store/sqlite/sqlite.ts";
import { onFinished } from "../../given/cleanup.ts";
import { automationWith, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { startServer } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

const WRITTEN = fileURLToPath(new URL("written", import.meta.url));
const TRANSCRIPTS = ".transcripts.sql";
const ADMIN_KEY = "fixture-admin-key-0123456789";
/** Where the factory of the stores lay. */
const SOURCE = "/srv/factory";
const BODY = '{"event":"pushed"}';

/** Of every schema that a commit of the main branch has ended with: 001 to 005 and 011 to 013 came together. */
const stores = readdirSync(WRITTEN)
  .filter((name) => !name.endsWith(TRANSCRIPTS))
  .map((name) => name.replace(/\.sql$/, ""));

/** What the stores were served from when they were written. */
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

describe("a store that an earlier millrace has written", () => {
  test.each(stores)("with %s is brought up to date, and served with all that is in it", async (name) => {
    const folder = source();
    const dataDir = join(temporaryFolder(), "data");
    mkdirSync(dataDir, { mode: 0o700 });
    const sql = readFileSync(join(WRITTEN, `${name}.sql`), "utf8");
    load(sql.replaceAll(SOURCE, folder), join(dataDir, "millrace.db"));
    if (readdirSync(WRITTEN).includes(name + TRANSCRIPTS))
      load(readFileSync(join(WRITTEN, name + TRANSCRIPTS), "utf8"), join(dataDir, "millrace-transcripts.db"));
    const masterKey = /^-- MILLRACE_MASTER_KEY=(.+)$/m.exec(sql)?.[1] ?? "";
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
});

describe("the schema", () => {
  const schemaOf = (connection: SqliteConnection) =>
    connection.all<{ sql: string }>(
      "SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name",
    );
  const opened = () => {
    const connection = openSqlite(join(temporaryFolder(), "millrace.db"));
    onFinished(() => connection.close());
    return connection;
  };

  test.each(migrations.map(({ name }, index) => [name, index + 1] as const))(
    "of a store that stopped at %s becomes that of a new one",
    async (_, steps) => {
      const [earlier, fresh] = [opened(), opened()];
      await migrate(earlier, new Date(), migrations.slice(0, steps));
      await migrate(earlier, new Date());
      await migrate(fresh, new Date());
      expect(await schemaOf(earlier)).toEqual(await schemaOf(fresh));
    },
  );

  test("of a newer millrace is refused with a sentence, and nothing is changed", async () => {
    const connection = opened();
    await migrate(connection, new Date(), [
      ...migrations,
      { name: "999-future", sql: "CREATE TABLE later (id TEXT)" },
    ]);
    const before = await schemaOf(connection);
    await expect(migrate(connection, new Date())).rejects.toThrow(
      'The database was created by a newer version of millrace: it has the migration "999-future", which this version does not know.',
    );
    expect(await schemaOf(connection)).toEqual(before);
  });
});
