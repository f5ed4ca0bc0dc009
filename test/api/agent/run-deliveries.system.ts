import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import type { Models } from "../../../src/client/typed-paths.ts";
import { ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationOn, TOKEN_WEBHOOK, withMillrace } from "../../given/definition.ts";
import { mcpClient } from "../../given/family.ts";
import { waitFor } from "../../given/server.ts";
import { twoFactories } from "../../given/serving.ts";
import { storyOf } from "../../given/story.ts";

const PROGRAM = fileURLToPath(new URL("../../../dist/agent/millrace.cjs", import.meta.url));
const TOKEN = "the-token";

/** Hands its token over in a file, whole or not at all, and stays. */
const STAYS = `
  import { renameSync, writeFileSync } from "node:fs";
  writeFileSync("token.new", process.env.MILLRACE_RUN_TOKEN);
  renameSync("token.new", "token");
  setInterval(() => {}, 1_000);`;

const KEYED = withMillrace(
  automationOn(["ci"]),
  '{ concurrency: { key: "{{pr}}", whileRunning: join }, debounce: { quiet: 1s } }',
);

interface Read {
  delivery_id: string;
  webhook: string | null;
  payload: unknown;
}

const stage = sharedByFile(async () => {
  const files = { "webhooks/ci.yaml": TOKEN_WEBHOOK, "automations/a.md": KEYED };
  const { server } = await twoFactories(files, {
    agent: STAYS,
    secrets: { CI_SECRET: TOKEN },
    env: { MILLRACE_RUN_CONCURRENCY: "8" },
  });
  const story = storyOf(server);
  const send = async (factory: string, body: object) => {
    const { webhooks } = await server.api<Models["WebhookList"]>("GET", `/factories/${factory}/webhooks`);
    return story.accept(webhooks[0]?.url ?? "", TOKEN, JSON.stringify(body));
  };
  const runOf = async (factory: string, id: string) =>
    (await server.api<Models["Delivery"]>("GET", `/factories/${factory}/deliveries/${id}`)).run_ids[0] ?? "";
  const tokenOf = (run: string) => {
    const file = join(server.dataDir, "workspaces", run, "token");
    return waitFor(() => (existsSync(file) ? readFileSync(file, "utf8") : undefined));
  };
  const unpause = await story.pause("acme");
  const first = await send("acme", { pr: 7, n: 1 });
  const second = await send("acme", { pr: 7, n: 2 });
  const elsewhere = await send("acme", { pr: 8, n: 1 });
  const abroad = await send("other", { pr: 7, n: 1 });
  const run = await runOf("acme", first);
  expect(await runOf("acme", second)).toBe(run);
  await unpause();
  const token = await tokenOf(run);
  const read = (id: string | undefined, key = token, of = run) =>
    ask<Read & { detail: string }>(
      server,
      "GET",
      `/agent/runs/${of}/delivery${id === undefined ? "" : `?delivery_id=${id}`}`,
      { key },
    );
  return { server, story, run, token, tokenOf, runOf, read, first, second, elsewhere, abroad };
});

test("an agent reads each delivery of its run, and the newest if it names none", async () => {
  const { read, first, second } = stage();
  expect((await read(undefined)).body).toMatchObject({ delivery_id: second, payload: { pr: 7, n: 2 } });
  expect((await read(second.toUpperCase())).body).toMatchObject({ delivery_id: second });
  expect((await read(first)).body).toMatchObject({
    ...{ delivery_id: first, webhook: "ci" },
    payload: { pr: 7, n: 1 },
  });
});

test("an agent that was started from a run reads each delivery of that run", async () => {
  const { server, run, read, tokenOf, first, second, elsewhere } = stage();
  const body = { prompt: "Help.", parent_run_id: run, agent: "boss", factory: "acme" };
  const child = await server.api<{ run_id: string }>("POST", "/agent/runs", body);
  const token = await tokenOf(child.run_id);
  expect((await read(first, token, child.run_id)).body).toMatchObject({ payload: { n: 1 } });
  expect((await read(undefined, token, child.run_id)).body).toMatchObject({ delivery_id: second });
  expect((await read(elsewhere, token, child.run_id)).status).toBe(404);
});

test("an agent reads no delivery of another run or another factory", async () => {
  const { server, read, elsewhere, abroad, runOf } = stage();
  for (const id of [elsewhere, abroad, randomUUID(), "", "x'%20OR%201=1"]) {
    const { status, body } = await read(id);
    expect([status, body.detail]).toEqual([404, expect.stringContaining("have no delivery")]);
  }
  // Neither through the run that the delivery belongs to.
  expect((await read(elsewhere, undefined, await runOf("acme", elsewhere))).status).toBe(404);
  const { use } = await mcpClient(server, stage().token);
  const told = await use("read_delivery", { delivery_id: abroad });
  expect([told.isError, told.text]).toEqual([true, expect.stringContaining("have no delivery")]);
});

test("a run of another factory reads no delivery of the run that its family began with", async () => {
  const { server, run, read, first } = stage();
  const { factories } = await server.api<Models["FactoryList"]>("GET", "/factories");
  const uid = factories.find(({ name }) => name === "other")?.uid;
  const body = { prompt: "Help.", parent_run_id: run, agent: "boss", factory: "other" };
  const child = await server.api<{ run_id: string }>("POST", "/agent/runs", body);
  expect((await stage().story.run(child.run_id)).factory_uid).toBe(uid);
  const token = await stage().tokenOf(child.run_id);
  for (const id of [first, undefined]) expect((await read(id, token, child.run_id)).status).toBe(404);
});

test("the tool and the command take the ID of a delivery", async () => {
  const { server, run, token, first, second } = stage();
  const { use } = await mcpClient(server, token);
  expect((await use("read_delivery", { delivery_id: first })).text).toContain('"n": 1');
  expect((await use("read_delivery")).text).toContain(`delivery_id: ${second}`);
  const env = { MILLRACE_API_URL: server.url, MILLRACE_RUN_ID: run, MILLRACE_RUN_TOKEN: token };
  const millrace = (...args: string[]) =>
    promisify(execFile)(process.execPath, [PROGRAM, "agent", "delivery", ...args], { env });
  const printed = async (...args: string[]) => JSON.parse((await millrace(...args)).stdout);
  expect(await printed(first)).toEqual({ pr: 7, n: 1 });
  expect(await printed(first, "--json")).toMatchObject({ delivery_id: first });
  expect(await printed()).toEqual({ pr: 7, n: 2 });
  await expect(millrace(randomUUID())).rejects.toMatchObject({
    ...{ code: 5, stderr: expect.stringContaining("have no delivery") },
  });
});
