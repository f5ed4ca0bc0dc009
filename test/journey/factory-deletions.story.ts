import { cpSync, existsSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { API_HEADER } from "../../src/api/http/headers.ts";
import { ask } from "../given/ask.ts";
import { temporaryFolder } from "../given/folder.ts";
import { managedBy, serveManaged } from "../given/managed.ts";
import { ok, scriptedServer } from "../given/scripted-server.ts";
import { run, startServer, waitFor } from "../given/server.ts";

/** A server that keeps a factory beside its first, with the repository of that. */
async function withOld() {
  const { server } = await serveManaged();
  const { uid } = await server.api<{ uid: string }>("POST", "/factories", { name: "old" });
  const { source } = await managedBy(server, "old").factory();
  return { server, uid, repository: source.url ?? "" };
}

test("a deletion in a copied data folder takes the repository of the copy, never that of the server it was copied from", async () => {
  const { server, uid, repository } = await withOld();
  await server.stop();
  const dataDir = join(temporaryFolder(), "copied");
  cpSync(server.dataDir, dataDir, { recursive: true });
  const copy = await startServer({ sources: [], dataDir });
  const own = join(dataDir, "factories", `${uid}.git`);
  const plan = await ask<{ factory: { source: { url: string } } }>(copy, "GET", "/factories/old/deletion");
  await copy.api("DELETE", "/factories/old");
  expect([existsSync(own), existsSync(repository)]).toEqual([false, true]);
  expect(plan.body.factory.source.url).toBe(own);
});

test("a factory whose repository cannot be removed is deleted, and the log says which path stays", async () => {
  const { server, repository } = await withOld();
  const folder = join(server.dataDir, "factories");
  renameSync(folder, `${folder}-elsewhere`);
  writeFileSync(folder, "no folder");
  expect((await ask(server, "DELETE", "/factories/old")).status).toBe(204);
  await waitFor(() => server.log().includes(`delete ${repository} manually`));
  expect(server.log()).toContain("deleted a factory");
});

test("the command that is refused a deletion asks the server for none", async () => {
  const factory = { uid: "u", name: "acme", mode: "folder", source: { path: "/acme" } };
  const nothing = { webhooks: [], automations: [], waiting_runs: 0, working_runs: 0, schedules: 0 };
  const refusal = "The factory is named by millrace.yaml. Take it out there.";
  const { url, received } = await scriptedServer({
    ...ok({ factory, refusal, ...nothing }),
    headers: { [API_HEADER]: "1" },
  });
  const env = { MILLRACE_SERVER: url, MILLRACE_API_KEY: "a-key-of-somebody" };
  const { code, said } = await run(["factories", "delete", "acme", "--yes"], env);
  expect([code, said]).toEqual([6, expect.stringContaining("Take it out there.")]);
  expect(received.map(({ method }) => method)).toEqual(["GET"]);
});
