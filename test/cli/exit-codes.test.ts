import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import { EXIT_CODES, exitCodeOf } from "../../src/cli/exit-code.ts";
import { ask, makeKey } from "../given/ask.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import { ADMIN_KEY, run } from "../given/server.ts";
import { serving } from "../given/serving.ts";

const stage = sharedByFile(async () => {
  const files = { ...FACTORY, "webhooks/ci.yaml": TOKEN_WEBHOOK };
  const { server } = await serving(files, { CI_SECRET: "x" }, { agent: "process.exit(3)" });
  const viewer = await makeKey(server, { name: "viewer" });
  return { server, viewer };
});

describe("a command ends with", () => {
  test.each<[number, string, string[], Record<string, string>]>([
    [0, "what went well", ["runs", "list"], {}],
    [0, "help that was asked for", ["runs", "--help"], {}],
    [1, "what is refused for another reason", ["keys", "create", "--name", "x".repeat(201)], {}],
    [2, "an unknown option", ["runs", "list", "--nonsense"], {}],
    [2, "no command", [], {}],
    [2, "a server that is no URL", ["runs", "list", "--server", "nonsense"], {}],
    [2, "a folder that is not there", ["import", "no-such-folder"], {}],
    [2, "a revision that is no hash", ["rollback", "--to", "HEAD~3"], {}],
    [2, "a commit that is no hash", ["wait", "--commit", "main"], {}],
    [2, "signatures of nobody", ["webhooks", "create", "x", "--auth-mode", "signature"], {}],
    [3, "no server", ["runs", "list"], { MILLRACE_SERVER: "http://127.0.0.1:1" }],
    [4, "no key", ["runs", "list"], { MILLRACE_API_KEY: "" }],
    [4, "a wrong key", ["runs", "list"], { MILLRACE_API_KEY: "mr_wrong" }],
    [5, "an unknown run", ["runs", "get", "00000000-0000-7000-8000-000000000000"], {}],
    [5, "an unknown webhook", ["webhooks", "show", "nobody"], {}],
    [6, "a secret that is in use", ["secrets", "delete", "CI_SECRET"], {}],
  ])("%i for %s", async (code, _, args, env) => {
    const { server } = stage();
    const result = await run(args, { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY, ...env });
    expect([result.code, result.said]).toEqual([code, expect.any(String)]);
  });

  test("1 when a run that is followed fails, and 4 when the role of the key is not enough", async () => {
    const { server, viewer } = stage();
    const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: viewer.key };
    const { run_id } = (await ask(server, "POST", "/agent/runs", { body: { prompt: "x" } })).body;
    expect((await run(["runs", "logs", "--follow", String(run_id)], env)).code).toBe(1);
    expect((await run(["runs", "create", "--prompt", "x"], env)).code).toBe(4);
  });

  test("1 when the server fails, and 3 when it hangs up", async () => {
    const hangsUp = createServer((request) => request.socket.destroy());
    const fails = createServer((_, response) => {
      const headers = { "millrace-api": "v1", "content-type": "application/problem+json" };
      response.writeHead(503, headers).end("{}");
    });
    for (const [server, code] of [
      [hangsUp, 3],
      [fails, 1],
    ] as const) {
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      onTestFinished(() => void server.close());
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const env = { MILLRACE_SERVER: url, MILLRACE_API_KEY: "x" };
      expect((await run(["runs", "list"], env)).code).toBe(code);
    }
  });

  test("0, 1 or 2 for a tree that is valid, invalid, or missing", async () => {
    const broken = folderWith({ ...FACTORY, "webhooks/w.yaml": "nonsense: 1\n" });
    expect((await run(["validate", folderWith(FACTORY)])).code).toBe(0);
    expect((await run(["validate", broken])).code).toBe(1);
    expect((await run(["validate", "/nonexistent"])).code).toBe(2);
  });
});

test.each([
  [400, 1],
  [401, 4],
  [403, 4],
  [404, 5],
  [409, 6],
  [412, 6],
  [413, 1],
  [422, 1],
  [429, 1],
  [500, 1],
])("an answer of %i ends a command with %i", (status, code) => {
  expect(exitCodeOf({ kind: "refused", status })).toBe(code);
});

test("--help and docs/reference/commands.md list every exit code, in the same words", async () => {
  const { printed } = await run(["--help"]);
  const table = [...(printed.split("Exit codes:\n")[1] ?? "").matchAll(/^ +(\d+) {2}(.+(?:\n {5}.+)*)$/gm)];
  expect(table.map(([, code]) => Number(code))).toEqual(Object.values(EXIT_CODES));
  const page = readFileSync(new URL("../../docs/reference/commands.md", import.meta.url), "utf8");
  for (const [, code, meaning = ""] of table)
    expect(page).toContain(`| ${code} | ${meaning.replaceAll(/\n +/g, " ")} |`);
});
