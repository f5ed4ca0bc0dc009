import { chmodSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { serverWithAgent } from "./agent.ts";
import { FACTORY } from "./definition.ts";
import { type Files, folderWith, temporaryFolder } from "./folder.ts";

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
