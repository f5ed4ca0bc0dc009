import { join } from "node:path";
import BetterSqlite from "better-sqlite3";
import { expect, test } from "vitest";
import { FACTORY } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import { startServer, waitFor } from "../given/server.ts";
import { silentHost } from "../given/silent-host.ts";

test("a stop while git reads a source is no problem of the source", async () => {
  const host = await silentHost();
  const server = await startServer({ sources: [`${host.url}/acme.git`] });
  await waitFor(() => host.connections() > 0);
  expect(await server.stop()).toBe(0);
  const database = new BetterSqlite(join(server.dataDir, "millrace.db"), { readonly: true });
  const stored = database.prepare("SELECT status, problems FROM factories").all();
  database.close();
  expect(stored).toEqual([{ status: "pending", problems: "[]" }]);
  expect(server.log()).not.toContain("unreadable");
});

test("SIGHUP ends a server in order, and its log says so", async () => {
  const server = await startServer({ sources: [folderWith(FACTORY)] });
  process.kill(server.pid, "SIGHUP");
  expect(await waitFor(() => (server.exitCode() === 0 ? "in order" : undefined))).toBe("in order");
  expect(server.log()).toMatch(/"signal":"SIGHUP".*stopping/);
});

test("variables that nothing reads are warned of, with the one that was meant", async () => {
  const server = await startServer({
    sources: [folderWith(FACTORY)],
    env: {
      MILLRACE_POLL_INTERVALL: "1s",
      MILLRACE_WHATEVER_ELSE: "1",
      MILLRACE_RUN_ID: "x",
      MILLRACE_API_KEY: "x",
    },
  });
  const warned = server.log().match(/The variable MILLRACE_[^"]*/g);
  expect(warned).toEqual([
    "The variable MILLRACE_POLL_INTERVALL is unknown and has no effect: did you mean MILLRACE_POLL_INTERVAL?",
    "The variable MILLRACE_WHATEVER_ELSE is unknown and has no effect",
  ]);
});
