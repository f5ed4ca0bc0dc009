import { randomUUID } from "node:crypto";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { runHere } from "../../../src/executor/files/file-jobs.ts";
import { bubblewrap } from "../../../src/executor/sandbox/bubblewrap.ts";
import { chooseSandbox, type SandboxSettings } from "../../../src/executor/sandbox/choose-sandbox.ts";
import { findProgram } from "../../../src/executor/sandbox/find-program.ts";
import { openSandbox } from "../../../src/executor/sandbox/open-sandbox.ts";
import type { Launch, RunProgram } from "../../../src/executor/sandbox/sandbox.ts";
import { startProgram, untilClosed } from "../../../src/executor/sandbox/start-program.ts";
import { systemFolders } from "../../../src/executor/sandbox/system-folders.ts";
import { tryProgram } from "../../../src/executor/sandbox/try-program.ts";
import { newUuid } from "../../../src/id.ts";
import { silentLog } from "../../../src/log.ts";
import { pipeMaker } from "../../../src/platform/pipes.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";
import { serverWithSandbox } from "../../given/isolated.ts";

const SETTINGS: SandboxSettings = {
  sandbox: "bwrap",
  sandboxNetwork: "on",
  sandboxPaths: [],
  runProcesses: 200,
  runMemory: "0",
  runCpus: 0,
  containerCommand: undefined,
  containerOptions: undefined,
  containerImage: undefined,
};

/** A sandbox over a new data folder, and how a shell script fares in it. */
async function sandboxWith(settings: Partial<SandboxSettings> = {}) {
  const path = join(temporaryFolder(), "data");
  const folders = {
    path,
    workspaces: join(path, "workspaces"),
    firstProcesses: join(path, "first-processes"),
    networkSockets: join(path, "network"),
  };
  mkdirSync(path);
  const { sandbox } = await chooseSandbox({ ...SETTINGS, ...settings }, folders);
  const runId = newUuid();
  const workspace = join(folders.workspaces, runId);
  mkdirSync(workspace);
  const environment = { PATH: process.env.PATH ?? "", HOME: workspace };
  async function run(command: string[], changes: Partial<RunProgram> = {}) {
    await sandbox.chownWorkspace(runId, workspace, runHere);
    return outcomeOf(sandbox.launch({ runId, workspace, command, environment, ...changes }));
  }
  return { sandbox, path, run, shell: (script: string) => run(["sh", "-c", script]) };
}

async function outcomeOf(launch: Launch) {
  const child = startProgram(launch, pipeMaker(temporaryFolder()));
  let said = "";
  for (const pipe of [child.stdout, child.stderr])
    pipe?.on("data", (bytes: Buffer) => {
      said += bytes;
    });
  const code = await untilClosed(child);
  return { code, said };
}

