import { describe, expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { automationWith } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { type Created, listeningTo, managedBy, serveManaged } from "../../given/managed.ts";
import { type Server, startServer, waitFor } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

type Secret = components["schemas"]["Secret"];

/** Prints every variable that a test could have made. */
const TELLS = `console.log(Object.keys(process.env).filter((name) => /^(MINE|THEIRS|ALL|FORGE)/.test(name)).sort().join(" ") + "!");`;
const SETTINGS = `forges:
  github: { baseUrl: "https://github.com", token: { secret: FORGE_TOKEN } }
`;
const NEVER = `triggers: [{ provider: schedule, event: cron_fired, schedule: { cron: "0 0 1 1 *" } }]`;

/** A server with the factories "mine" and "theirs", and a key for the first. */
const given = sharedByFile(async () => {
  const config = folderWith({ "millrace.yaml": SETTINGS });
  const { server } = await serveManaged({ agent: TELLS, args: ["--config", `${config}/millrace.yaml`] });
  const uidOf = async (name: string) =>
    (await server.api<{ uid: string }>("POST", "/factories", { name })).uid;
  const [mine, theirs] = [await uidOf("mine"), await uidOf("theirs")];
  const key = await aKey(server, { role: "admin", factories: [mine] });
  await server.api("PUT", "/secrets/THEIRS", { value: "theirs-value", factories: ["theirs"] });
  await server.api("PUT", "/secrets/MINE", { value: "mine-value", factories: ["mine"] });
  await server.api("PUT", "/secrets/ALL", { value: "all-value", shared: true });
  await server.api("PUT", "/secrets/FORGE_TOKEN", { value: "forge-value" });
  return { server, mine, theirs, key };
});

const put = (server: Server, name: string, body: object, key?: string) =>
  ask<Secret & { detail: string }>(server, "PUT", `/secrets/${name}`, { body, ...(key ? { key } : {}) });
const listed = async (server: Server, key?: string) =>
  (await ask<{ secrets: Secret[] }>(server, "GET", "/secrets?limit=500", key ? { key } : {})).body.secrets;

describe("a key for one factory", () => {
  test("sees the secrets that its factory may use, and no others", async () => {
    const { server, key } = given();
    const names = (await listed(server, key)).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(["ALL", "MINE"]));
    expect(names).not.toContain("THEIRS");
    expect(names).not.toContain("FORGE_TOKEN");
  });

  test("sets secrets, which are its factory's", async () => {
    const { server, key } = given();
    const made = await put(server, "MINE_TOO", { value: "x" }, key);
    expect(made.status).toBe(200);
    expect(made.body).toMatchObject({ shared: false, factories: ["mine"] });
    expect((await ask(server, "DELETE", "/secrets/MINE_TOO", { key })).status).toBe(204);
  });

  test("can neither share one nor give it to another factory", async () => {
    const { server, key } = given();
    expect((await put(server, "MINE_A", { value: "x", shared: true }, key)).status).toBe(403);
    expect((await put(server, "MINE_B", { value: "x", factories: ["theirs"] }, key)).status).toBe(400);
    expect((await put(server, "MINE_C", { value: "x", factories: [] }, key)).status).toBe(400);
    expect((await listed(server)).map(({ name }) => name)).not.toEqual(
      expect.arrayContaining([expect.stringMatching(/^MINE_[ABC]$/)]),
    );
  });

  test.each(["THEIRS", "FORGE_TOKEN", "ALL"])("neither sets nor deletes %s", async (name) => {
    const { server, key } = given();
    const before = (await listed(server)).find((secret) => secret.name === name);
    const set = await put(server, name, { value: "taken over" }, key);
    const moved = await put(server, name, { factories: ["mine"] }, key);
    const gone = await ask(server, "DELETE", `/secrets/${name}`, { key });
    const status = name === "ALL" ? [403, 403, 403] : [409, 409, 404];
    expect([set.status, moved.status, gone.status]).toEqual(status);
    expect((await listed(server)).find((secret) => secret.name === name)).toEqual(before);
  });

  test.each([
    ["an automation", "automations/steals/automation.md", automationWith(`secrets: [THEIRS]\n${NEVER}`)],
    [
      "an automation, of the server's own",
      "automations/s/automation.md",
      automationWith(`secrets: [FORGE_TOKEN]\n${NEVER}`),
    ],
    [
      "the key of a harness",
      "automations/steals/automation.md",
      automationWith(
        `harness: { type: claude, model: none, auth: { source: managedSecret, secretName: THEIRS } }\n${NEVER}`,
      ),
    ],
    ["a token webhook", "webhooks/steals.yaml", "authMode: token\nsecretName: THEIRS\n"],
    [
      "a url_token webhook, of the server's own",
      "webhooks/s.yaml",
      "authMode: url_token\nsecretName: FORGE_TOKEN\n",
    ],
  ])("cannot have %s use a secret of others", async (_, path, content) => {
    const { server, key } = given();
    const file = `/files/${encodeURIComponent(path)}`;
    const { call } = managedBy(server, "mine");
    const edited = await call<{ detail: string }>("PUT", file, { key, body: { content } });
    expect(edited.status).toBe(400);
    expect(edited.body.detail).toMatch(/"(THEIRS|FORGE_TOKEN)"/);
    const body = { files: [{ path, content }] };
    expect((await call("POST", "/files", { key, body })).status).toBe(400);
    expect((await call("GET", file)).status).toBe(404);
  });

  test("gets the same answer for a secret of others as for one that does not exist, in edits and in plans", async () => {
    const { server, key } = given();
    const { call } = managedBy(server, "mine");
    const told = async (name: string) => {
      const content = automationWith(`secrets: [${name}]\n${NEVER}`);
      const edited = await call<{ detail: string }>("PUT", "/automations/a", { key, body: { content } });
      const files = [{ path: "automations/a/automation.md", content }];
      const planned = await call("POST", "/plan", { key, body: { files } });
      const { traffic: _, ...plan } = planned.body;
      return JSON.stringify([edited.body.detail, plan]).replaceAll(name, "NAME");
    };
    expect(await told("THEIRS")).toEqual(await told("NOBODYS"));
    expect(await told("THEIRS")).toContain("millrace secrets set");
  });

  test("learns nothing of a value by webhooks that name the secret of others", async () => {
    const { server, key } = given();
    const { call, webhooks } = managedBy(server, "mine");
    const create = (body: object) => call<{ detail: string }>("POST", "/webhooks", { key, body });
    expect((await create({ name: "guess", secret_name: "THEIRS" })).status).toBe(409);
    const signed = { auth_mode: "signature", signature_scheme: "github" };
    const chosen = await create({ name: "g", ...signed, secret: "theirs-value", secret_name: "THEIRS" });
    expect(chosen.status).toBe(409);
    const forge = await create({ name: "g", ...signed, secret: "known", secret_name: "FORGE_TOKEN" });
    expect(forge.status).toBe(409);
    // One that awaits its secret may name any; it never gets this one.
    const awaits = await create({
      name: "waits",
      auth_mode: "signature",
      signature_scheme: "stripe",
      secret_name: "THEIRS",
    });
    expect(awaits.status).toBe(201);
    const [waiting] = (await webhooks()).filter(({ name }) => name === "waits");
    expect(waiting).toMatchObject({ status: "awaiting_secret", has_newer_secret: false });
    const rotated = await call("POST", `/webhooks/${waiting?.uid}/rotate-secret`, {
      key,
      body: { secret: "mine" },
    });
    expect(rotated.status).toBe(409);
    const before = await listed(server);
    expect(
      (await call("DELETE", `/webhooks/${waiting?.uid}`, { key, headers: { "if-match": "*" } })).status,
    ).toBe(204);
    expect(await listed(server)).toEqual(before);
  });

  test("does not become the owner of the server's credentials before they are set", async () => {
    const config = folderWith({ "millrace.yaml": SETTINGS.replace("FORGE_TOKEN", "FORGE_LATER") });
    const { server, create } = await serveManaged({ args: ["--config", `${config}/millrace.yaml`] });
    const { uid } = await server.api<{ uid: string }>("GET", "/factories/default");
    const key = await aKey(server, { role: "admin", factories: [uid] });
    expect((await put(server, "FORGE_LATER", { value: "x" }, key)).status).toBe(409);
    const { call } = managedBy(server);
    const body = { name: "later", secret_name: "FORGE_LATER" };
    expect((await call("POST", "/webhooks", { key, body })).status).toBe(409);
    await create({ name: "other" });
    expect((await listed(server)).map(({ name }) => name)).not.toContain("FORGE_LATER");
  });
});

