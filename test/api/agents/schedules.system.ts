import { join } from "node:path";
import OzAPI from "oz-agent-sdk";
import { describe, expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { ADMIN_KEY, type Server, startServer } from "../../given/server.ts";
import { twoFactories } from "../../given/serving.ts";

type Schedule = components["schemas"]["ScheduledAgentItem"];
type Page = components["schemas"]["ListScheduledAgentsResponse"];
type Agents = components["schemas"]["ListAgentIdentitiesResponse"];

const PATH = "/agent/schedules";
const DAILY = { name: "daily", cron_schedule: "0 9 * * *", prompt: "Report." };
const UNKNOWN = "01a1fe22-6744-70ce-94a0-348515e54587";
const NINE = expect.stringMatching(/T09:00:00\.000Z$/);

const stage = sharedByFile(() => twoFactories());
const make = (server: Server, body: object) => server.api<Schedule>("POST", PATH, body);
const list = async (server: Server, key?: string) =>
  (await ask<Page>(server, "GET", `${PATH}?limit=500`, key === undefined ? {} : { key })).body.schedules;
const agents = async (server: Server) => (await server.api<Agents>("GET", "/agent/identities")).agents;

describe("a schedule", () => {
  test("is made, read, replaced as a whole, and deleted", async () => {
    const { server } = stage();
    const config = { model_id: "m", base_prompt: "You wait." };
    const { status, body: made } = await ask<Schedule>(server, "POST", PATH, {
      body: { ...DAILY, agent_config: config, team: false },
    });
    expect(status).toBe(201);
    expect(made).toEqual({
      ...DAILY,
      timezone: "UTC",
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      enabled: true,
      metadata: {},
      agent_config: config,
      created_at: expect.any(String),
      updated_at: made.created_at,
      created_by: { type: "user", uid: expect.any(String), display_name: "admin" },
      updated_by: made.created_by,
      history: { last_ran: null, next_run: NINE },
      last_spawn_error: null,
      scope: { type: "Team" },
    });
    expect(await server.api("GET", `${PATH}/${made.id.toUpperCase()}`)).toEqual(made);
    expect(await list(server)).toContainEqual(made);

    const key = await aKey(server, { role: "operator" });
    const { agent_config, ...rest } = made;
    const { body: replaced } = await ask<Schedule>(server, "PUT", `${PATH}/${made.id}`, {
      key,
      body: { name: "hourly", cron_schedule: "@hourly", prompt: "Look.", enabled: false },
    });
    expect(replaced).toEqual({
      ...rest,
      name: "hourly",
      cron_schedule: "@hourly",
      prompt: "Look.",
      enabled: false,
      updated_at: replaced.updated_at,
      updated_by: { ...made.created_by, uid: replaced.updated_by.uid, display_name: expect.any(String) },
      history: { last_ran: null, next_run: null },
    });
    expect(replaced.updated_by.uid).not.toBe(made.created_by.uid);
    expect(await server.api("GET", `${PATH}/${made.id}`)).toEqual(replaced);

    expect(await ask(server, "DELETE", `${PATH}/${made.id}`)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect((await ask(server, "GET", `${PATH}/${made.id}`)).status).toBe(404);
    expect((await ask(server, "DELETE", `${PATH}/${made.id}`)).status).toBe(404);
  });

  test("is due when it is enabled, and never while it is paused", async () => {
    const { server } = stage();
    const made = await make(server, { ...DAILY, name: "paused", enabled: false });
    expect([made.enabled, made.history.next_run]).toEqual([false, null]);
    const call = (deed: string) => server.api<Schedule>("POST", `${PATH}/${made.id}/${deed}`);
    expect(await call("resume")).toMatchObject({
      ...DAILY,
      name: "paused",
      enabled: true,
      history: { next_run: NINE },
    });
    expect(await call("resume")).toMatchObject({ enabled: true });
    expect(await call("pause")).toMatchObject({ enabled: false, history: { next_run: null } });
    expect(await server.api("GET", `${PATH}/${made.id}`)).toMatchObject({ enabled: false });
  });

  test("needs no prompt when its configuration names a skill", async () => {
    const { server } = stage();
    const { prompt: _, ...silent } = DAILY;
    const made = await make(server, { ...silent, agent_config: { skill_spec: "acme/shop:review" } });
    expect([made.prompt, made.agent_config]).toEqual(["", { skill_spec: "acme/shop:review" }]);
    const body = { ...silent, enabled: true, agent_config: { model_id: "m" } };
    const refused = await ask(server, "PUT", `${PATH}/${made.id}`, { body });
    expect([refused.status, refused.body.field]).toEqual([400, "prompt"]);
  });

  test("shares its name with others, and the list is sorted by name", async () => {
    const { server } = await twoFactories();
    const made: Schedule[] = [];
    for (const name of ["b", "a", "b"]) made.push(await make(server, { ...DAILY, name }));
    const [b, a, c] = made.map(({ id }) => id);
    const ids: string[] = [];
    let cursor = "";
    for (let page = 0; page < 3; page += 1) {
      const { schedules, page_info } = await server.api<Page>("GET", `${PATH}?limit=1${cursor}`);
      ids.push(...schedules.map(({ id }) => id));
      cursor = `&cursor=${page_info.next_cursor}`;
      expect(page_info.has_next_page).toBe(page < 2);
    }
    expect(ids).toEqual([a, b, c]);
  });

  test("that is changed while it is deleted is gone", async () => {
    const { server } = stage();
    const { id } = await make(server, { ...DAILY, name: "race" });
    const [deleted, ...changed] = await Promise.all([
      ask(server, "DELETE", `${PATH}/${id}`),
      ask(server, "POST", `${PATH}/${id}/pause`),
      ask(server, "PUT", `${PATH}/${id}`, { body: { ...DAILY, enabled: true } }),
    ]);
    expect(deleted?.status).toBe(200);
    for (const { status } of changed) expect([200, 404]).toContain(status);
    expect((await ask(server, "GET", `${PATH}/${id}`)).status).toBe(404);
  });

  test("still exists after a restart", async () => {
    const options = { sources: [folderWith(FACTORY)], dataDir: join(temporaryFolder(), "data") };
    const before = await startServer(options);
    const made = await make(before, { ...DAILY, cron_schedule: "0 9 29 2 *" });
    await before.stop();
    const after = await startServer(options);
    expect(await list(after)).toEqual([made]);
  });
});

describe("a schedule belongs", () => {
  test("to the factory of the agent that it names", async () => {
    const { server, other } = stage();
    const boss = (await agents(server)).find(({ factory_uid }) => factory_uid === other);
    const made = await make(server, { ...DAILY, name: "of an agent", agent_uid: boss?.uid });
    expect([made.factory_uid, made.agent_uid]).toEqual([other, boss?.uid]);
    const put = { ...DAILY, enabled: true };
    const changed = await server.api<Schedule>("PUT", `${PATH}/${made.id}`, put);
    expect([changed.factory_uid, changed.agent_uid]).toEqual([other, boss?.uid]);
  });

  test("to the only factory that its key reaches", async () => {
    const { server, acme } = stage();
    const key = await aKey(server, { role: "operator", factories: [acme] });
    const { body } = await ask<Schedule>(server, "POST", PATH, { key, body: DAILY });
    expect([body.factory_uid, body.agent_uid]).toEqual([acme, undefined]);
  });

  test("to no factory when it names an identity of the API, or when its key reaches several", async () => {
    const { server } = stage();
    const { uid } = await server.api<{ uid: string }>("POST", "/agent/identities", { name: "helper" });
    const made = await make(server, { ...DAILY, name: "of an identity", agent_uid: uid });
    expect([made.factory_uid, made.agent_uid]).toEqual([undefined, uid]);
    expect((await make(server, DAILY)).factory_uid).toBeUndefined();
  });
});

test.each<[string, object, string]>([
  ["no name", { name: undefined }, "name"],
  ["an empty name", { name: "" }, "name"],
  ["a name of 201 characters", { name: "x".repeat(201) }, "name"],
  ["a name with a control character", { name: "a\tb" }, "name"],
  ["no cron expression", { cron_schedule: undefined }, "cron_schedule"],
  ["a cron expression of six fields", { cron_schedule: "0 0 9 * * *" }, "cron_schedule"],
  ["a minute that is none", { cron_schedule: "60 9 * * *" }, "cron_schedule"],
  ["a cron expression on two lines", { cron_schedule: "0 9\n* * *" }, "cron_schedule"],
  ["a time zone", { cron_schedule: "TZ=UTC 0 9 * * *" }, "cron_schedule"],
  ["an unknown macro", { cron_schedule: "@noon" }, "cron_schedule"],
  ["a day that never comes", { cron_schedule: "0 9 30 2 *" }, "cron_schedule"],
  ["an interval beyond all dates", { cron_schedule: "@every 2500000000h" }, "cron_schedule"],
  ["no prompt", { prompt: undefined }, "prompt"],
  ["a prompt of spaces", { prompt: " \n" }, "prompt"],
  ["a prompt with a NUL character", { prompt: "a\0" }, "prompt"],
  ["an unknown key in the configuration", { agent_config: { colour: 1 } }, "agent_config.colour"],
  ["a text as a switch", { enabled: "yes" }, "enabled"],
  ["an unknown key", { colour: "red" }, "colour"],
])(
  "%s is refused where a schedule is made or replaced, and the field is named",
  async (_, changes, field) => {
    const { server } = stage();
    const [existing = await make(server, DAILY)] = await list(server);
    const body = { ...DAILY, enabled: true, ...changes };
    for (const [method, path] of [
      ["POST", PATH],
      ["PUT", `${PATH}/${existing.id}`],
    ] as const) {
      const answer = await ask(server, method, path, { body });
      expect([answer.status, answer.body.field]).toEqual([400, field]);
    }
  },
);

test("a schedule cannot name an agent that does not exist, and a change must specify whether it is enabled", async () => {
  const { server } = stage();
  const agent = await ask(server, "POST", PATH, { body: { ...DAILY, agent_uid: "nobody" } });
  expect([agent.status, agent.body.field]).toEqual([400, "agent_uid"]);
  const { id } = await make(server, DAILY);
  const put = await ask(server, "PUT", `${PATH}/${id}`, { body: DAILY });
  expect([put.status, put.body.field]).toEqual([400, "enabled"]);
});

test("a uid without a schedule and an invalid uid get different errors", async () => {
  const { server } = stage();
  for (const [method, rest] of [
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "/pause"],
    ["POST", "/resume"],
  ] as const) {
    expect((await ask(server, method, `${PATH}/${UNKNOWN}${rest}`)).status).toBe(404);
    const malformed = await ask(server, method, `${PATH}/nobody${rest}`);
    expect([malformed.status, malformed.body.field]).toEqual([400, "scheduleId"]);
  }
});

test("schedules are read by viewers and written by operators", async () => {
  const { server } = stage();
  const { id } = await make(server, { ...DAILY, name: "of roles" });
  const statuses = async (role: "viewer" | "operator") => {
    const key = await aKey(server, { role });
    return [
      (await ask(server, "GET", PATH, { key })).status,
      (await ask(server, "GET", `${PATH}/${id}`, { key })).status,
      (await ask(server, "POST", PATH, { key, body: DAILY })).status,
      (await ask(server, "PUT", `${PATH}/${id}`, { key, body: { ...DAILY, enabled: true } })).status,
      (await ask(server, "POST", `${PATH}/${id}/pause`, { key })).status,
      (await ask(server, "POST", `${PATH}/${id}/resume`, { key })).status,
      (await ask(server, "DELETE", `${PATH}/${id}`, { key })).status,
    ];
  };
  expect(await statuses("viewer")).toEqual([200, 200, 403, 403, 403, 403, 403]);
  expect(await statuses("operator")).toEqual([200, 200, 201, 200, 200, 200, 200]);
});

test("a key of some factories sees their schedules and nothing else", async () => {
  const { server, acme, other } = await twoFactories();
  const all = await agents(server);
  const [ofAcme, ofOther] = [acme, other].map(
    (factory) => all.find(({ factory_uid }) => factory_uid === factory)?.uid,
  );
  const mine = await make(server, { ...DAILY, name: "acme's", agent_uid: ofAcme });
  const hidden = [
    await make(server, { ...DAILY, name: "other's", agent_uid: ofOther }),
    await make(server, { ...DAILY, name: "nobody's" }),
  ];
  const both = await aKey(server, { role: "operator", factories: [acme, other] });
  expect((await list(server, both)).map(({ name }) => name)).toEqual(["acme's", "other's"]);

  const key = await aKey(server, { role: "operator", factories: [acme] });
  expect(await list(server, key)).toEqual([mine]);
  for (const { id } of hidden) {
    expect((await ask(server, "GET", `${PATH}/${id}`, { key })).status).toBe(404);
    expect((await ask(server, "POST", `${PATH}/${id}/pause`, { key })).status).toBe(404);
    expect((await ask(server, "DELETE", `${PATH}/${id}`, { key })).status).toBe(404);
  }
  const stolen = await ask(server, "POST", PATH, { key, body: { ...DAILY, agent_uid: ofOther } });
  expect([stolen.status, stolen.body.field]).toEqual([400, "agent_uid"]);
  expect(await list(server)).toHaveLength(3);
});

test("the public API's own client makes, changes, pauses and deletes schedules", async () => {
  const { server } = stage();
  const { schedules } = new OzAPI({ apiKey: ADMIN_KEY, baseURL: `${server.url}/api/v1` }).agent;
  const { id } = await schedules.create({ ...DAILY, name: "by the client", enabled: true, team: true });
  await schedules.update(id, { ...DAILY, name: "by the client", cron_schedule: "@weekly", enabled: true });
  expect(await schedules.pause(id)).toMatchObject({ cron_schedule: "@weekly", enabled: false });
  expect(await schedules.resume(id)).toMatchObject({ enabled: true });
  const listed = await schedules.list();
  expect(listed.schedules).toContainEqual(await schedules.retrieve(id));
  expect(await schedules.delete(id)).toEqual({ success: true });
});