describe("a program under bubblewrap", () => {
  test("without network reaches nothing, with it the API", async () => {
    const agent = `console.log(await fetch(process.env.MILLRACE_API_URL + "/healthz").then((a) => a.status, () => "nothing"));`;
    const on = await serverWithSandbox("bwrap", agent);
    expect((await on.run()).transcript).toBe("200\n");
    const off = await serverWithSandbox("bwrap", agent, { env: { MILLRACE_SANDBOX_NETWORK: "off" } });
    expect((await off.run()).transcript).toBe("nothing\n");
  });

  test("sees of the server's files the system's, what its command names, and its workspace", async () => {
    const program = folderWith({ "agent.sh": "ls / ; ls $(dirname $0); touch mine", "beside.txt": "" });
    const { run } = await sandboxWith();
    const { said, code } = await run(["sh", join(program, "agent.sh")]);
    expect(code).toBe(0);
    expect(said.split("\n")).toContain("agent.sh");
    expect(said).not.toContain("beside.txt");
    for (const hidden of ["root", "home", "var", "run", "opt", "srv", "boot"])
      expect(said.split("\n")).not.toContain(hidden);
  });

  test("finds its workspace at /workspace too", async () => {
    const { shell } = await sandboxWith();
    expect(await shell("echo here > /workspace/note && cat $HOME/note && ls /workspace")).toEqual({
      code: 0,
      said: "here\nnote\n",
    });
  });

  test("sees what the settings show, and cannot change it", async () => {
    const shown = folderWith({ "tool.txt": "tool\n" });
    chmodSync(shown, 0o777);
    const { shell } = await sandboxWith({ sandboxPaths: [shown] });
    const { said } = await shell(`cat ${shown}/tool.txt; touch ${shown}/more 2> /dev/null || echo no`);
    expect(said).toBe("tool\nno\n");
  });

  test("does not see the data folder, even when a folder around it is shown", async () => {
    const { path, sandbox } = await sandboxWith();
    writeFileSync(join(path, "secret"), "x");
    const around = await sandboxWith({ sandboxPaths: ["/tmp"] });
    writeFileSync(join(around.path, "secret"), "x");
    expect(sandbox.mode).toBe("bwrap");
    expect((await around.shell(`ls ${around.path} ${around.path}/workspaces`)).said).not.toContain("secret");
  });

  test("finds a program of another installation by a link, with what lies around it", async () => {
    const prefix = folderWith({
      "lib/node_modules/tool/cli.js": "#!/usr/bin/env node\nconsole.log(require('./part.js'))",
      "lib/node_modules/tool/part.js": "module.exports = 'whole'",
    });
    chmodSync(join(prefix, "lib/node_modules/tool/cli.js"), 0o755);
    mkdirSync(join(prefix, "bin"));
    symlinkSync("../lib/node_modules/tool/cli.js", join(prefix, "bin", "tool"));
    const { run } = await sandboxWith();
    const PATH = `${join(prefix, "bin")}:${process.env.PATH}`;
    expect(await run(["tool"], { environment: { PATH } })).toEqual({ code: 0, said: "whole\n" });
  });

  test("has memory for /tmp, and writes nothing outside it and its workspace", async () => {
    const { shell } = await sandboxWith();
    // The file of another program of this machine is none of the agent's.
    const file = `millrace-${randomUUID()}`;
    const places = ["/", "/usr", "/etc", "/dev", "/proc", "$(dirname $HOME)", "$(dirname $(dirname $HOME))"];
    const { said } = await shell(
      `touch /tmp/${file} /dev/shm/${file} own && echo yes; for p in ${places.join(" ")}; do touch $p/${file} 2>/dev/null && echo $p; done; true`,
    );
    expect(said).toBe("yes\n");
    expect(existsSync(`/tmp/${file}`)).toBe(false);
  });

  test("has no capabilities, and can get none", async () => {
    const { said } = await (await sandboxWith()).shell(
      "grep -E 'CapPrm|CapEff|NoNewPrivs' /proc/self/status",
    );
    expect(said).toMatch(/CapPrm:\s+0+\nCapEff:\s+0+\nNoNewPrivs:\s+1\n/);
  });

  test("of a server that is not root has a user namespace of its own, and is held to its processes there", async () => {
    const folder = temporaryFolder();
    const workspace = join(folder, "workspace");
    mkdirSync(workspace);
    // As root the test becomes somebody else, as a server that is not root is.
    const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : undefined;
    if (user) for (const path of [folder, workspace]) chownSync(path, user.uid, user.gid);
    const [bwrap = "", prlimit] = await Promise.all(["bwrap", "prlimit"].map(findProgram));
    const sandbox = bubblewrap({
      programs: { bwrap, prlimit, setpriv: undefined, socat: undefined },
      has: () => true,
      users: undefined,
      system: await systemFolders(join(folder, "system")),
      paths: [],
      network: false,
      socketFilter: undefined,
      processes: 20,
      folders: {
        path: join(folder, "data"),
        workspaces: join(folder, "data", "workspaces"),
        firstProcesses: join(folder, "first-processes"),
        networkSockets: join(folder, "network"),
      },
    });
    const script = `touch own; readlink /proc/self/ns/user; for i in $(seq 40); do sleep 1 & done; echo all started`;
    const environment = { PATH: process.env.PATH ?? "" };
    const launch = sandbox.launch({
      runId: newUuid(),
      workspace,
      command: ["sh", "-c", script],
      environment,
    });
    if (user) chmodSync(folder, 0o755);
    const { said } = await outcomeOf({ ...launch, user });
    expect(said).toMatch(/^user:\[\d+\]/);
    expect(said).not.toContain(readlinkSync("/proc/self/ns/user"));
    expect(said).toMatch(/fork/i);
    expect(said).not.toContain("all started");
    expect(existsSync(join(workspace, "own"))).toBe(true);
    expect(sandbox.weaknesses.join()).toContain("server's user");
  });

  test("that is not there is told before anything starts", async () => {
    const { run } = await sandboxWith();
    await expect(run(["no-such-program"])).rejects.toThrow(
      '"no-such-program" was not found on the machine that executes the run',
    );
  });

  test("is not started with a secret whose name would steer what makes the sandbox", async () => {
    const { run } = await sandboxWith();
    const environment = { PATH: process.env.PATH ?? "", LD_PRELOAD: "./evil.so" };
    await expect(run(["true"], { environment })).rejects.toThrow("LD_PRELOAD");
  });
});

