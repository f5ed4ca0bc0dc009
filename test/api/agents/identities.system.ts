import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import type { Models } from "../../../src/client/typed-paths.ts";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY, TOKEN_WEBHOOK } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { type Server, startServer } from "../../given/server.ts";
import { twoFactories } from "../../given/serving.ts";

type Agent = components["schemas"]["AgentResponse"];
type Page = components["schemas"]["ListAgentIdentitiesResponse"];

const PATH = "/agent/identities";
const PROFILE = {
  name: "helper",
  description: "Helps.",
  secrets: [{ name: "B" }, { name: "A" }],
  skills: ["acme/shop:review", "acme/shop:triage"],
};
const UNKNOWN = "nobodyhasthisuid000000";

const stage = sharedByFile(() => twoFactories());
const make = (server: Server, profile: object) => server.api<Agent>("POST", PATH, profile);
const list = async (server: Server, key?: string) =>
  (await ask<Page>(server, "GET", PATH, key === undefined ? {} : { key })).body.agents;

describe("an identity that the API makes", () => {
  test("is made, read and deleted", async () => {
    const { server } = stage();
    const { status, body: made } = await ask<Agent>(server, "POST", PATH, { body: PROFILE });
    expect([status, made]).toEqual([
      201,
      {
        ...PROFILE,
        uid: expect.stringMatching(/^[A-Za-z0-9]{22}$/),
        available: true,
        created_at: expect.any(String),
        updated_at: made.created_at,
        agent_type: "CUSTOM",
        credential_strategy: "EXECUTOR",
        default_runner_uid: "",
        memory: { attached_stores: [], auto_memory: { enabled: false } },
      },
    ]);
    expect(await server.api("GET", `${PATH}/${made.uid}`)).toEqual(made);
    expect(await list(server)).toContainEqual(made);
    expect((await ask(server, "DELETE", `${PATH}/${made.uid}`)).status).toBe(204);
    expect(await list(server)).not.toContainEqual(made);
    for (const [method, body] of [["GET"], ["PUT", {}], ["DELETE"]] as const)
      expect((await ask(server, method, `${PATH}/${made.uid}`, { body })).status).toBe(404);
  });

  test("keeps what a change leaves out or sends as null, and loses what comes empty", async () => {
    const { server } = stage();
    const made = await make(server, { ...PROFILE, name: "partial" });
    const change = async (body: object) => {
      const { updated_at, ...changed } = await server.api<Agent>("PUT", `${PATH}/${made.uid}`, body);
      return changed;
    };
    const { updated_at, ...before } = made;
    expect(await change({})).toEqual(before);
    expect(await change({ name: null, description: null, secrets: null, skills: null })).toEqual(before);
    expect(await change({ secrets: [{ name: "C" }] })).toEqual({ ...before, secrets: [{ name: "C" }] });
    expect(await change({ description: "", secrets: [], skills: [], name: "other" })).toEqual({
      ...before,
      name: "other",
      description: null,
      secrets: [],
      skills: [],
    });
  });

  test("gets all changes that come at the same time", async () => {
    const { server } = stage();
    const { uid } = await make(server, { name: "both" });
    await Promise.all(
      [{ description: "new" }, { skills: ["a"] }, { prompt: "p" }, { base_model: "m" }].map((body) =>
        server.api("PUT", `${PATH}/${uid}`, body),
      ),
    );
    expect(await server.api("GET", `${PATH}/${uid}`)).toMatchObject({
      description: "new",
      skills: ["a"],
      prompt: "p",
      base_model: "m",
    });
  });

  test("has a unique name, and is created once when two requests for it come at the same time", async () => {
    const { server } = stage();
    const answers = await Promise.all(
      [1, 2].map(() => ask(server, "POST", PATH, { body: { name: "race" } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
      field: "name",
      retryable: false,
    });
    const { uid } = await make(server, { name: "racer" });
    expect((await ask(server, "PUT", `${PATH}/${uid}`, { body: { name: "race" } })).status).toBe(409);
    expect((await ask(server, "PUT", `${PATH}/${uid}`, { body: { name: "racer" } })).status).toBe(200);
    expect((await ask(server, "POST", PATH, { body: { name: "boss" } })).status).toBe(201);
  });

  test("still exists after a restart", async () => {
    const options = { sources: [folderWith(FACTORY)], dataDir: join(temporaryFolder(), "data") };
    const before = await startServer(options);
    const made = await make(before, PROFILE);
    await before.stop();
    const after = await startServer(options);
    expect(await after.api("GET", `${PATH}/${made.uid}`)).toEqual(made);
  });
});

describe("an agent of a definition", () => {
  test("is listed with its factory, its type, and the secrets and skills that its runs get", async () => {
    const skill = (name: string) => `---\nname: ${name}\ndescription: Does it.\n---\nDo it.\n`;
    const server = await startServer({
      sources: [
        folderWith({
          ...FACTORY,
          "factory.yaml": `${FACTORY["factory.yaml"]}secrets: [SHARED, HOOK]\n`,
          "webhooks/w.yaml": TOKEN_WEBHOOK.replace("CI_SECRET", "HOOK"),
          "agents/coder/agent.md":
            "---\nagentType: IMPLEMENT\ndescription: Writes code.\nsecrets: [OWN]\n---\nWrite.\n",
          "skills/common/SKILL.md": skill("common"),
          "agents/coder/skills/refactor/SKILL.md": skill("refactor"),
          "agents/boss/skills/plan/SKILL.md": skill("plan"),
        }),
      ],
    });
    for (const name of ["SHARED", "HOOK", "OWN"]) await server.api("PUT", `/secrets/${name}`, { value: "x" });
    const { factories } = await server.api<{ factories: { uid: string }[] }>("GET", "/factories");
    const factory = factories[0]?.uid ?? "";
    await server.api("POST", `/factories/${factory}/sync?wait=true`);

    const agents = await list(server);
    expect(agents.map(({ name }) => name)).toEqual(["boss", "coder"]);
    const coder = agents[1];
    expect(coder).toEqual({
      uid: expect.stringMatching(/^[A-Za-z0-9]{22}$/),
      name: "coder",
      description: "Writes code.",
      available: true,
      created_at: expect.any(String),
      updated_at: expect.any(String),
      secrets: [{ name: "SHARED" }, { name: "OWN" }],
      skills: expect.arrayContaining(["common", "refactor"]),
      factory_uid: factory,
      agent_type: "IMPLEMENT",
      credential_strategy: "EXECUTOR",
      default_runner_uid: "",
      memory: { attached_stores: [], auto_memory: { enabled: false } },
      prompt: "Write.",
      base_harness: "command",
      base_model: "none",
      harness: { type: "command", model_id: "none" },
    });
    expect(coder?.skills).toHaveLength(2);
    expect(await server.api("GET", `${PATH}/${coder?.uid}`)).toEqual(coder);
  });

  test.each([
    ["PUT", { name: "other" }],
    ["DELETE", undefined],
  ])("is not changed by %s, and the file to change is named", async (method, body) => {
    const { server, other } = stage();
    const boss = (await list(server)).find(({ factory_uid }) => factory_uid === other);
    const answer = await ask(server, method, `${PATH}/${boss?.uid}`, { body });
    expect([answer.status, answer.body.retryable]).toEqual([409, false]);
    expect(answer.body.detail).toBe(
      'The agent "boss" is read-only here: it is defined in agents/boss/agent.md of the factory "other".',
    );
    expect(await list(server)).toContainEqual(boss);
  });
});

test("the list goes page by page through both kinds of agents", async () => {
  const { server } = await twoFactories();
  for (const name of ["zoe", "ann"]) await make(server, { name });
  const names: string[] = [];
  let cursor = "";
  for (let page = 0; page < 4; page += 1) {
    const { agents, page_info } = await server.api<Page>("GET", `${PATH}?limit=1${cursor}`);
    names.push(...agents.map(({ name }) => name));
    cursor = `&cursor=${page_info.next_cursor}`;
    expect(page_info.has_next_page).toBe(page < 3);
  }
  expect(names).toEqual(["ann", "boss", "boss", "zoe"]);
});

const wrong: [string, object, string][] = [
  ["an empty name", { name: "" }, "name"],
  ["a name of 201 characters", { name: "x".repeat(201) }, "name"],
  ["a name with a control character", { name: "a\u0007" }, "name"],
  ["a list as a description", { name: "x", description: [] }, "description"],
  ["a secret as a text", { name: "x", secrets: ["A"] }, "secrets[0]"],
  ["a secret that no variable can hold", { name: "x", secrets: [{ name: "1A" }] }, "secrets[0].name"],
  ["a secret twice", { name: "x", secrets: [{ name: "A" }, { name: "B" }, { name: "A" }] }, "secrets"],
  ["an empty skill", { name: "x", skills: [""] }, "skills[0]"],
  ["an unknown key", { name: "x", promt: "x" }, "promt"],
  ["memory stores as a text", { name: "x", memory: { attached_stores: "none" } }, "memory.attached_stores"],
  ["automatic memory as a text", { name: "x", memory: { auto_memory: "on" } }, "memory.auto_memory"],
];

test.each(wrong)("%s is refused, and the field is named", async (_, body, field) => {
  const { server } = stage();
  const uid = (await list(server)).find((agent) => agent.factory_uid === undefined)?.uid;
  const changed = uid ?? (await make(server, { name: "to change" })).uid;
  for (const [method, path] of [
    ["POST", PATH],
    ["PUT", `${PATH}/${changed}`],
  ] as const) {
    const answer = await ask(server, method, path, { body });
    expect([answer.status, answer.body.field]).toEqual([400, field]);
  }
});

test("memory that is null asks for nothing", async () => {
  const memory = { attached_stores: null, auto_memory: null };
  const answer = await ask(stage().server, "POST", PATH, { body: { name: "forgetful", memory } });
  expect(answer).toMatchObject({ status: 201 });
});

test("an identity needs a name, and a uid in its path", async () => {
  const { server } = stage();
  expect((await ask(server, "POST", PATH, { body: {} })).body).toMatchObject({ status: 400, field: "name" });
  expect((await ask(server, "GET", `${PATH}/nobody`)).body).toMatchObject({ status: 400, field: "uid" });
  expect((await ask(server, "GET", `${PATH}/${UNKNOWN}`)).status).toBe(404);
});

test("identities are read by viewers and written by admins", async () => {
  const { server } = stage();
  const { uid } = await make(server, { name: "of roles" });
  const statuses = async (role: "viewer" | "operator" | "admin") => {
    const key = await aKey(server, { role });
    return [
      (await ask(server, "GET", PATH, { key })).status,
      (await ask(server, "GET", `${PATH}/${uid}`, { key })).status,
      (await ask(server, "POST", PATH, { key, body: { name: `by ${role}` } })).status,
      (await ask(server, "PUT", `${PATH}/${uid}`, { key, body: {} })).status,
      (await ask(server, "DELETE", `${PATH}/${uid}`, { key })).status,
    ];
  };
  expect(await statuses("viewer")).toEqual([200, 200, 403, 403, 403]);
  expect(await statuses("operator")).toEqual([200, 200, 403, 403, 403]);
  expect(await statuses("admin")).toEqual([200, 200, 201, 200, 204]);
});

test("a key of some factories sees their agents and nothing else", async () => {
  const { server, acme, other } = stage();
  const { uid } = await make(server, { name: "of nobody's" });
  const beyond = (await list(server)).find(({ factory_uid }) => factory_uid === other)?.uid;
  const key = await aKey(server, { role: "admin", factories: [acme] });
  const seen = await list(server, key);
  expect(seen.map(({ name, factory_uid }) => [name, factory_uid])).toEqual([["boss", acme]]);
  for (const hidden of [uid, beyond]) {
    expect((await ask(server, "GET", `${PATH}/${hidden}`, { key })).status).toBe(404);
    expect((await ask(server, "PUT", `${PATH}/${hidden}`, { key, body: {} })).status).toBe(404);
    expect((await ask(server, "DELETE", `${PATH}/${hidden}`, { key })).status).toBe(404);
  }
  expect((await ask(server, "DELETE", `${PATH}/${seen[0]?.uid}`, { key })).status).toBe(409);
  expect((await ask(server, "POST", PATH, { key, body: { name: "x" } })).status).toBe(403);
});

test("the agents of one factory are listed, and none for a factory that there is not or that a key does not reach", async () => {
  const { server, acme, other } = stage();
  await make(server, { name: "of no factory" });
  const key = await aKey(server, { role: "viewer", factories: [acme] });
  const of = async (factory: string, options = {}) =>
    (await ask<Page>(server, "GET", `${PATH}?factory_uid=${factory}`, options)).body.agents;
  for (const factory of [acme, other])
    expect((await of(factory)).map(({ name, factory_uid }) => [name, factory_uid])).toEqual([
      ["boss", factory],
    ]);
  expect(await of(UNKNOWN)).toEqual([]);
  expect(await of(acme, { key })).toHaveLength(1);
  expect(await of(other, { key })).toEqual([]);
});

const PRICES = "prices: { priced-model: { input: 1, output: 2 } }\n";

test("models are those that definitions and agents name, and those whose price is known", async () => {
  const model = (name: string) => ({
    "agents/helper/agent.md": `---\nharness: { type: claude, model: ${name} }\n---\nHelp.\n`,
  });
  const { server, acme, other } = await twoFactories(model("house-model"), {
    args: ["--config", join(folderWith({ "millrace.yaml": PRICES }), "millrace.yaml")],
  });
  await make(server, { name: "modelled", base_model: "identity-model" });
  const listed = async (key?: string) => {
    const asked = key === undefined ? {} : { key };
    return (await ask<Models["ListModelsResponse"]>(server, "GET", "/agent/models", asked)).body.models;
  };
  const models = async (key?: string) => (await listed(key)).map(({ id }) => id);
  const all = await models();
  expect(all).toEqual(
    expect.arrayContaining(["claude-opus-5", "house-model", "identity-model", "priced-model"]),
  );
  expect(all).toEqual([...new Set(all)].sort());
  expect(await listed()).toEqual(
    expect.arrayContaining([
      { id: "claude-opus-5", display_name: "claude-opus-5", provider: "ANTHROPIC" },
      { id: "house-model", display_name: "house-model", provider: "UNKNOWN" },
    ]),
  );
  const bound = await models(await aKey(server, { role: "viewer", factories: [acme, other] }));
  expect(bound).toContain("house-model");
  expect(bound).not.toContain("identity-model");
  expect(await models(await aKey(server, { role: "viewer", factories: [] }))).not.toContain("house-model");
});