describe("a key for the whole server", () => {
  test("must specify who may use a new secret where there are several factories", async () => {
    const { server } = given();
    const refused = await put(server, "ALL_NEW", { value: "x" });
    expect(refused.status).toBe(400);
    expect(JSON.stringify(refused.body)).toMatch(/secrets set ALL_NEW --factory .*--shared/);
    const both = await put(server, "ALL_NEW", { value: "x", shared: true, factories: ["mine"] });
    expect(both.status).toBe(400);
    expect((await put(server, "ALL_NEW", { value: "x", factories: ["nowhere"] })).status).toBe(400);
    const set = await put(server, "ALL_NEW", { value: "x", factories: ["theirs", "mine", "mine"] });
    expect(set.body.factories.toSorted()).toEqual(["mine", "theirs"]);
    // Another value changes nothing of that.
    expect((await put(server, "ALL_NEW", { value: "y" })).body.factories).toHaveLength(2);
  });

  test("changes who may use a secret without sending its value, and cannot take it from a factory that uses it", async () => {
    const { server } = given();
    await put(server, "ALL_MOVED", { value: "x", factories: ["theirs"] });
    expect((await put(server, "ALL_MOVED", { shared: true })).body).toMatchObject({ shared: true });
    expect((await put(server, "ALL_MOVED", {})).status).toBe(400);
    expect((await put(server, "ALL_NOWHERE", { shared: true })).status).toBe(404);
    const content = automationWith(`secrets: [ALL_MOVED]\n${NEVER}`);
    const { call } = managedBy(server, "theirs");
    expect((await call("PUT", "/automations/uses", { body: { content } })).status).toBe(201);
    const taken = await put(server, "ALL_MOVED", { factories: ["mine"] });
    expect([taken.status, taken.body.detail]).toEqual([
      409,
      'The secret ALL_MOVED is used by the definition of "theirs".',
    ]);
    expect((await put(server, "ALL_MOVED", { factories: ["mine", "theirs"] })).status).toBe(200);
  });

  test("sees that the server's own credentials belong to it alone, and cannot delete them", async () => {
    const { server } = given();
    const forge = (await listed(server)).find(({ name }) => name === "FORGE_TOKEN");
    expect(forge).toMatchObject({ shared: false, factories: [], of_server: true });
    expect((await ask(server, "DELETE", "/secrets/FORGE_TOKEN")).status).toBe(409);
  });
});