describe("the sandbox of a machine on which bubblewrap fails", () => {
  const folders = (path = temporaryFolder()) => ({
    path,
    workspaces: join(path, "workspaces"),
    firstProcesses: join(path, "first-processes"),
    networkSockets: join(path, "network"),
  });
  const path = process.env.PATH;
  afterEach(() => {
    process.env.PATH = path;
  });

  /** Puts a program in the place of bubblewrap that says something as often as it is to fail, and then is bubblewrap. */
  async function failing(says: string, times: number) {
    const real = await findProgram("bwrap");
    const folder = temporaryFolder();
    const programs = folderWith({
      bwrap: `#!/bin/sh
case "$*" in --help) exec ${real} "$@";; esac
n=$(cat ${folder}/left); [ $n = 0 ] && exec ${real} "$@"
echo $((n - 1)) > ${folder}/left; echo "bwrap: ${says}" >&2; exit 1
`,
    });
    chmodSync(programs, 0o755);
    chmodSync(join(programs, "bwrap"), 0o755);
    chmodSync(folder, 0o777);
    writeFileSync(join(folder, "left"), `${times}`);
    chmodSync(join(folder, "left"), 0o666);
    process.env.PATH = `${programs}:${path}`;
  }

  const auto: SandboxSettings = { ...SETTINGS, sandbox: "auto" };

  test("is bubblewrap once a passing fault is over", async () => {
    await failing("Can't mkdir /newroot: No space left on device", 1);
    expect((await chooseSandbox(auto, folders())).sandbox.mode).toBe("bwrap");
  });

  test("leaves nothing open in the server, whether a trial fails or not", async () => {
    await chooseSandbox(auto, folders());
    const openFiles = () => readdirSync("/proc/self/fd").length;
    const before = openFiles();
    const place = folders();
    const { sandbox } = await chooseSandbox(auto, place);
    const tried = await tryProgram(["sh", "-c", "echo $((6 * 7))"], sandbox, {
      workspaces: place.workspaces,
      timeoutMs: 60_000,
    });
    expect(tried).toEqual({ code: 0, signal: null, said: "42", timedOut: false });
    await failing("No permissions to create new namespace", 1_000);
    expect((await chooseSandbox(auto, folders())).sandbox.mode).toBe("none");
    expect(openFiles()).toBe(before);
  });

  test.each([
    "Can't mkdir: No space left on device",
    "fork: Resource temporarily unavailable",
    "spawn /usr/bin/bwrap EAGAIN",
  ])("is none at all while it says %s", async (says) => {
    await failing(says, 1_000);
    await expect(chooseSandbox(auto, folders(), { patienceMs: 0 })).rejects.toThrow(
      /could not be tested.*no sandbox with less isolation/,
    );
  });

  test("is none where nothing better has ever worked, and refused where it has", async () => {
    await failing("No permissions to create new namespace", 1_000);
    const place = folders();
    expect((await openSandbox(auto, place, silentLog)).mode).toBe("none");
    process.env.PATH = path;
    expect((await openSandbox(auto, place, silentLog)).mode).toBe("bwrap");
    await failing("No permissions to create new namespace", 1_000);
    await expect(openSandbox(auto, place, silentLog)).rejects.toThrow(
      /ran in the sandbox bwrap.*only none works now/,
    );
    expect((await openSandbox({ ...auto, sandbox: "none" }, place, silentLog)).mode).toBe("none");
    await expect(openSandbox(auto, place, silentLog)).rejects.toThrow("only none works now");
  });
});
