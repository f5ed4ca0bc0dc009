import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { WORKER_TOKEN } from "../../given/clone-server.ts";
import { FACTORY } from "../../given/definition.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { serverOf } from "../../given/isolated.ts";
import { isRunning } from "../../given/processes.ts";
import { NOBODY, SERVERS } from "../../given/sandbox-of.ts";
import { failToStart, MILLRACE, startServer, waitFor } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

/** Starts a program where nobody can make a user namespace: bubblewrap is there, and does not work. */
const WITHOUT_NAMESPACES = [
  "unshare",
  "--user",
  "--map-root-user",
  "sh",
  "-c",
  'echo 0 > /proc/sys/user/max_user_namespaces && exec "$@"',
  "sh",
];

type Timeline = { events: { event_type: string; payload?: { sandbox: string; weaknesses: string[] } }[] };

const isolationOf = ({ events }: Timeline) =>
  events.find(({ event_type }) => event_type === "agent_started")?.payload;

test.each(SERVERS)("a server that is %s, and its doctor, say whether its runs can end it", async (user) => {
  const { server } = await serverOf(user, "bwrap", "");
  const isNobody = user === "nobody";
  const said = server
    .log()
    .split("\n")
    .filter((line) => line.includes("Availability is not protected"));
  expect(said.map((line) => JSON.parse(line).level)).toEqual(isNobody ? ["warn"] : []);
  const [command = "", ...words] = MILLRACE;
  const { stdout } = spawnSync(command, [...words, "doctor", "--json", "--data-dir", "/nonexistent"], {
    env: { PATH: process.env.PATH, MILLRACE_SANDBOX: "bwrap" },
    encoding: "utf8",
    ...(isNobody && process.getuid?.() === 0 ? NOBODY : {}),
  });
  const { findings } = JSON.parse(stdout) as {
    findings: { check: string; status: string; message: string }[];
  };
  expect(findings.filter(({ check }) => check === "sandbox")).toEqual([
    isNobody
      ? expect.objectContaining({
          status: "warning",
          message: expect.stringMatching(/^Agents run in bwrap\. Availability is not protected/),
          remedy: expect.stringContaining("as root"),
        })
      : expect.objectContaining({ status: "ok", message: "agents run in bwrap" }),
  ]);
});

describe("a server that is left to choose", () => {
  test("takes bubblewrap where it works, and its runs say so", async () => {
    const { run, server } = await serverWithAgent("console.log(process.pid)", {
      env: { MILLRACE_SANDBOX: "auto" },
    });
    const { run_id, transcript } = await run();
    // A process namespace of its own.
    expect(Number(transcript)).toBeLessThan(10);
    const timeline = await server.api<Timeline>("GET", `/agent/runs/${run_id}/timeline`);
    expect(isolationOf(timeline)).toMatchObject({ sandbox: "bwrap", weaknesses: expect.any(Array) });
    expect(server.log()).toContain('"sandbox":"bwrap"');
    const warnings = server
      .log()
      .split("\n")
      .filter((line) => line.includes('"level":"warn"'));
    expect(warnings.filter((line) => !line.includes("Availability is not protected"))).toEqual([]);
  });

  test("continues without one where nothing works, and says why in its log and what is not isolated on its runs", async () => {
    const server = await startServer({
      sources: [folderWith(FACTORY)],
      wrapper: WITHOUT_NAMESPACES,
      env: { MILLRACE_SANDBOX: "auto" },
    });
    const story = storyOf(server);
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Do it." });
    expect((await story.ended(run_id)).state).toBe("SUCCEEDED");
    const timeline = await server.api<Timeline>("GET", `/agent/runs/${run_id}/timeline`);
    expect(isolationOf(timeline)).toMatchObject({
      sandbox: "none",
      weaknesses: expect.arrayContaining([
        expect.stringContaining("not isolated"),
        expect.stringContaining("server's user"),
      ]),
    });
    const warnings = server
      .log()
      .split("\n")
      .filter((line) => line.includes('"level":"warn"'));
    expect(warnings.join("\n")).toMatch(/bwrap: does not work on this machine/);
    expect(warnings.join("\n")).toMatch(/MILLRACE_CONTAINER_IMAGE is not set/);
    expect(warnings.join("\n")).toMatch(/Agents are not isolated/);
  });
});

