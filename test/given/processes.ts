import { readdirSync, readFileSync } from "node:fs";
import { onFinished } from "./cleanup.ts";

/** Whether a process still runs: one that has no memory any more has ended, whether its parent has noticed or not. */
export function isRunning(pid: number): boolean {
  return /^VmSize:/m.test(statusOf(pid));
}

/** The processes whose command line has a text in it. */
export function processesWith(text: string): number[] {
  return processIds().filter((pid) => isRunning(pid) && commandLine(pid).includes(text));
}

/** The process whose children the agents of a server or a worker are, also of one that has ended. */
export function supervisorOf({ dataDir }: { dataDir: string }): number | undefined {
  const mark = `MILLRACE_SUPERVISOR_FOLDER=${dataDir}\0`;
  return processIds().find((pid) => isRunning(pid) && `${environmentOf(pid)}\0`.includes(mark));
}

/** The same, where there has to be one. */
export function agentHostOf(server: { dataDir: string }): number {
  const found = supervisorOf(server);
  if (found === undefined) throw new Error("the server has no agent supervisor");
  return found;
}

/** The processes of a server's runs: agents live in workspaces of its data folder. */
export function agentsIn(dataDir: string): number[] {
  const home = `HOME=${dataDir}/workspaces/`;
  return processIds().filter((pid) => isRunning(pid) && environmentOf(pid).includes(home));
}

/** Ends what a server that was killed has left of its runs. */
export function endAgentsIn(dataDir: string): void {
  const supervisor = supervisorOf({ dataDir });
  if (supervisor !== undefined) endProcess(supervisor);
  for (const pid of agentsIn(dataDir)) endProcess(pid);
}

export function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
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

/** The superuser may do everything, so a test of what a user may not do goes on as somebody else. */
export function actAsNobody(): void {
  if (process.getuid?.() !== 0) return;
  process.seteuid?.(65_534);
  onFinished(() => process.seteuid?.(0));
}
