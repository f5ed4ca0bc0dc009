import { existsSync, renameSync, rmSync, statSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { failToStart, run, type Server, startServer, waitFor } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

const SOURCE = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK };

/** A stopped server that has taken a delivery, with the URL of its webhook. */
async function used() {
  const source = folderWith(SOURCE);
  const server = await startServer({ sources: [source] });
  const story = storyOf(server);
  await story.setSecret("CI_SECRET", "the-token");
  await story.sync();
  const url = await story.urlOf("ci");
  await story.accept(url, "the-token", "{}");
  return { source, server, path: new URL(url).pathname };
}

const refusedStart = async (source: string, { dataDir }: Server) =>
  (await failToStart([source], { MILLRACE_DATA_DIR: dataDir })).said;

describe("a data folder whose database is gone", () => {
  test.each([
    ["is missing", "does not exist", (path: string) => rmSync(path)],
    ["is empty", "is empty", (path: string) => truncateSync(path)],
  ])("because it %s is refused, and takes a backup", async (_, says, lose) => {
    const { source, server, path } = await used();
    const file = join(temporaryFolder(), "backup.tar");
    expect((await run(["backup", file, "--data-dir", server.dataDir])).code).toBe(0);
    await server.kill();
    const database = join(server.dataDir, "millrace.db");
    lose(database);
    const output = await refusedStart(source, server);
    expect(output).toContain(`The database ${database} ${says}`);
    expect(output).toMatch(/millrace restore FILE --data-dir .*--fresh-start on/s);
    expect(statSync(database, { throwIfNoEntry: false })?.size ?? 0).toBe(0);

    const { code, said } = await run(["restore", file, "--data-dir", server.dataDir]);
    expect([code, said]).toEqual([0, ""]);
    const again = await startServer({ sources: [source], dataDir: server.dataDir });
    await storyOf(again).accept(again.url + path, "the-token", '{"another":true}');
  });

  test("starts anew only when the settings say so", async () => {
    const { source, server } = await used();
    await server.stop();
    rmSync(join(server.dataDir, "millrace.db"));
    expect(await refusedStart(source, server)).toContain("--fresh-start on");
    const args = ["--fresh-start", "on"];
    const again = await startServer({ sources: [source], dataDir: server.dataDir, args });
    expect((await again.fetch("/healthz")).status).toBe(200);
  });

  test("is not one in which only a first start was ended early, or which has only a key", async () => {
    const dataDir = folderWith({ "millrace.db": "", "master.key": "0".repeat(64) });
    const server = await startServer({ sources: [folderWith(SOURCE)], dataDir });
    await waitFor(async () => (await server.fetch("/readyz")).status === 200);
  });
});

test("a write-ahead log that is missing after a crash is told in the log", async () => {
  const { source, server } = await used();
  await server.kill();
  const log = join(server.dataDir, "millrace.db-wal");
  renameSync(log, join(temporaryFolder(), "away"));
  expect(existsSync(`${join(server.dataDir, "millrace.db")}-shm`)).toBe(true);
  const again = await startServer({ sources: [source], dataDir: server.dataDir }).catch(String);
  const said = typeof again === "string" ? again : again.log();
  expect(said).toContain(`${log} is missing although the database was not closed`);
});
