import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FACTORY } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import { failToStart, type Server, startServer, waitFor } from "../given/server.ts";

/** The answer of a server that has noticed, for each way in, and how it then ends. */
async function refusals(server: Server) {
  const ready = await waitFor(async () => {
    const answer = await (await server.fetch("/readyz")).json();
    return JSON.stringify(answer).includes("was deleted") ? answer : undefined;
  });
  const delivery = await fetch(`${server.url}/webhooks/w/any`, { method: "POST", body: "{}" });
  return {
    ready,
    delivery: [delivery.status, delivery.headers.get("retry-after")],
    code: await waitFor(() => server.exitCode() ?? undefined),
  };
}

const REFUSED = {
  ready: { status: 503, detail: "The data folder of this server was deleted; the server is shutting down." },
  delivery: [503, "5"],
  code: 1,
};

test("a server whose data folder is deleted refuses everything and ends, and until then no second one starts", async () => {
  const source = folderWith(FACTORY);
  const server = await startServer({ sources: [source] });
  // So the moment before it notices lasts as long as the second one needs.
  process.kill(server.pid, "SIGSTOP");
  rmSync(server.dataDir, { recursive: true });
  const second = await failToStart([source], { MILLRACE_DATA_DIR: server.dataDir });
  expect(second.code).toBe(1);
  expect(second.said).toContain(
    `Another millrace process uses the data folder ${server.dataDir}, or used it until`,
  );
  expect(second.said).toMatch(/it holds the lock \/\S+\.lock/);
  process.kill(server.pid, "SIGCONT");
  expect(await refusals(server)).toMatchObject(REFUSED);
  expect(server.log()).toContain("the data folder was deleted or replaced");
  const next = await startServer({ sources: [source], dataDir: server.dataDir });
  expect((await next.fetch("/healthz")).status).toBe(200);
});

test("a server ends as well when only its database was moved away, or another folder was put into its place", async () => {
  for (const spoil of [
    ({ dataDir }: Server) => renameSync(join(dataDir, "millrace.db"), join(dataDir, "away.db")),
    ({ dataDir }: Server) => {
      renameSync(dataDir, `${dataDir}-away`);
      mkdirSync(dataDir);
    },
  ]) {
    const server = await startServer({ sources: [folderWith(FACTORY)] });
    spoil(server);
    expect(await refusals(server)).toMatchObject(REFUSED);
  }
});
