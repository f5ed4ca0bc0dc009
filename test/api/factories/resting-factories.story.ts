import { join } from "node:path";
import { expect, test } from "vitest";
import { ask, makeKey } from "../../given/ask.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { ADMIN_KEY, run, type Server, startServer, waitFor } from "../../given/server.ts";
import { silentHost } from "../../given/silent-host.ts";
import { storyOf } from "../../given/story.ts";

interface List {
  factories: { name: string }[];
  resting?: object[];
}

const other = () =>
  folderWith({ ...FACTORY, "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", "other") });

/** A server that has "acme" on record, whose folder no source of this start is, and "other" in force. */
async function withResting() {
  const dataDir = join(temporaryFolder(), "data");
  const folder = folderWith({
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(["ci"]),
  });
  const first = await startServer({ sources: [folder], dataDir });
  await storyOf(first).setSecret("CI_SECRET", "the-token-of-the-ci-webhook");
  await storyOf(first).sync();
  const { uid } = await storyOf(first).factory();
  await first.stop();
  const source = other();
  const start = (sources = [source]) => startServer({ sources, dataDir });
  const server = await start();
  await waitFor(() => server.log().includes("millrace factories delete acme"));
  return { server, uid, folder, source, start };
}

const listOn = (server: Server, key = ADMIN_KEY) => ask<List>(server, "GET", "/factories", { key });

test("a factory that no source serves is in the list of factories by itself, for those who reach it", async () => {
  const { server, uid, folder } = await withResting();
  const resting = [
    { uid, name: "acme", mode: "folder", source: { path: folder }, webhooks: 1, waiting_runs: 0 },
  ];
  const { body } = await listOn(server);
  expect([body.factories.map(({ name }) => name), body.resting]).toEqual([["other"], resting]);
  const [{ uid: served } = { uid: "" }] = (
    await server.api<{ factories: { uid: string }[] }>("GET", "/factories")
  ).factories;
  const { key } = await makeKey(server, { name: "tenant", role: "viewer", factories: [served] });
  expect((await listOn(server, key)).body.resting).toBeUndefined();
  await server.api("DELETE", "/factories/acme");
  expect((await listOn(server)).body.resting).toBeUndefined();
});

test("the command that lists factories names it, and what to do", async () => {
  const { server, folder } = await withResting();
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const { printed, said } = await run(["factories", "list"], env);
  expect(printed).toMatch(/^other +folder +synced +\S+$/m);
  expect(printed).toMatch(/^acme +folder +resting +-$/m);
  expect(said).toBe(
    `Factory "acme" is resting: its source is not configured. 1 webhook answers 404, and 0 runs wait. ` +
      `Specify the source ${folder} again to load the factory, or run \`millrace factories delete acme\` to delete it.\n`,
  );
  expect(JSON.parse((await run(["factories", "list", "--json"], env)).printed)).toHaveLength(1);
});

/** What the doctor says of the factory "acme". */
async function examinedOn({ dataDir }: Server) {
  const { printed } = await run(["doctor", "--json", "--data-dir", dataDir], {
    MILLRACE_SANDBOX: "none",
    MILLRACE_AGENT_COMMAND: process.execPath,
  });
  const { findings } = JSON.parse(printed) as { findings: { check: string; status: string }[] };
  return findings.find(({ check }) => check === "factory acme");
}

test("the doctor also warns of it when the server was stopped before its start could read a source", async () => {
  const { server, folder, start } = await withResting();
  await server.stop();
  await (await start([folder])).stop();
  expect(await examinedOn(server)).toMatchObject({ status: "ok" });
  const { url } = await silentHost();
  const waiting = await start([`${url}/other.git`]);
  await waiting.stop();
  expect(await examinedOn(server)).toMatchObject({ status: "warning" });
  // The doctor waits for the host, too.
}, 60_000);

test("the doctor warns of it until it is served again", async () => {
  const { server, folder, source, start } = await withResting();
  const examined = () => examinedOn(server);
  expect(
    await waitFor(async () => ((await examined())?.status === "warning" ? examined() : undefined)),
  ).toEqual({
    check: "factory acme",
    status: "warning",
    message:
      "It is resting: its source was not configured when the server last started. 1 webhook answers 404, and 0 runs wait.",
    remedy: `Specify the source ${folder} again to load the factory, or run \`millrace factories delete acme\` to delete it.`,
  });
  await server.stop();
  await start([source, folder]);
  expect(
    await waitFor(async () => ((await examined())?.status === "ok" ? examined() : undefined)),
  ).toBeDefined();
});
