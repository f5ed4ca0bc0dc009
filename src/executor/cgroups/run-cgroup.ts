import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { formatBytes } from "../../config/values.ts";
import { systemCode } from "../../errors/error.ts";
import type { TurnResources } from "../../runs/output/usage.ts";

import { memoryLimitOf } from "./own-cgroup.ts";
import type { LimitsHere, RunLimits } from "./run-limits.ts";

/** The cgroup that a program is started in. */
export interface RunCgroup {
  folder: string;
  limits: RunLimits;
}

/** Of processor time, in microseconds. */
const PERIOD_US = 100_000;
const GIB = 1024 ** 3;

const LOOK_MS = 5;
const MAX_END_MS = 5_000;

/**
 * Makes the cgroup of a run, with its limits.
 * @returns the folder that a process is placed in
 * @throws what the kernel says of it
 */
export function makeRunCgroup({ folder, limits }: RunCgroup): string {
  // One that was left behind has counted the kills of another program.
  if (existsSync(folder)) removeCgroup(folder);
  mkdirSync(folder);
  setLimits(folder, limits);
  const program = join(folder, nameWith(limits));
  mkdirSync(program);
  return program;
}

/**
 * Sets the limits of a run that an earlier process has started: systemd starts a service again only after its controllers were
 * turned off for a moment, and with that the kernel forgets them.
 */
export function restoreLimits(folder: string): void {
  for (const name of readdirSync(folder)) {
    const limits = limitsIn(name);
    if (limits) setLimits(folder, limits);
  }
}

/**
 * The limits are of the cgroup above the one with the processes: a program that can mount its own cgroup, because it has the
 * user of the server, sees that one and nothing above it. Its name has the limits, for `restoreLimits`.
 */
const nameWith = ({ memoryBytes, cpus, tasks }: RunLimits) =>
  ["limits", ...[memoryBytes, cpus, tasks].map((limit) => limit ?? "max")].join("-");

function limitsIn(name: string): RunLimits | undefined {
  const found = /^limits-(\d+|max)-(\d+|max)-(\d+|max)$/.exec(name);
  if (!found) return undefined;
  const [memoryBytes, cpus, tasks] = found
    .slice(1)
    .map((text) => (text === "max" ? undefined : Number(text)));
  return { memoryBytes, cpus, tasks };
}

function setLimits(folder: string, { memoryBytes, cpus, tasks }: RunLimits): void {
  const set = (file: string, value: string) => writeFileSync(join(folder, file), value, { flag: "r+" });
  if (memoryBytes !== undefined) set("memory.max", String(memoryBytes));
  // A kernel without swap has no such file.
  if (memoryBytes !== undefined && existsSync(join(folder, "memory.swap.max"))) set("memory.swap.max", "0");
  // An agent that goes on without a part of it would do so without a word.
  if (existsSync(join(folder, "memory.oom.group"))) set("memory.oom.group", "1");
  if (cpus !== undefined) set("cpu.max", `${cpus * PERIOD_US} ${PERIOD_US}`);
  if (tasks !== undefined) set("pids.max", String(tasks));
}

/** @throws what the kernel says of it */
export function placeProcess(folder: string, pid: number): void {
  writeFileSync(join(folder, "cgroup.procs"), String(pid));
}

/**
 * What is said of a program that was killed because there was no more memory, as the end of a sentence; else nothing.
 * @param here what limits a run whose runner does not
 */
export function findMemoryKill(
  folder: string,
  here: Pick<LimitsHere, "memoryBytes" | "mostBytes">,
): string | undefined {
  const events = read(join(folder, "memory.events"));
  const count = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, "m").exec(events)?.[1] ?? 0);
  if (count("oom_kill") === 0) return undefined;
  const max = memoryLimitOf(folder);
  // The kernel counts it here only when it was this limit that was reached.
  if (count("oom") > 0 && max !== undefined) return overLimit(max, here);
  return "the machine ran out of memory, or the service that executes runs reached its own memory limit";
}

/** What the program of a run and all that it has started have taken of the machine; nothing where no cgroup has counted it. */
export function findResources(folder: string): TurnResources | undefined {
  const cpuUs = /^usage_usec (\d+)$/m.exec(read(join(folder, "cpu.stat")))?.[1];
  // Linux 5.19 and later.
  const peak = /^\d+$/.exec(read(join(folder, "memory.peak")).trim())?.[0];
  if (cpuUs === undefined && peak === undefined) return undefined;
  return {
    cpuMs: cpuUs === undefined ? null : Math.round(Number(cpuUs) / 1_000),
    peakMemoryBytes: peak === undefined ? null : Number(peak),
  };
}

function overLimit(max: number, here: Pick<LimitsHere, "memoryBytes" | "mostBytes">): string {
  if (max === here.memoryBytes)
    return `it exceeded ${formatBytes(max)} of memory, the limit that MILLRACE_RUN_MEMORY sets for runs whose runner has no instanceShape`;
  if (max === here.mostBytes)
    return `it exceeded ${formatBytes(max)} of memory, the most that a run can have on this machine, whatever the instanceShape of its runner says`;
  return `it exceeded ${max / GIB} GB of memory, the limit that memoryGb in the instanceShape of its runner sets`;
}

/**
 * Ends what is left in the cgroup of a run, and removes it.
 * @returns whether nothing is left
 */
export async function endRunCgroup(folder: string): Promise<boolean> {
  for (let waited = 0; existsSync(folder); waited += LOOK_MS) {
    if (waited >= MAX_END_MS) return false;
    try {
      // Linux 5.14 and later; before, the sandbox ends what it finds.
      if (existsSync(join(folder, "cgroup.kill"))) writeFileSync(join(folder, "cgroup.kill"), "1");
      removeCgroup(folder);
    } catch (error) {
      // Processes are still ending, or it is gone.
      if (systemCode(error) !== "EBUSY" && systemCode(error) !== "ENOENT") return false;
      await sleep(LOOK_MS);
    }
  }
  return true;
}

/** Removes a cgroup and those below it, the lowest first. @throws where processes are left in them */
export function removeCgroup(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isDirectory()) removeCgroup(join(folder, entry.name));
  rmdirSync(folder);
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
