import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Models } from "../../../src/client/typed-paths.ts";
import { aKey, ask, makeKey } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY, withFactoryLines } from "../../given/definition.ts";
import { temporaryFolder } from "../../given/folder.ts";
import type { Server } from "../../given/server.ts";
import { forgeWith, privateHost, sourceOf, tenants } from "../../given/tenants.ts";

/**
 * A server whose forge was the first factory's before there were two more: by the settings it stays for that one alone. The
 * settings do not say so, and what they have not given to some factories is for runs of no factory, too.
 */
const given = sharedByFile(async () => {
  const { baseUrl } = await privateHost();
  const dataDir = join(temporaryFolder("millrace-data"), "data");
  const first = await tenants(forgeWith(baseUrl), { dataDir, names: ["acme"] });
  await first.server.stop();
  const files = { ...FACTORY, ...withFactoryLines("millrace: { repositories: optional }") };
  const sources = [...first.sources, sourceOf("other", files), sourceOf("third", files)];
  const started = await tenants(forgeWith(baseUrl), { dataDir, sources });
  return { ...started, other: await started.uidOf("other"), third: await started.uidOf("third") };
});

/** The skill of a private repository of acme. */
const READ = { prompt: "Read it.", skill: "acme/shop:review" };
const DAILY = { name: "daily", cron_schedule: "0 9 * * *", prompt: "Look." };
const RUNS = "/agent/runs";
const SCHEDULES = "/agent/schedules";

/** A refusal, with the field that it names. */
async function refusal(server: Server, path: string, key: string, body: object) {
  const answer = await ask<{ field?: string; detail: string }>(server, "POST", path, { key, body });
  return [answer.status, answer.body.field, answer.body.detail];
}

describe("a key that is limited to several factories", () => {
  test("starts no run without a factory, which could read what neither of them may", async () => {
    const { server, other, third } = given();
    const key = await aKey(server, { role: "operator", factories: [other, third] });
    const several = expect.stringMatching(/can access several factories \("other", "third"\).*specify one/);
    expect(await refusal(server, RUNS, key, READ)).toEqual([400, "factory", several]);
  });

  test("starts runs of the one that it names", async () => {
    const { server, other, third, ended } = given();
    const key = await aKey(server, { role: "operator", factories: [other, third] });
    const body = { ...READ, factory: "third" };
    const asked = await ask<{ run_id: string }>(server, "POST", RUNS, { key, body });
    const { state, message } = await ended(asked.body.run_id);
    expect([state, message]).toEqual(["FAILED", expect.stringContaining("this factory may not use (home)")]);
  });

  test("creates no schedule without a factory", async () => {
    const { server, other, third } = given();
    const key = await aKey(server, { role: "operator", factories: [other, third] });
    const several = expect.stringMatching(/can access several factories.*specify an agent of one of them/);
    expect(await refusal(server, SCHEDULES, key, DAILY)).toEqual([400, "agent_uid", several]);
  });
});

describe("a key that is limited to factories that do not exist", () => {
  test.each([RUNS, SCHEDULES])("starts nothing by %s", async (path) => {
    const { server } = given();
    const { uid } = await server.api<{ uid: string }>("POST", "/factories", { name: `gone ${path.length}` });
    const ofGone = await aKey(server, { role: "operator", factories: [uid] });
    await server.api("DELETE", `/factories/${uid}`);
    const ofNone = await aKey(server, { role: "operator", factories: [] });
    const none = expect.stringContaining("None of the factories that the API key is limited to");
    for (const key of [ofGone, ofNone])
      expect(await refusal(server, path, key, path === RUNS ? READ : DAILY)).toEqual([409, undefined, none]);
  });
});

test("a key that is limited to a factory without an active definition starts no run", async () => {
  const { baseUrl } = await privateHost();
  const { server } = await tenants(forgeWith(baseUrl), {
    files: { "agents/boss/agent.md": "no front matter" },
  });
  const { uid } = await server.api<{ uid: string }>("GET", "/factories/other");
  const key = await aKey(server, { role: "operator", factories: [uid] });
  const unready = expect.stringContaining('"other" has no applied definition');
  expect(await refusal(server, RUNS, key, { prompt: "Go." })).toEqual([409, undefined, unready]);
});

test("a key for some factories reaches no run without a factory, even if a key of the same name started it", async () => {
  const { server, other, ended } = given();
  const all = await makeKey(server, { name: "Ann", role: "operator" });
  const some = await makeKey(server, { name: "Ann", role: "operator", factories: [other] });
  const body = { prompt: "For the whole server." };
  const { run_id } = (await ask<{ run_id: string }>(server, "POST", RUNS, { key: all.key, body })).body;
  await ended(run_id);
  const made = await ask<{ id: string }>(server, "POST", SCHEDULES, { key: all.key, body: DAILY });
  const places = [`${RUNS}/${run_id}`, `${RUNS}/${run_id}/transcript`, `${SCHEDULES}/${made.body.id}`];
  const statuses = async (key: string) =>
    Promise.all(places.map(async (path) => (await ask(server, "GET", path, { key })).status));
  expect(await statuses(all.key)).toEqual([200, 200, 200]);
  expect(await statuses(some.key)).toEqual([404, 404, 404]);
  const listed = await ask<{ runs: { run_id: string }[] }>(server, "GET", RUNS, { key: some.key });
  expect(listed.body.runs.map((run) => run.run_id)).not.toContain(run_id);
});

test("a key of one factory is told the place of a run among those of its factory", async () => {
  const { server, other } = given();
  await server.api("POST", "/pauses", { reason: "Wait." });
  const start = async (factory: string) =>
    (await server.api<{ run_id: string }>("POST", RUNS, { prompt: "Do it.", factory })).run_id;
  await start("third");
  await start("other");
  await start("third");
  const last = await start("other");
  const placeFor = async (key?: string) =>
    (await ask<Models["RunItem"]>(server, "GET", `${RUNS}/${last}`, { ...(key ? { key } : {}) })).body.waiting
      ?.place;
  expect(await placeFor()).toBe(3);
  expect(await placeFor(await aKey(server, { factories: [other] }))).toBe(1);
});
