import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withFactoryLines } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { receiver } from "../../given/outbound.ts";
import { tenants } from "../../given/tenants.ts";

const SHOW = `console.log((process.env.THE_KEY ?? "none").split("").join(" "));`;
const BOSS =
  "---\nagentType: FOREMAN\nworkerHost: local\nharness: { type: keyed, model: m, auth: { source: workerEnvironment } }\n---\n";
const FILES = { ...withFactoryLines(""), "agents/boss/agent.md": BOSS };
const NAMED = /add workerEnvironment: \{ factories: \[[A-Za-z0-9]{22}\] \} to millrace\.yaml/;

/** A server that has a model key in its environment, with agents that take it from there. */
function serverWith(settings: string, names?: string[]) {
  const folder = folderWith({ "agent.mjs": SHOW });
  const keyed = { command: [process.execPath, join(folder, "agent.mjs")], keyVariables: ["THE_KEY"] };
  const harnesses = `harnesses: ${JSON.stringify({ keyed })}\n`;
  return tenants(harnesses + settings, {
    files: FILES,
    env: { THE_KEY: "own" },
    ...(names ? { names } : {}),
  });
}

describe("the model key in the environment of the server", () => {
  test("is the only factory's where the settings say nothing", async () => {
    const { run, problemsOf } = await serverWith("", ["acme"]);
    expect(await run("acme")).toMatchObject({ state: "SUCCEEDED", transcript: "o w n\n" });
    expect(await problemsOf("acme")).toEqual([]);
  });

  test("is of several only for those that the settings name", async () => {
    const { run, problemsOf } = await serverWith("workerEnvironment: { factories: [acme] }\n");
    expect(await run("acme")).toMatchObject({ transcript: "o w n\n" });
    expect(await problemsOf("acme")).toEqual([]);
    expect(await run("other")).toMatchObject({
      state: "FAILED",
      message: expect.stringMatching(
        /harness keyed has no key.*may not use.*Add `workerEnvironment: \{ factories: \[.{22}\] \}` to/,
      ),
    });
    expect(await problemsOf("other")).toEqual([expect.stringMatching(NAMED)]);
  });

  test("is for none of several where the settings say nothing, and the start, an apply and a plan warn about it", async () => {
    const { run, problemsOf, server } = await serverWith("");
    expect(server.log()).toMatch(
      /workerEnvironment in millrace\.yaml does not list the factories that may use it/,
    );
    expect(await run("acme")).toMatchObject({ state: "FAILED" });
    expect(await problemsOf("acme")).toEqual([expect.stringMatching(NAMED)]);
    const files = Object.entries(FILES).map(([path, content]) => ({ path, content }));
    const { warnings } = await server.api<{ warnings: { code: string; path: string; line: number }[] }>(
      "POST",
      "/factories/acme/plan",
      { files },
    );
    expect(warnings).toEqual([
      expect.objectContaining({ code: "worker_environment_refused", path: "agents/boss/agent.md", line: 4 }),
    ]);
  });

  test("is sent nowhere that a secret says: a run that gets such a secret fails, and a definition that grants one is refused", async () => {
    const { url, requests } = await receiver();
    const agent = `await fetch(process.env.THE_BASE_URL + "/v1", { headers: { "x-api-key": process.env.THE_KEY } }).catch(() => {});`;
    const folder = folderWith({ "agent.mjs": agent });
    const keyed = {
      command: [process.execPath, join(folder, "agent.mjs")],
      keyVariables: ["THE_KEY"],
      keyService: { url: "http://127.0.0.1:1", baseUrl: "THE_BASE_URL" },
    };
    const settings = `harnesses: ${JSON.stringify({ keyed })}\n`;
    const names = ["THE_BASE_URL", "HTTPS_PROXY", "all_proxy"];
    const { server, story, ended } = await tenants(settings, {
      files: FILES,
      env: { THE_KEY: "own" },
      names: ["acme"],
    });
    for (const name of [...names, "NO_PROXY"]) await story.setSecret(name, url);
    for (const name of names) {
      const environment = { name: `with-${name}`, secrets: [{ name }] };
      const { uid } = await server.api<{ uid: string }>("POST", "/agent/environments", environment);
      const asked = { prompt: "Do it.", factory: "acme", config: { environment_id: uid } };
      const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", asked);
      expect(await ended(run_id)).toMatchObject({
        state: "FAILED",
        message: expect.stringContaining(`The secret ${name} would determine where the API key`),
      });
    }
    expect(requests).toEqual([]);

    const granting = BOSS.replace("---\n", `---\nsecrets: [${names}, NO_PROXY]\n`);
    const files = Object.entries({ ...FILES, "agents/boss/agent.md": granting });
    const { warnings } = await server.api<{ warnings: object[] }>("POST", "/factories/acme/plan", {
      files: files.map(([path, content]) => ({ path, content })),
    });
    expect(warnings).toEqual(
      names.map((name) =>
        expect.objectContaining({
          code: "secret_redirects_key",
          blocking: true,
          path: "agents/boss/agent.md",
          line: 2,
          message: expect.stringContaining(`the secret "${name}" would determine where the model key`),
        }),
      ),
    );
  });

  test("is every factory's where the settings share it", async () => {
    const { run } = await serverWith("workerEnvironment: { shared: true }\n");
    expect(await run("other")).toMatchObject({ transcript: "o w n\n" });
  });
});
