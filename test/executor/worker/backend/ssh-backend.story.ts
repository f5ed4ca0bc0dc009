import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { serverWithAgent } from "../../../given/agent.ts";
import { jobsIn } from "../../../given/backend.ts";
import { automationOn, TOKEN_WEBHOOK } from "../../../given/definition.ts";
import { temporaryFolder } from "../../../given/folder.ts";
import { endAgentsIn, endProcess, isRunning } from "../../../given/processes.ts";
import { MILLRACE, waitFor } from "../../../given/server.ts";
import { sshHost } from "../../../given/sshd.ts";
import { aWorker } from "../../../given/workers.ts";

const BACKEND = fileURLToPath(new URL("../../../../examples/workers/backends/ssh.mjs", import.meta.url));
const AGENT = `cat prompt.md; echo "executed in $PWD for a user at home in ${"$"}{SSH_CONNECTION:-a clean environment}"`;

/** A machine that is reached over ssh, with millrace and the files that the backend expects. */
async function machine(token = "") {
  const home = temporaryFolder("millrace-ssh-home");
  const millrace = join(home, ".millrace");
  const bin = join(home, "bin");
  mkdirSync(millrace);
  mkdirSync(bin);
  writeFileSync(join(millrace, "token"), token, { mode: 0o600 });
  writeFileSync(join(home, "agent.sh"), AGENT);
  const settings = { sandbox: "none", agentCommand: `sh ${join(home, "agent.sh")}` };
  writeFileSync(join(millrace, "worker.yaml"), JSON.stringify(settings));
  const words = MILLRACE.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(bin, "millrace"), `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(join(bin, "millrace"), 0o755);
  const host = await sshHost({ HOME: home, PATH: [bin, process.env.PATH].join(delimiter) });
  const { username, hostname, port } = new URL(host.urlOf("/"));
  const options = ["-p", port, "-i", host.deployKey, "-o", `UserKnownHostsFile=${host.knownHosts}`];
  const jobs = join(millrace, "jobs");
  onTestFinished(() => {
    for (const id of existsSync(jobs) ? readdirSync(jobs) : []) {
      const pid = join(jobs, id, "pid");
      if (existsSync(pid)) endProcess(-Number(readFileSync(pid, "utf8")));
      endAgentsIn(join(jobs, id, "data"));
    }
  });
  const command = [BACKEND, ...options, `${username}@${hostname}`];
  return {
    jobs,
    words: command.map((word) => `'${word}'`).join(" "),
    call(verb: string, request: object) {
      const [program = "", ...args] = [...command, verb];
      const { status, stdout, stderr } = spawnSync(program, args, {
        input: JSON.stringify({ version: 1, ...request }),
        encoding: "utf8",
      });
      return { status, answer: stdout === "" ? undefined : JSON.parse(stdout), stderr };
    },
  };
}

test("a delivery is executed over ssh, and nothing but its log stays on the other machine", async () => {
  const { server, story } = await serverWithAgent("process.exit(3)", {
    files: {
      "webhooks/ci.yaml": TOKEN_WEBHOOK,
      "automations/build.md": automationOn(["ci"]).replace("---\n", "---\nworkerHost: builder\n"),
    },
  });
  await story.setSecret("CI_SECRET", "the-token");
  await story.sync();
  const { token } = await server.api<{ token: string }>("POST", "/workers", { name: "builder" });
  const remote = await machine(token);
  const { dataDir, said } = await aWorker(server, {
    token,
    env: { MILLRACE_SANDBOX: "command", MILLRACE_SANDBOX_COMMAND: remote.words },
  });
  const delivery = await story.accept(await story.urlOf("ci"), "the-token", '{"wanted": "a release"}');
  const run = await story.endedRunOf(delivery);
  expect(run, said()).toMatchObject({ state: "SUCCEEDED" });
  expect(await story.transcript(run.run_id)).toContain(
    `executed in ${join(remote.jobs, `${run.run_id}-1-1`)}`,
  );
  await waitFor(() => jobsIn(dataDir).length === 0);
  expect(readdirSync(remote.jobs)).toEqual([`${run.run_id}-1-1`]);
  expect(readdirSync(join(remote.jobs, `${run.run_id}-1-1`)).sort()).toEqual(["exit", "log", "pid"]);
});

test("a job over ssh is started once, says how it stands, and can be cancelled", async () => {
  const { call, jobs } = await machine();
  const id = "run-1-1";
  expect(call("status", { id }).answer).toEqual({ version: 1, state: "unknown" });
  expect(call("cancel", { id })).toMatchObject({ status: 0, answer: { version: 1 } });
  const start = { id, command: ["sh", "-c", "sleep 600"] };
  expect(call("start", start)).toMatchObject({ status: 0, answer: { version: 1 } });
  const pidOf = () => readFileSync(join(jobs, id, "pid"), "utf8").trim();
  const pid = pidOf();
  expect(call("start", start).status).toBe(0);
  expect(pidOf()).toBe(pid);
  expect(call("status", { id }).answer).toEqual({ version: 1, state: "running" });
  expect(call("cancel", { id }).status).toBe(0);
  expect(isRunning(Number(pid))).toBe(false);
  expect(existsSync(join(jobs, id))).toBe(false);
});

test("words of a command arrive over ssh as they are, and the exit code and the last line come back", async () => {
  const { call, jobs } = await machine();
  const odd = 'it\'s "$HOME" `id` ; rm -rf / & \\n * é';
  call("start", { id: "odd-1-1", command: ["printf", "%s\\n", odd, "second"] });
  await waitFor(() => existsSync(join(jobs, "odd-1-1", "exit")));
  expect(readFileSync(join(jobs, "odd-1-1", "log"), "utf8")).toContain(`${odd}\nsecond\n`);
  expect(call("status", { id: "odd-1-1" }).answer).toMatchObject({ version: 1, state: "succeeded" });
  call("start", { id: "bad-1-1", command: ["sh", "-c", "echo 'No space.' >&2; exit 3"] });
  await waitFor(() => existsSync(join(jobs, "bad-1-1", "exit")));
  expect(call("status", { id: "bad-1-1" }).answer).toEqual({
    version: 1,
    state: "failed",
    reason: "No space.",
  });
});

test("a machine that cannot be reached over ssh is a failure that says why", async () => {
  const { words } = await machine();
  const [program = "", ...args] = [...words.matchAll(/'([^']*)'/g)].map(([, word]) => word ?? "");
  const closed = args.map((word, index) => (args[index - 1] === "-p" ? "1" : word));
  const { status, stderr } = spawnSync(program, [...closed, "status"], {
    input: '{"version": 1, "id": "x-1-1"}',
    encoding: "utf8",
  });
  expect(status).toBe(1);
  expect(stderr).toContain("Connection refused");
});
