import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Models } from "../../../src/client/typed-paths.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import { automationOn, TOKEN_WEBHOOK, withMillrace } from "../../given/definition.ts";
import { storedText } from "../../given/filled-store.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { waitFor } from "../../given/server.ts";
import { storeOf } from "../../given/store.ts";

const TOKEN = "the-token";
const JOINS = '{ concurrency: { key: "{{pr}}", whileRunning: join }, debounce: { quiet: 1s } }';
const CONTINUES = '{ concurrency: { key: "{{pr}}", whileRunning: continue } }';

const bodyOf = (name: string) => JSON.stringify({ pr: 7, name: `${name} of Nowhere` });

/** A server whose automation has this key, and what it holds of the payloads of a run. */
async function stage(block: string, agent = "process.exit(0)") {
  const files = {
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": withMillrace(automationOn(["ci"]), block),
  };
  const { server, story } = await serverWithAgent(agent, { files });
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  const { url } = await story.webhook("ci");
  return {
    ...{ server, story },
    send: (name: string) => story.accept(url, TOKEN, bodyOf(name)),
    runOf: async (delivery: string) => (await story.delivery(delivery)).run_ids[0] ?? "",
    forget: async (delivery: string) =>
      (await ask(server, "DELETE", `/factories/acme/deliveries/${delivery}/payload`)).status,
    workspaceOf: (run: string) => join(server.dataDir, "workspaces", run),
  };
}

/** The bodies in the workspace of a run. */
function bodiesIn(workspace: string): string[] {
  const folder = join(workspace, "event-payloads");
  const files = readdirSync(folder).sort();
  return files.map((name) => readFileSync(join(folder, name), "utf8"));
}

test("a payload that is deleted is nowhere any more, and those of the other deliveries of its run stay", async () => {
  const { server, story, send, runOf, forget, workspaceOf } = await stage(JOINS);
  const unpause = await story.pause("acme");
  const [first, second, third] = [await send("Ann"), await send("Bea"), await send("Cem")];
  const run = await runOf(first);
  expect(await forget(first)).toBe(409);
  await unpause();
  await story.ended(run);
  const workspace = workspaceOf(run);
  expect(bodiesIn(workspace)).toEqual(["Ann", "Bea", "Cem"].map(bodyOf));

  expect(await forget(first)).toBe(204);
  expect(bodiesIn(workspace)).toEqual(["Bea", "Cem"].map(bodyOf));
  expect(readFileSync(join(workspace, "event-payload.json"), "utf8")).toBe(bodyOf("Cem"));
  const { attachments } = await server.api<Models["AttachmentList"]>("GET", `/agent/runs/${run}/attachments`);
  expect(attachments.map(({ name }) => name)).toEqual([
    "event-payload.json",
    `event-payloads/000002-${second}.json`,
    `event-payloads/000003-${third}.json`,
  ]);
  const stored = await storedText((await storeOf(server)).connection);
  const isStored = (name: string) => stored.includes(bodyOf(name));
  expect(["Ann", "Bea", "Cem"].map(isStored)).toEqual([false, true, true]);
  expect((await ask(server, "GET", `/agent/runs/${run}/delivery?delivery_id=${first}`)).status).toBe(404);

  expect(await forget(third)).toBe(204);
  expect(bodiesIn(workspace)).toEqual([bodyOf("Bea")]);
  expect(existsSync(join(workspace, "event-payload.json"))).toBe(false);
});

test("a run that is repeated loses its copy of the payload too", async () => {
  const { server, story, send, runOf, forget, workspaceOf } = await stage(JOINS);
  const unpause = await story.pause("acme");
  const [first, second] = [await send("Ann"), await send("Bea")];
  const run = await runOf(first);
  await unpause();
  await story.ended(run);
  const { run_id: again } = await server.api<{ run_id: string }>("POST", `/agent/runs/${run}/run-again`);
  await story.ended(again);
  expect(bodiesIn(workspaceOf(again))).toEqual(["Ann", "Bea"].map(bodyOf));
  const { deliveries } = await server.api<Models["RunDeliveries"]>("GET", `/agent/runs/${again}/deliveries`);
  expect(deliveries.map(({ delivery_id, kind }) => [delivery_id, kind])).toEqual([
    [first, "repeated"],
    [second, "repeated"],
  ]);
  expect(await forget(first)).toBe(204);
  for (const id of [run, again]) expect(bodiesIn(workspaceOf(id))).toEqual([bodyOf("Bea")]);
});

test("a run that ended before a turn found the newer delivery does not keep the older one", async () => {
  const { server, story, send, runOf, forget, workspaceOf } = await stage(
    CONTINUES,
    "setInterval(() => {}, 1_000)",
  );
  const first = await send("Ann");
  const run = await runOf(first);
  const file = join(workspaceOf(run), "event-payload.json");
  await waitFor(async () => (await story.run(run)).state === "INPROGRESS" && existsSync(file));
  const second = await send("Bea");
  expect(await runOf(second)).toBe(run);
  await server.api("POST", `/agent/runs/${run}/cancel`);
  await story.ended(run);
  expect(readFileSync(file, "utf8")).toBe(bodyOf("Ann"));
  expect(await forget(first)).toBe(204);
  expect(existsSync(file)).toBe(false);
});

test("nothing is removed behind a link that an agent has left", async () => {
  const outside = temporaryFolder();
  const { story, send, runOf, forget } = await stage(
    JOINS,
    `import { cpSync, rmSync, symlinkSync } from "node:fs";
     cpSync("event-payloads", ${JSON.stringify(outside)}, { recursive: true });
     rmSync("event-payloads", { recursive: true });
     symlinkSync(${JSON.stringify(outside)}, "event-payloads");`,
  );
  const unpause = await story.pause("acme");
  const [first] = [await send("Ann"), await send("Bea")];
  await unpause();
  await story.ended(await runOf(first));
  expect(await forget(first)).toBe(204);
  expect(readdirSync(outside)).toHaveLength(2);
});
