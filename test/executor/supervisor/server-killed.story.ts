import { readdirSync, readFileSync, statSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { countingIn, countingProgram, withoutNotes } from "../../given/counting-agent.ts";
import { processesWith, SANDBOXES, serverWithSandbox } from "../../given/isolated.ts";
import { freePort } from "../../given/port.ts";
import { isRunning, supervisorOf } from "../../given/processes.ts";
import { waitFor } from "../../given/server.ts";

const SECRET = "correct-horse-battery-staple";

/** A server whose agent counts, and the first run of it. */
async function counting(sandbox: string, program = countingProgram(), env = {}, files = {}) {
  const options = {
    env: { MILLRACE_LISTEN: `127.0.0.1:${await freePort()}`, ...env },
    files,
    sharesProcess: false,
  };
  const { server, story, start, dataDir } = await serverWithSandbox(sandbox, program, options);
  if (Object.keys(files).length > 0) await story.setSecret("TOKEN", SECRET);
  const id = await start();
  const agent = countingIn(dataDir, id);
  await waitFor(() => agent.count() > 0);
  return {
    ...{ server, story, id, agent, dataDir },
    restart: () => serverWithSandbox(sandbox, program, { ...options, dataDir }),
  };
}

describe.each(SANDBOXES)("under %s, when its server is killed", (sandbox) => {
  test("an agent goes on, and all that it writes arrives once and in order at the next server", async () => {
    const { server, story, id, agent, restart } = await counting(sandbox);
    await waitFor(async () => (await story.transcript(id)).includes("line 100\n"));
    await server.kill();
    const atKill = agent.count();
    await waitFor(() => agent.count() > atKill + 200);
    const again = await restart();
    expect(await again.story.run(id)).toMatchObject({ state: "INPROGRESS" });
    const atStart = agent.count();
    await waitFor(async () => (await again.story.transcript(id)).includes(`line ${atStart + 100}\n`));
    agent.end();
    expect(await again.story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
    expect(withoutNotes(await again.story.transcript(id))).toBe(agent.wrote());
    expect(agent.starts()).toBe(1);
  });

  test("an agent that ends before the next server starts has ended well", async () => {
    const program = countingProgram({ linesAtOnce: 2_000 });
    const { server, id, agent, dataDir, restart } = await counting(sandbox, program);
    await server.kill();
    // More than a supervisor holds in its memory.
    await waitFor(() => agent.count() > 200_000);
    agent.end();
    await waitFor(() => agent.hasEnded());
    const again = await restart();
    expect(await again.story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
    expect(withoutNotes(await again.story.transcript(id))).toBe(agent.wrote());
    await again.server.stop();
    await waitFor(() => supervisorOf({ dataDir }) === undefined);
  });

  test("an agent goes on for 70 percent of the lease at most, and nothing is left of it", async () => {
    const env = { MILLRACE_WORKER_LEASE: "5s" };
    const { server, id, agent, dataDir, restart } = await counting(sandbox, countingProgram(), env);
    await server.kill();
    const atKill = agent.count();
    await waitFor(() => agent.count() > atKill + 200);
    await waitFor(() => supervisorOf({ dataDir }) === undefined);
    expect(processesWith(`MILLRACE_RUN_ID=${id}`)).toEqual([]);
    const again = await restart();
    expect(await again.story.ended(id)).toMatchObject({ state: "ERROR" });
  });

  test("an agent that goes on can be cancelled at the next server", async () => {
    const { server, id, restart } = await counting(sandbox);
    await server.kill();
    const again = await restart();
    await again.server.api("POST", `/agent/runs/${id}/cancel`);
    expect(await again.story.ended(id)).toMatchObject({ state: "CANCELLED" });
    expect(processesWith(`MILLRACE_RUN_ID=${id}`)).toEqual([]);
  });

  test("a supervisor that does not answer is ended by the next server, with its agents", async () => {
    const { server, id, dataDir, restart } = await counting(sandbox);
    const supervisor = supervisorOf({ dataDir }) ?? 0;
    await server.kill();
    process.kill(supervisor, "SIGSTOP");
    const again = await restart();
    expect(isRunning(supervisor)).toBe(false);
    expect(await again.story.ended(id)).toMatchObject({ state: "ERROR" });
    expect(processesWith(`MILLRACE_RUN_ID=${id}`)).toEqual([]);
  });
});

test("what waits on the disk for the next server has no secret in it", async () => {
  const program = countingProgram({ linesAtOnce: 5_000, before: 'process.env.TOKEN + "\\n"' });
  const files = { "agents/boss/agent.md": "---\nagentType: FOREMAN\nsecrets: [TOKEN]\n---\nWork.\n" };
  const { server, agent, id, dataDir, restart } = await counting("none", program, {}, files);
  await server.kill();
  await waitFor(() => agent.count() > 200_000);
  const waiting = openFiles(supervisorOf({ dataDir }) ?? 0).filter((text) => text.includes("line "));
  expect(waiting.join("")).toContain("line 150000\n");
  expect(waiting.join("")).not.toContain(SECRET);
  agent.end();
  const again = await restart();
  expect(await again.story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
  expect(await again.story.transcript(id)).not.toContain(SECRET);
});

/** What the files hold that a process has open, also those without a name. */
function openFiles(pid: number): string[] {
  const paths = readdirSync(`/proc/${pid}/fd`).map((descriptor) => `/proc/${pid}/fd/${descriptor}`);
  return paths
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
    .map((path) => readFileSync(path, "latin1"));
}
