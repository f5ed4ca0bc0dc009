import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { withFactoryLines } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { tenants } from "../../given/tenants.ts";

const SHOW = `console.log((process.env.THE_KEY ?? "none").split("").join(" "));`;
const FILES = {
  ...withFactoryLines(""),
  "agents/boss/agent.md":
    "---\nagentType: FOREMAN\nworkerHost: local\nharness: { type: keyed, model: m, auth: { source: workerEnvironment } }\n---\n",
};
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

  test("is every factory's where the settings share it", async () => {
    const { run } = await serverWith("workerEnvironment: { shared: true }\n");
    expect(await run("other")).toMatchObject({ transcript: "o w n\n" });
  });
});
