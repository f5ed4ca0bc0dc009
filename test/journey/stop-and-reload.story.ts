import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BetterSqlite } from "../../src/store/sqlite/better-sqlite.ts";
import { onFinished } from "../given/cleanup.ts";
import { FACTORY } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { silentHost } from "../given/raw-http.ts";
import { PROGRAM, startServer, waitFor } from "../given/server.ts";

test("a stop while git reads a source is not a problem of the source", async () => {
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
  const folder = folderWith({ "millrace.yaml": "secrets: { CI_SECRET: { env: MILLRACE_OF_CI } }\n" });
  const server = await startServer({
    sources: [folderWith(FACTORY)],
    args: ["--config", join(folder, "millrace.yaml")],
    env: { ...MISTYPED, ...READ },
  });
  expect(server.log().match(/The variable MILLRACE_[^"]*/g)).toEqual(WARNED);
});

test("the quickstart warns of them too", async () => {
  const child = spawn(
    process.execPath,
    [PROGRAM, "quickstart", "--listen", "127.0.0.1:0", "--data-dir", temporaryFolder()],
    {
      env: { PATH: process.env.PATH, MILLRACE_SANDBOX: "none", ...MISTYPED },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const gone = new Promise((resolve) => child.once("exit", resolve));
  onFinished(async () => {
    child.kill("SIGKILL");
    await gone;
  });
  let log = "";
  child.stderr.on("data", (bytes: Buffer) => {
    log += bytes;
  });
  const found = () => log.match(/The variable MILLRACE_[^"]*/g) ?? [];
  await waitFor(() => found().length === WARNED.length);
  expect(found()).toEqual(WARNED);
});

const MISTYPED = {
  MILLRACE_POLL_INTERVALL: "1s",
  MILLRACE_RUN_CONCURENCY: "2",
  MILLRACE_WHATEVER_ELSE: "1",
};
const WARNED = [
  "The variable MILLRACE_POLL_INTERVALL is unknown and has no effect: did you mean MILLRACE_POLL_INTERVAL?",
  "The variable MILLRACE_RUN_CONCURENCY is unknown and has no effect: did you mean MILLRACE_RUN_CONCURRENCY?",
  "The variable MILLRACE_WHATEVER_ELSE is unknown and has no effect",
];

/** Settings, what clients and agents have, and what millrace.yaml names. */
const READ = {
  MILLRACE_PUBLIC_METRICS: "on",
  MILLRACE_PUBLIC_VALIDATE: "on",
  MILLRACE_SERVER: "http://127.0.0.1:8787",
  MILLRACE_API_KEY: "x",
  MILLRACE_API_URL: "http://127.0.0.1:8787",
  MILLRACE_RUN_ID: "x",
  MILLRACE_RUN_TOKEN: "x",
  MILLRACE_TURN: "1",
  MILLRACE_PROMPT_FILE: "/nowhere",
  MILLRACE_PAYLOAD_FILE: "/nowhere",
  MILLRACE_OF_CI: "a-secret-of-the-webhook",
};
