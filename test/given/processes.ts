import { readdirSync, readFileSync } from "node:fs";

/** Whether a process still runs: one that has no memory any more has ended, whether its parent has noticed or not. */
export function isRunning(pid: number): boolean {
  return /^VmSize:/m.test(statusOf(pid));
}

/** The processes whose command line has a text in it. */
export function processesWith(text: string): number[] {
  return processIds().filter((pid) => isRunning(pid) && commandLine(pid).includes(text));
}

/** The process whose children the agents of a server are. */
export function agentHostOf(server: { pid: number }): number {
  const isChild = (pid: number) => new RegExp(`^PPid:\\s+${server.pid}$`, "m").test(statusOf(pid));
  const found = processesWith("host-main.js").find(isChild);
  if (found === undefined) throw new Error("the server has no agent host");
  return found;
}

/** Ends what a server that was killed has left of its runs: agents live in workspaces of its data folder. */
export function endAgentsIn(dataDir: string): void {
  const home = `HOME=${dataDir}/workspaces/`;
  for (const pid of processIds().filter((each) => environmentOf(each).includes(home))) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended meanwhile.
    }
  }
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

function processIds(): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid);
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1");
  } catch {
    return "";
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
