import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { aKey, ask } from "../../given/ask.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { type Server, startServer } from "../../given/server.ts";
import { twoFactories } from "../../given/serving.ts";

type Environment = components["schemas"]["CloudEnvironment"];
type Page = components["schemas"]["ListEnvironmentsResponse"];

const PATH = "/agent/environments";
const CONFIG = {
  name: "web",
  description: "For the shop.",
  docker_image: "registry.example.com/acme/web:1",
  github_repos: [{ owner: "acme", repo: "shop" }],
  setup_commands: ["npm ci", "npm run build"],
  cache_setup: false,
  secrets: [{ name: "NPM_TOKEN" }],
};
const UNKNOWN = "nobodyhasthisuid000000";

const stage = sharedByFile(() => startServer({ sources: [folderWith(FACTORY)] }));
const make = (server: Server, config: object) => server.api<Environment>("POST", PATH, config);

describe("an environment", () => {
  test("is made, read, replaced as a whole, and deleted", async () => {
    const server = stage();
    const { status, body: made } = await ask<Environment>(server, "POST", PATH, { body: CONFIG });
    expect(status).toBe(201);
    expect(made).toEqual({
      uid: expect.stringMatching(/^[A-Za-z0-9]{22}$/),
      config: CONFIG,
      created_at: expect.any(String),
      last_updated: made.created_at,
      setup_failed: false,
      creator: { type: "user", uid: expect.any(String), display_name: "admin" },
      last_editor: made.creator,
      scope: { type: "Team" },
      missing_secrets: ["NPM_TOKEN"],
    });
    expect(await server.api("GET", `${PATH}/${made.uid}`)).toEqual(made);

    const replaced = await server.api<Environment>("PUT", `${PATH}/${made.uid}`, { name: "web" });
    const nothing = { description: null, github_repos: [], setup_commands: [], secrets: [] };
    const { missing_secrets: _, ...kept } = made;
    expect(replaced).toEqual({
      ...kept,
      config: { name: "web", ...nothing },
      last_updated: replaced.last_updated,
    });
    expect(await server.api("GET", `${PATH}/${made.uid}`)).toEqual(replaced);

    expect((await ask(server, "DELETE", `${PATH}/${made.uid}`)).status).toBe(204);
    for (const [method, body] of [["GET"], ["PUT", CONFIG], ["DELETE"]] as const)
      expect((await ask(server, method, `${PATH}/${made.uid}`, { body })).status).toBe(404);
  });

  test("is listed by name or the last updated first, page by page", async () => {
    const server = await startServer({ sources: [folderWith(FACTORY)] });
    const first = await make(server, { name: "b" });
    for (const name of ["c", "a"]) await make(server, { name });
    await server.api("PUT", `${PATH}/${first.uid}`, { name: "b" });
    const walk = async (query: string) => {
      const one = await server.api<Page>("GET", `${PATH}?limit=2${query}`);
      const two = await server.api<Page>(
        "GET",
        `${PATH}?limit=2${query}&cursor=${one.page_info.next_cursor}`,
      );
      expect([one.environments.length, two.page_info]).toEqual([2, { has_next_page: false }]);
      return [...one.environments, ...two.environments].map(({ config }) => config.name);
    };
    expect(await walk("&sort_by=name")).toEqual(["a", "b", "c"]);
    const byUpdate = await walk("");
    expect([...byUpdate].sort()).toEqual(["a", "b", "c"]);
    const { environments } = await server.api<Page>("GET", PATH);
    const times = environments.map(({ last_updated }) => last_updated);
    expect(times).toEqual([...times].sort().reverse());
  });

  test("has a name of its own", async () => {
    const server = stage();
    const [one, two] = [await make(server, { name: "one" }), await make(server, { name: "two" })];
    const taken = await ask(server, "POST", PATH, { body: { name: "one" } });
    expect([taken.status, taken.headers.get("x-should-retry")]).toEqual([409, "false"]);
    expect(taken.body).toMatchObject({ field: "name", retryable: false, remedy: expect.any(String) });
    expect((await ask(server, "PUT", `${PATH}/${two.uid}`, { body: { name: "one" } })).status).toBe(409);
    expect((await server.api<Environment>("GET", `${PATH}/${two.uid}`)).config.name).toBe("two");
    expect((await ask(server, "PUT", `${PATH}/${one.uid}`, { body: { name: "one" } })).status).toBe(200);
  });

  test("is created once when two requests for its name come at the same time", async () => {
    const server = stage();
    const answers = await Promise.all(
      ["a", "b"].map((description) => ask(server, "POST", PATH, { body: { name: "race", description } })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
  });

  test("still exists after a restart", async () => {
    const options = { sources: [folderWith(FACTORY)], dataDir: join(temporaryFolder(), "data") };
    const before = await startServer(options);
    const made = await make(before, CONFIG);
    await before.stop();
    const after = await startServer(options);
    expect((await after.api<Page>("GET", PATH)).environments).toEqual([made]);
  });
});

test.each<[string, object, string]>([
  ["no name", {}, "name"],
  ["an empty name", { name: "" }, "name"],
  ["a name of spaces", { name: "  " }, "name"],
  ["a name of 201 characters", { name: "x".repeat(201) }, "name"],
  ["a name of two lines", { name: "a\nb" }, "name"],
  ["half of a character as a name", { name: "\ud800" }, "name"],
  ["a number as a description", { name: "x", description: 1 }, "description"],
  ["an image that reads as an option", { name: "x", docker_image: "--privileged" }, "docker_image"],
  ["an image in a file of the server", { name: "x", docker_image: "docker-archive:/etc/x" }, "docker_image"],
  ["an image with a space", { name: "x", docker_image: "a b" }, "docker_image"],
  ["a repository as a text", { name: "x", github_repos: ["a/b"] }, "github_repos[0]"],
  ["a repository without a name", { name: "x", github_repos: [{ owner: "a" }] }, "github_repos[0].repo"],
  ...["..", "a..b", "x.lock", "a.git", ".hidden"].map((repo): [string, object, string] => [
    `a repository named ${repo}`,
    { name: "x", github_repos: [{ owner: "a", repo }] },
    "github_repos[0].repo",
  ]),
  [
    "an owner named a.git",
    { name: "x", github_repos: [{ owner: "a.git", repo: "b" }] },
    "github_repos[0].owner",
  ],
  [
    "an owner that reads as an option",
    { name: "x", github_repos: [{ owner: "-a", repo: "b" }] },
    "github_repos[0].owner",
  ],
  ["an empty command", { name: "x", setup_commands: ["a", ""] }, "setup_commands[1]"],
  ["a command with a NUL character", { name: "x", setup_commands: ["a\0"] }, "setup_commands[0]"],
  ["a secret that no variable can hold", { name: "x", secrets: [{ name: "A-B" }] }, "secrets[0].name"],
  ["a secret twice", { name: "x", secrets: [{ name: "A" }, { name: "A" }] }, "secrets"],
  ["an unknown key", { name: "x", colour: "red" }, "colour"],
])(
  "%s is refused where an environment is made or replaced, and the field is named",
  async (_, body, field) => {
    const server = stage();
    const { environments } = await server.api<Page>("GET", PATH);
    const uid = environments[0]?.uid ?? (await make(server, { name: "to replace" })).uid;
    for (const [method, path] of [
      ["POST", PATH],
      ["PUT", `${PATH}/${uid}`],
    ] as const) {
      const answer = await ask(server, method, path, { body });
      expect([answer.status, answer.body.field]).toEqual([400, field]);
    }
  },
);

test("a uid without an environment and an invalid uid get different errors", async () => {
  const server = stage();
  const missing = await ask(server, "GET", `${PATH}/${UNKNOWN}`);
  expect([missing.status, missing.body.detail]).toEqual([404, `There is no environment "${UNKNOWN}".`]);
  const malformed = await ask(server, "GET", `${PATH}/nobody`);
  expect([malformed.status, malformed.body.field]).toEqual([400, "uid"]);
});

test("environments are read by viewers and written by admins", async () => {
  const server = stage();
  const { uid } = await make(server, { name: "of roles" });
  const statuses = async (role: "viewer" | "operator" | "admin") => {
    const key = await aKey(server, { role });
    return [
      (await ask(server, "GET", PATH, { key })).status,
      (await ask(server, "GET", `${PATH}/${uid}`, { key })).status,
      (await ask(server, "POST", PATH, { key, body: { name: `by ${role}` } })).status,
      (await ask(server, "PUT", `${PATH}/${uid}`, { key, body: { name: "of roles" } })).status,
      (await ask(server, "DELETE", `${PATH}/${uid}`, { key })).status,
    ];
  };
  expect(await statuses("viewer")).toEqual([200, 200, 403, 403, 403]);
  expect(await statuses("operator")).toEqual([200, 200, 403, 403, 403]);
  expect(await statuses("admin")).toEqual([200, 200, 201, 200, 204]);
});

test("a key of some factories sees no environment", async () => {
  const { server, acme } = await twoFactories();
  const { uid } = await make(server, CONFIG);
  const key = await aKey(server, { role: "admin", factories: [acme] });
  expect((await ask<Page>(server, "GET", PATH, { key })).body.environments).toEqual([]);
  expect((await ask(server, "GET", `${PATH}/${uid}`, { key })).status).toBe(404);
  expect((await ask(server, "PUT", `${PATH}/${uid}`, { key, body: CONFIG })).status).toBe(404);
  expect((await ask(server, "DELETE", `${PATH}/${uid}`, { key })).status).toBe(404);
  expect((await ask(server, "POST", PATH, { key, body: { name: "x" } })).status).toBe(403);
  expect((await server.api<Page>("GET", PATH)).environments).toHaveLength(1);
});