describe("a turn", () => {
  const transcriptOf = async (server: Server, body: object) => {
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", body);
    const story = storyOf(server);
    await story.ended(run_id);
    return story.transcript(run_id);
  };

  test("in an environment of the team gets of its secrets what its factory may use", async () => {
    const { server, key } = given();
    const environment = await server.api<{ uid: string }>("POST", "/agent/environments", {
      name: "of the team",
      secrets: [{ name: "MINE" }, { name: "THEIRS" }, { name: "FORGE_TOKEN" }],
    });
    const { call, deliver } = managedBy(server, "mine");
    const hook = await call<Created>("POST", "/webhooks", { key, body: { name: "go" } });
    const content = listeningTo("go").replace("---\n", `---\nenvironmentId: ${environment.uid}\n`);
    expect((await call("PUT", "/automations/go", { key, body: { content } })).status).toBe(201);
    const story = storyOf(server);
    expect(await deliver(hook.body.url, hook.body.secret)).toBe(202);
    const run = await waitFor(async () => (await story.runs()).find(({ title }) => title === "go"));
    await story.ended(run.run_id);
    const transcript = await story.transcript(run.run_id);
    expect(transcript).toContain("MINE!");
    expect(transcript).toContain("the secret THEIRS is not set in this turn");
    expect(transcript).toContain("the secret FORGE_TOKEN is not set in this turn");
  });

  test("of no factory gets what an admin has granted it, but no credential of the server", async () => {
    const { server } = given();
    const { uid } = await server.api<{ uid: string }>("POST", "/agent/identities", {
      name: "everything",
      secrets: [{ name: "MINE" }, { name: "ALL" }, { name: "FORGE_TOKEN" }],
    });
    const transcript = await transcriptOf(server, { prompt: "Go.", agent_identity_uid: uid });
    expect(transcript).toContain("ALL MINE!");
    expect(transcript).toContain("the secret FORGE_TOKEN is not set in this turn");
  });
});

test("on a server with one factory, no one has to specify who may use a secret", async () => {
  const server = await startServer({ sources: [] });
  await waitFor(async () => (await server.fetch("/readyz")).status === 200);
  expect(await server.api("PUT", "/secrets/PLAIN", { value: "x" })).toMatchObject({
    shared: false,
    factories: ["default"],
  });
  await server.api("POST", "/factories", { name: "second" });
  expect(await server.api("PUT", "/secrets/PLAIN", { value: "y" })).toMatchObject({ factories: ["default"] });
});

test("a run can name its factory, whose foreman takes it with its secrets", async () => {
  const { server, mine, key } = given();
  const create = (body: object, own?: string) =>
    ask<{ run_id: string; detail: string }>(server, "POST", "/agent/runs", {
      body: { prompt: "Go.", ...body },
      ...(own ? { key: own } : {}),
    });
  for (const factory of ["mine", mine]) {
    const { body } = await create({ factory });
    expect(await server.api("GET", `/agent/runs/${body.run_id}`)).toMatchObject({ factory_uid: mine });
  }
  for (const [factory, own] of [
    ["nowhere", undefined],
    ["theirs", key],
  ] as const) {
    const refused = await create({ factory }, own);
    expect([refused.status, refused.body.detail]).toEqual([
      400,
      `factory: there is no factory "${factory}".`,
    ]);
  }
});