test("a machine on which bubblewrap has worked runs no agents without it, of servers and workers alike, and the doctor says so", async () => {
  const dataDir = join(temporaryFolder(), "data");
  const sources = [folderWith(FACTORY)];
  const settings = { sources, dataDir, env: { MILLRACE_SANDBOX: "auto" } };
  await (await startServer(settings)).stop();
  const says = /Agents ran in the sandbox bwrap on this machine before, and only none works now: bwrap: does/;
  await expect(startServer({ ...settings, wrapper: WITHOUT_NAMESPACES })).rejects.toThrow(says);

  const [command = "", ...words] = [...WITHOUT_NAMESPACES, ...MILLRACE];
  const env = { PATH: process.env.PATH, MILLRACE_SANDBOX: "auto" };
  const ask = (...args: string[]) => spawnSync(command, [...words, ...args], { env, encoding: "utf8" });
  const folder = folderWith({ token: WORKER_TOKEN });
  chmodSync(join(folder, "token"), 0o600);
  const ofWorker = ["--server", "http://127.0.0.1:1", "--token-file", join(folder, "token")];
  for (const given of [[], ["--worker", ...ofWorker]]) {
    const { findings } = JSON.parse(ask("doctor", "--json", "--data-dir", dataDir, ...given).stdout);
    expect(findings).toContainEqual(
      expect.objectContaining({ status: "error", message: expect.stringMatching(says) }),
    );
  }
  const worker = ask("worker", "--data-dir", dataDir, ...ofWorker);
  expect(worker.stderr).toMatch(says);
  expect(worker.status).toBe(1);

  const explicit = { ...settings, wrapper: WITHOUT_NAMESPACES, env: { MILLRACE_SANDBOX: "none" } };
  expect((await (await startServer(explicit)).fetch("/healthz")).status).toBe(200);
});

describe("a sandbox that is named and does not work keeps the server from starting", () => {
  const start = (env: Record<string, string>) =>
    failToStart([folderWith(FACTORY)], { MILLRACE_DATA_DIR: `${temporaryFolder()}/data`, ...env });

  test("an engine that is not installed", async () => {
    const { code, said } = await start({
      MILLRACE_SANDBOX: "container",
      MILLRACE_CONTAINER_COMMAND: "no-such-engine",
    });
    expect(code).toBe(1);
    expect(said).toContain("container: the program no-such-engine is not installed");
    expect(said).toContain("MILLRACE_SANDBOX");
  });

  test("an engine that does not answer", async () => {
    const { code, said } = await start({
      MILLRACE_SANDBOX: "container",
      MILLRACE_CONTAINER_COMMAND: "ls --no-such-option",
    });
    expect(code).toBe(1);
    expect(said).toContain("container: ls does not work on this machine");
  });

  test("bwrap that cannot make namespaces", async () => {
    const started = startServer({
      sources: [folderWith(FACTORY)],
      wrapper: WITHOUT_NAMESPACES,
      env: { MILLRACE_SANDBOX: "bwrap" },
    });
    await expect(started).rejects.toThrow(/ended with 1(.|\n)*bwrap: does not work on this machine/);
  });
});

/** Leaves a process that no end of its own group reaches, and says which, whole or not at all as far as this goes. */
const AGENT = `
  import { spawn } from "node:child_process";
  import { renameSync, writeFileSync } from "node:fs";
  const left = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
  writeFileSync("pid.draft", String(left.pid));
  renameSync("pid.draft", "pid");
  setInterval(() => {}, 1_000);`;

test("what a server without a sandbox has left is ended by the next one, also when that has a sandbox", async () => {
  const before = await serverWithAgent(AGENT, { sharesProcess: false });
  const id = await before.start();
  const file = join(before.server.dataDir, "workspaces", id, "pid");
  await waitFor(() => existsSync(file));
  const pid = Number(readFileSync(file, "utf8"));
  await before.server.kill();
  expect(isRunning(pid)).toBe(true);
  const { story } = await serverWithAgent(AGENT, { before, env: { MILLRACE_SANDBOX: "bwrap" } });
  expect((await story.run(id)).state).toBe("ERROR");
  expect(isRunning(pid)).toBe(false);
});
