import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { ask } from "../../given/ask.ts";
import { FACTORY } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { run, startServer } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";
import { aStore } from "../../given/store.ts";

const LOCAL = ["keys", "create", "--local", "--name", "rescue"];
const ADMIN = [...LOCAL, "--role", "admin"];
const keyIn = (printed: string) => /^(mr_\w{40})\n$/.exec(printed)?.[1] ?? "";

describe("keys create --local", () => {
  test("creates a key while a server is running, which accepts it immediately", async () => {
    const { server } = await serving(FACTORY, {});
    const { code, printed, said } = await run([...ADMIN, "--data-dir", server.dataDir]);
    expect([code, said]).toEqual([0, expect.stringContaining("only time")]);
    const key = keyIn(printed);
    expect((await ask(server, "GET", "/api-keys", { key })).status).toBe(200);
    expect((await ask(server, "PUT", "/secrets/A", { key, body: { value: "x" } })).status).toBe(200);
  });

  test("makes one while a hundred runs are being written", async () => {
    const { server } = await serving(FACTORY, {});
    const writing = Promise.all(
      Array.from({ length: 100 }, (_, n) => server.api("POST", "/agent/runs", { prompt: `${n}` })),
    );
    const { printed } = await run([...ADMIN, "--data-dir", server.dataDir]);
    await writing;
    expect((await ask(server, "GET", "/factories", { key: keyIn(printed) })).status).toBe(200);
  });

  test("makes one for a server that is stopped, and leaves the folder to it", async () => {
    const source = folderWith(FACTORY);
    const first = await startServer({ sources: [source] });
    await first.stop();
    const { printed } = await run(ADMIN, { MILLRACE_DATA_DIR: first.dataDir });
    const again = await startServer({ sources: [source], dataDir: first.dataDir });
    expect((await ask(again, "GET", "/api-keys", { key: keyIn(printed) })).status).toBe(200);
  });

  test("finds a database that is somewhere else, and a data folder that millrace.yaml names", async () => {
    const database = join(temporaryFolder(), "elsewhere.db");
    const env = {
      MILLRACE_DATABASE_URL: `sqlite:${database}`,
      MILLRACE_MASTER_KEY: "a-master-key-of-some-length",
    };
    const one = await startServer({ sources: [folderWith(FACTORY)], env });
    const byFlag = await run([...ADMIN, "--database-url", `sqlite:${database}`]);
    expect((await ask(one, "GET", "/api-keys", { key: keyIn(byFlag.printed) })).status).toBe(200);
    const two = await startServer({ sources: [folderWith(FACTORY)] });
    const settings = join(folderWith({ "millrace.yaml": `dataDir: ${two.dataDir}\n` }), "millrace.yaml");
    const byFile = await run([...ADMIN, "--config", settings]);
    expect((await ask(two, "GET", "/api-keys", { key: keyIn(byFile.printed) })).status).toBe(200);
  });

  test("takes what the remote form takes: kind, role, factories, expiry and --json", async () => {
    const { server } = await serving(FACTORY, {});
    const dataDir = ["--data-dir", server.dataDir];
    const args = [...LOCAL, ...dataDir, "--kind", "agent", "--factory", "acme", "--expires", "30d", "--json"];
    const { id, key } = JSON.parse((await run(args)).printed) as { id: string; key: string };
    const { api_keys } = await server.api<{ api_keys: Record<string, unknown>[] }>("GET", "/api-keys");
    const { factories } = await server.api<{ factories: { uid: string }[] }>("GET", "/factories");
    const made = api_keys.find((item) => item.id === id);
    expect(made).toMatchObject({ kind: "agent", role: "viewer", factories: [factories[0]?.uid] });
    const days = (Date.parse(String(made?.expires_at)) - Date.parse(String(made?.created_at))) / 86_400_000;
    expect(Math.round(days)).toBe(30);
    expect((await ask(server, "GET", "/factories", { key })).status).toBe(200);
    const unknown = await run([...LOCAL, ...dataDir, "--factory", "nobody"]);
    expect([unknown.code, unknown.said]).toEqual([5, expect.stringContaining('Its factories: "acme".')]);
  });

  test("makes no database where there is none", async () => {
    const dataDir = temporaryFolder();
    const { code, printed, said } = await run([...ADMIN, "--data-dir", dataDir]);
    expect([code, printed]).toEqual([1, ""]);
    expect(said).toContain(`The database ${join(dataDir, "millrace.db")} does not exist.`);
    expect(said).toContain("MILLRACE_DATA_DIR");
    expect(existsSync(join(dataDir, "millrace.db"))).toBe(false);
  });

  test.each<[string, string, string]>([
    [
      "a newer",
      "INSERT INTO migrations (name, applied_at) VALUES ('999-later', '')",
      "created by a newer version of millrace",
    ],
    [
      "an older",
      "DELETE FROM migrations WHERE name = '009-audit'",
      "created by an older version of millrace",
    ],
  ])("leaves the database of %s millrace alone", async (_, sql, words) => {
    const dataDir = temporaryFolder();
    const { connection, keys } = await aStore(join(dataDir, "millrace.db"));
    await connection.run(sql);
    const migrations = () => connection.all("SELECT name FROM migrations ORDER BY name");
    const before = await migrations();
    const { code, said } = await run([...ADMIN, "--data-dir", dataDir]);
    expect([code, said]).toEqual([1, expect.stringContaining(words)]);
    expect([await migrations(), await keys.list()]).toEqual([before, []]);
  });

  test("reports a file that is not a millrace database", async () => {
    const dataDir = temporaryFolder();
    writeFileSync(join(dataDir, "millrace.db"), "these are words and no database".repeat(100));
    const { code, said } = await run([...ADMIN, "--data-dir", dataDir]);
    expect([code, said]).toEqual([1, expect.stringContaining("file is not a database")]);
  });

  test.each<[string, string[], string]>([
    [
      "a server beside it",
      [...ADMIN, "--server", "http://127.0.0.1:1"],
      "cannot be used with option '--server",
    ],
    ["a data folder without it", ["keys", "create", "--name", "x", "--data-dir", "."], "require --local"],
  ])("%s is a wrong call", async (_, args, words) => {
    const { code, said } = await run(args, { MILLRACE_API_KEY: "x" });
    expect([code, said]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe("keys create --expires", () => {
  test.each(["", "0d", "soon", "2020-01-01T00:00:00Z", "31.01.2027", "30", "99999d9", "999999999h"])(
    "%s is a wrong call",
    async (when) => {
      const { code, said } = await run([...ADMIN, "--expires", when]);
      expect([code, said]).toEqual([2, expect.stringContaining("a duration such as 30d")]);
    },
  );

  test("is shown in the list, and takes an instant with any offset", async () => {
    const { server } = await serving(FACTORY, {});
    const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: "test-admin-key-0123456789" };
    const create = ["keys", "create", "--name", "guest", "--expires", "2999-01-01T02:00:00+02:00"];
    expect((await run(create, env)).code).toBe(0);
    expect((await run(["keys", "list"], env)).printed).toMatch(/ active until 2999-01-01T00:00:00.000Z$/m);
  });
});
