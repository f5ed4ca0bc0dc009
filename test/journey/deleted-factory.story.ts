import { mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { listeningTo, managedBy, managedRepositories, serveManaged } from "../given/managed.ts";
import { ADMIN_KEY, failToStart, run, type Server, startServer, waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

const TOKEN = "the-token-of-the-ci-webhook";
const FILES = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": automationOn(["ci"]) };

const millrace = (server: Server, ...args: string[]) =>
  run(args, { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY });
const namesOf = async (server: Server) => {
  const { factories } = await server.api<{ factories: { name: string }[] }>("GET", "/factories");
  return factories.map(({ name }) => name).sort();
};

test("a managed factory is deleted with what was listed before: webhooks, automations and queued runs", async () => {
  const { server } = await serveManaged();
  await server.api("POST", "/factories", { name: "old" });
  const old = managedBy(server, "old");
  const { url, secret } = await old.create({ name: "ci" });
  await old.call("PUT", "/automations/report", { body: { content: listeningTo("ci") } });
  await server.api("POST", "/pauses", { factory: "old" });
  expect(await old.deliver(url, secret ?? "")).toBe(202);
  const [waiting] = await waitFor(async () => {
    const { runs } = await server.api<{ runs: { run_id: string }[] }>("GET", "/agent/runs?state=QUEUED");
    return runs.length > 0 ? runs : undefined;
  });
  const repositories = managedRepositories(server);

  const asked = await millrace(server, "factories", "delete", "old");
  expect([asked.code, asked.said]).toEqual([2, expect.stringContaining("--yes")]);
  expect(asked.printed).toContain(`webhook ci: ${url} will return 404`);
  expect(asked.printed).toContain("automation report");
  expect(asked.printed).toContain("1 queued run");
  expect(await old.deliver(url, secret ?? "")).toBe(202);

  const deleted = await millrace(server, "factories", "delete", "old", "--yes");
  expect([deleted.code, deleted.printed]).toEqual([0, expect.stringContaining('Deleted factory "old"')]);
  expect(await old.deliver(url, secret ?? "")).toBe(404);
  expect(await namesOf(server)).toEqual(["default"]);
  expect((await server.api<{ state: string }>("GET", `/agent/runs/${waiting?.run_id}`)).state).toBe(
    "CANCELLED",
  );
  expect(managedRepositories(server)).toHaveLength(repositories.length - 1);
  expect((await millrace(server, "factories", "delete", "old", "--yes")).code).toBe(5);

  await server.stop();
  const again = await startServer({ sources: [], dataDir: server.dataDir });
  expect(await namesOf(again)).toEqual(["default"]);
  await again.api("POST", "/factories", { name: "old" });
});

test("a factory that the start names is not deleted, with what to do; one that is no longer named is reported, answers 404, and is deleted", async () => {
  const dataDir = join(temporaryFolder(), "data");
  const folder = folderWith(FILES);
  const first = await startServer({ sources: [folder], dataDir });
  await storyOf(first).setSecret("CI_SECRET", TOKEN);
  await storyOf(first).sync();
  const { url } = await storyOf(first).webhook("ci");
  const refused = await millrace(first, "factories", "delete", "acme", "--yes");
  expect([refused.code, refused.said]).toEqual([6, expect.stringContaining(`Remove ${folder} there`)]);
  const path = new URL(url).pathname;
  await first.stop();

  const other = folderWith({ "webhooks/x.yaml": "secretName: CI_SECRET\n" });
  const second = await startServer({ sources: [other], dataDir });
  await waitFor(() => second.log().includes("millrace factories delete acme"));
  const answer = await second.fetch(path, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}` },
    body: "{}",
  });
  expect(answer.status).toBe(404);
  const deleted = await millrace(second, "factories", "delete", "acme", "--yes");
  expect([deleted.code, deleted.said]).toEqual([0, ""]);
  expect(deleted.printed).toContain("webhook ci");
  await second.stop();

  const third = await startServer({ sources: [], dataDir });
  expect(await namesOf(third)).not.toContain("acme");
});

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
