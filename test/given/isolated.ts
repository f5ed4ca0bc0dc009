import { chmodSync, chownSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { serverWithAgent } from "./agent.ts";
import { FACTORY } from "./definition.ts";
import { type Files, folderWith, temporaryFolder } from "./folder.ts";
import { NOBODY } from "./sandbox-of.ts";

/**
 * The sandboxes that hold an agent back with nothing but programs of the system. Without a sandbox only another user can,
 * which takes a server that is root.
 */
export const SANDBOXES = process.getuid?.() === 0 ? ["bwrap", "none"] : ["bwrap"];

/** A server whose agents run in a sandbox, and whose data folder lies where other users may pass. */
export async function serverWithSandbox(
  sandbox: string,
  agent: string,
  {
    env = {},
    files = {},
    args = [],
    sharesProcess = true,
    dataDir: before,
  }: {
    env?: Record<string, string>;
    files?: Files;
    args?: string[];
    /** False for one that is killed, or whose processes are looked for. */
    sharesProcess?: boolean;
    /** Of a server that was there before. */
    dataDir?: string | undefined;
  } = {},
) {
  const folder = before === undefined ? temporaryFolder("millrace-isolated") : dirname(before);
  chmodSync(folder, 0o755);
  const dataDir = before ?? join(folder, "data");
  const made = await serverWithAgent(agent, {
    env: { MILLRACE_SANDBOX: sandbox, ...env },
    args,
    sharesProcess,
    before: { source: folderWith({ ...FACTORY, ...files }), server: { dataDir } },
  });
  return { ...made, dataDir };
}

/** An agent that is the program of its prompt, so that tests with different agents share a server; without one, it is `otherwise`. */
export const agentOfPrompt = (otherwise = "") => `
  import { readFileSync } from "node:fs";
  const [, program = "${base64(otherwise)}"] = /^program: (\\S+)$/m.exec(readFileSync("prompt.md", "utf8")) ?? [];
  await import("data:text/javascript;base64," + program);`;

/** A prompt with the program of such an agent. */
export const promptWith = (program: string, rest = "") => `program: ${base64(program)}\n${rest}`;

const base64 = (text: string) => Buffer.from(text).toString("base64");

/** The processes of this machine whose environment or command line holds a text. */
export function processesWith(text: string): number[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  return pids
    .map(Number)
    .filter((pid) => ["environ", "cmdline"].some((file) => fileOf(pid, file).includes(text)));
}

function fileOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "latin1");
  } catch {
    return "";
  }
}

/** Works until it is ended the first time, with a child that has left its group. */
export const WORKS_ONCE = `
  import { spawn } from "node:child_process";
  import { existsSync, writeFileSync } from "node:fs";
  if (!existsSync("begun")) {
    writeFileSync("begun", "");
    spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
    console.log("ready");
    setInterval(() => {}, 1000);
  }`;

const AS_NOBODY = [
  "setpriv",
  `--reuid=${NOBODY.uid}`,
  `--regid=${NOBODY.gid}`,
  "--clear-groups",
  "--inh-caps=-all",
];

interface Options {
  env?: Record<string, string>;
  files?: Files;
  /** What the server is started with. */
  wrapper?: string[];
  /** How it becomes somebody else. */
  as?: string[];
  /** The data folder and the factory of a server before this one. */
  before?: { dataDir: string; source: string };
}

/** A server with one agent, which is root or somebody else, and runs agents in a sandbox. */
export async function serverOf(
  user: "root" | "nobody",
  sandbox: string,
  agent: string,
  { env = {}, files = {}, wrapper = [], as = AS_NOBODY, before }: Options = {},
) {
  const dataDir = before?.dataDir ?? join(temporaryFolder("millrace-served"), "data");
  const source = before?.source ?? folderWith({ ...FACTORY, ...files });
  const isSomebodyElse = user === "nobody" && process.getuid?.() === 0;
  const owned = [
    dirname(dataDir),
    source,
    ...readdirSync(source, { recursive: true }).map((path) => join(source, String(path))),
  ];
  if (isSomebodyElse) for (const path of owned) chownSync(path, NOBODY.uid, NOBODY.gid);
  chmodSync(dirname(dataDir), 0o755);
  const made = await serverWithAgent(agent, {
    env: { MILLRACE_SANDBOX: sandbox, HOME: "/nonexistent", ...env },
    wrapper: [...wrapper, ...(isSomebodyElse ? as : [])],
    before: { source, server: { dataDir } },
  });
  return { ...made, dataDir };
}
