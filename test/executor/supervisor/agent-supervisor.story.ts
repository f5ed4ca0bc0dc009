import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { sharedByFile } from "../../given/cleanup.ts";
import { anAgentSupervisor, SUPERVISOR_PROGRAM } from "../../given/executing.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import {
  agentOfPrompt,
  processesWith,
  promptWith,
  SANDBOXES,
  serverWithSandbox,
  WORKS_ONCE,
} from "../../given/isolated.ts";
import { agentHostOf } from "../../given/processes.ts";
import { waitFor } from "../../given/server.ts";

describe.each(SANDBOXES)("under %s", (sandbox) => {
  const shared = sharedByFile(() =>
    serverWithSandbox(sandbox, agentOfPrompt(WORKS_ONCE), {
      env: { MILLRACE_RUN_CONCURRENCY: "8" },
      sharesProcess: false,
    }),
  );

  test("runs whose supervisor ended are ERROR with nothing left of them, and the next runs get a new one", async () => {
    const { start, server, story } = shared();
    const id = await start();
    await waitFor(async () => (await story.transcript(id)) === "ready\n" || undefined);
    process.kill(agentHostOf(server), "SIGKILL");
    expect(await story.ended(id)).toMatchObject({
      state: "ERROR",
      status_message: {
        message: expect.stringContaining("The agent supervisor crashed"),
      },
    });
    expect(processesWith(`MILLRACE_RUN_ID=${id}`)).toEqual([]);
    await server.api("POST", `/agent/runs/${id}/followups`, { message: "Once more." });
    expect(await story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
  });

  test("nothing is left of runs that are cancelled while they begin", async () => {
    const stubborn = `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000);`;
    const { start, server, story } = shared();
    const ids = await Promise.all(
      Array.from({ length: 8 }, async (_, n) => {
        const id = await start({ prompt: promptWith(stubborn) });
        await sleep(n * 15);
        await server.api("POST", `/agent/runs/${id}/cancel`);
        return id;
      }),
    );
    for (const id of ids) {
      expect(await story.ended(id)).toMatchObject({ state: "CANCELLED" });
      expect(processesWith(`MILLRACE_RUN_ID=${id}`)).toEqual([]);
    }
  });

  test("a supervisor that does not respond is ended, so that its runs can end", async () => {
    const { start, server, story } = shared();
    const id = await start();
    await waitFor(async () => (await story.transcript(id)) === "ready\n" || undefined);
    process.kill(agentHostOf(server), "SIGSTOP");
    await server.api("POST", `/agent/runs/${id}/cancel`);
    expect(await story.ended(id, 80)).toMatchObject({ state: "CANCELLED" });
    expect(processesWith(`MILLRACE_RUN_ID=${id}`)).toEqual([]);
  }, 120_000);
});

/** A supervisor that reads a file for as long as a program keeps it open, where a line of the program says so. */
const HELD_UP = `
  import { readFileSync } from "node:fs";
  const parse = JSON.parse;
  JSON.parse = (text, ...more) => {
    const value = parse(text, ...more);
    if (typeof value?.holdUp === "string") readFileSync(value.holdUp);
    return value;
  };
  await import(${JSON.stringify(SUPERVISOR_PROGRAM.href)});`;

test("of a supervisor that is held up by one program, that program is ended, and another goes on", async () => {
  const host = anAgentSupervisor(pathToFileURL(join(folderWith({ "held-up.mjs": HELD_UP }), "held-up.mjs")));
  const cwd = temporaryFolder();
  spawnSync("mkfifo", [join(cwd, "open")]);
  const start = (script: string, output: "text" | "claude") => {
    let said = "";
    const launch = {
      command: "/bin/sh",
      args: ["-c", script],
      cwd,
      environment: { PATH: process.env.PATH ?? "" },
    };
    const program = host.start(
      { launch, input: "", keepsInput: true, output, secrets: [] },
      {
        async onOutput(pieces) {
          said += pieces.map(({ bytes }) => Buffer.from(bytes).toString("utf8")).join("");
          return true;
        },
      },
    );
    return { program, said: () => said };
  };
  const working = start("echo ready; read line; echo $line", "text");
  await waitFor(() => working.said() === "ready\n" || undefined);
  const hostile = start(
    `echo '{"type":"x","holdUp":"${join(cwd, "open")}"}'; exec 9>open; exec sleep 600`,
    "claude",
  );
  expect(await hostile.program.exited).toEqual({ kind: "held_up" });
  expect((await working.program.input.write("go on\n")).isTaken).toBe(true);
  expect(await working.program.exited).toEqual({ kind: "exited", code: 0 });
  await working.program.closed;
  expect(working.said()).toBe("ready\ngo on\n");
});
