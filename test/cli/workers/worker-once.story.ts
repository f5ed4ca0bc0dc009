import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { aProgram } from "../../given/backend.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { freePort } from "../../given/port.ts";
import { failToStart, run } from "../../given/server.ts";
import { doorClient } from "../../given/workers.ts";

/** Runs `millrace worker` to its end. */
function worker(server: string, token: string, args: string[], env: Record<string, string> = {}) {
  const file = join(folderWith({ token }), "token");
  const dataDir = join(temporaryFolder(), "data");
  return run(
    ["worker", "--server", server, "--token-file", file, "--data-dir", dataDir, ...args],
    { MILLRACE_SANDBOX: "none", MILLRACE_AGENT_COMMAND: "true", ...env },
    "",
    { ownProcess: true },
  );
}

async function stage() {
  const { server, story } = await serverWithAgent("process.exit(3)");
  const other = await doorClient(server);
  const start = async () =>
    (
      await server.api<{ run_id: string }>("POST", "/agent/runs", {
        prompt: "Do it.",
        config: { worker_host: "builder" },
      })
    ).run_id;
  return { server, story, other, start };
}

describe("a worker for one run", () => {
  test("executes that run, though an older one waits, and ends", async () => {
    const { server, story, other, start } = await stage();
    const [older, wanted] = [await start(), await start()];
    const { code } = await worker(server.url, other.token, ["--once", "--run", wanted]);
    expect(code).toBe(0);
    expect(await story.run(wanted)).toMatchObject({ state: "SUCCEEDED" });
    expect(await story.run(older)).toMatchObject({ state: "QUEUED" });
  });

  test("ends with exit code 0, and says why, when it does not get the run", async () => {
    const { server, other, start } = await stage();
    const [taken, waiting] = [await start(), await start()];
    await other.claim();
    const executing = await worker(server.url, other.token, ["--once", "--run", taken]);
    expect(executing).toMatchObject({ code: 0 });
    expect(executing.printed).toContain(`Run ${taken} was not executed here: another worker has it.`);
    await server.api("POST", `/workers/${other.id}/drain`);
    const drained = await worker(server.url, other.token, ["--once", "--run", waiting, "--wait", "2s"]);
    expect(drained).toMatchObject({ code: 0 });
    expect(drained.printed).toContain("it still waited after 2 seconds");
    await server.api("POST", `/agent/runs/${waiting}/cancel`);
    await server.api("DELETE", `/workers/${other.id}/drain`);
    const over = await worker(server.url, other.token, ["--once", "--run", waiting]);
    expect(over).toMatchObject({ code: 0 });
    expect(over.printed).toContain("it has ended, or this worker may not execute it");
  });

  test("ends with a failure when the server does not answer, and when the token is wrong", async () => {
    const { server, start } = await stage();
    const id = await start();
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const unanswered = await worker(nowhere, "mrw_none", ["--once", "--run", id, "--wait", "2s"]);
    expect(unanswered.code).not.toBe(0);
    expect(unanswered.said).toContain(
      `The server did not answer within 2 seconds, so run ${id} was not executed`,
    );
    expect((await worker(server.url, "mrw_none", ["--once", "--run", id])).code).not.toBe(0);
  });

  test("needs --once, and a duration as --wait", async () => {
    const alone = await worker("http://127.0.0.1:1", "t", ["--run", "x"]);
    expect(alone.code).not.toBe(0);
    expect(alone.said).toContain("--run needs --once");
    const late = await worker("http://127.0.0.1:1", "t", ["--once", "--run", "x", "--wait", "soon"]);
    expect(late.said).toContain('--wait "soon" is not valid');
  });
});

describe("the sandbox command", () => {
  const COMMAND = { MILLRACE_SANDBOX: "command" };

  test("is refused by a server, and by a worker that executes one turn", async () => {
    const program = aProgram("");
    const env = { ...COMMAND, MILLRACE_SANDBOX_COMMAND: program };
    const refusal = "only `millrace worker` without --once can use";
    const data = { MILLRACE_DATA_DIR: join(temporaryFolder(), "data") };
    const server = await failToStart([temporaryFolder()], { ...env, ...data });
    expect(server.code).not.toBe(0);
    expect(server.said).toContain(refusal);
    const once = await worker("http://127.0.0.1:1", "t", ["--once"], env);
    expect(once.code).not.toBe(0);
    expect(once.said).toContain(refusal);
  });

  test("needs a program that is there", async () => {
    const unset = await worker("http://127.0.0.1:1", "t", [], COMMAND);
    expect(unset.said).toContain("MILLRACE_SANDBOX_COMMAND is not set");
    const env = { ...COMMAND, MILLRACE_SANDBOX_COMMAND: "/nowhere/backend --fast" };
    const missing = await worker("http://127.0.0.1:1", "t", [], env);
    expect([unset.code, missing.code]).not.toContain(0);
    expect(missing.said).toContain(
      'The program "/nowhere/backend" of MILLRACE_SANDBOX_COMMAND was not found',
    );
  });

  test("sends no token without encryption to another machine", async () => {
    const env = { ...COMMAND, MILLRACE_SANDBOX_COMMAND: aProgram("") };
    const clear = await worker("http://millrace.example.com", "t", [], env);
    expect(clear.code).not.toBe(0);
    expect(clear.said).toContain("unencrypted");
  });
});
