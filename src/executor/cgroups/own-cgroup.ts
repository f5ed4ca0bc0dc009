import { accessSync, constants, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** What bounds a part of the machine for all processes of a cgroup (https://docs.kernel.org/admin-guide/cgroup-v2.html). */
export type Controller = "memory" | "cpu" | "pids";

/** A cgroup that this process may divide: each run gets one of its own below it. */
export interface DivisibleCgroup {
  folder: string;
  controllers: readonly Controller[];
}

/** Why there is none, as the end of a sentence. */
export interface Indivisible {
  reason: string;
}

/** Where the processes of millrace itself are: a cgroup that gives controllers to others may have none (cgroups(7)). */
export const OWN_GROUP = "main";
const CONTROLLERS: readonly Controller[] = ["memory", "cpu", "pids"];

/** The folder of the cgroup of this process, where there are any of version 2. */
export const ownCgroup = () => cgroupOf(read("/proc/self/mountinfo"), read("/proc/self/cgroup"));

/** What a cgroup allows its processes together, in bytes; nothing for no limit. */
export function memoryLimitOf(folder: string): number | undefined {
  const limit = read(join(folder, "memory.max")).trim();
  return /^\d+$/.test(limit) ? Number(limit) : undefined;
}

/** Finds the cgroup of this process, if it may be divided. Nothing is changed. */
export function findDivisibleCgroup(): DivisibleCgroup | Indivisible {
  const own = ownCgroup();
  if (own === undefined) return { reason: "this machine has no cgroups of version 2" };
  return findDivisible(own);
}

/**
 * Looks at a cgroup that holds this process. One that a service manager or an earlier process has put this one into is
 * its own part of a cgroup that has been divided before.
 */
export function findDivisible(own: string): DivisibleCgroup | Indivisible {
  const isPart = basename(own) === OWN_GROUP && isWritable(dirname(own));
  const folder = isPart ? dirname(own) : own;
  const given = read(join(folder, "cgroup.controllers")).trim().split(" ");
  const controllers = CONTROLLERS.filter((name) => given.includes(name));
  if (!controllers.includes("memory"))
    return { reason: `the cgroup ${folder} has no memory controller of version 2` };
  if (!isWritable(folder))
    return { reason: `the cgroup ${folder} is not delegated to this user (with systemd: Delegate=yes)` };
  const strangers = processesIn(folder).filter((pid) => !isOwn(pid));
  if (strangers.length > 0)
    return { reason: `the cgroup ${folder} also has processes that are not part of millrace` };
  return { folder, controllers };
}

/** The processes directly in a cgroup. */
export const processesIn = (folder: string): number[] =>
  read(join(folder, "cgroup.procs")).split("\n").filter(Boolean).map(Number);

/**
 * The folder of a process's cgroup in the hierarchy of version 2.
 * @param mounts /proc/PID/mountinfo (proc_pid_mountinfo(5))
 * @param groups /proc/PID/cgroup (cgroups(7)), where a line that begins with "0::" is of version 2
 */
export function cgroupOf(mounts: string, groups: string): string | undefined {
  const path = /^0::(\/.*)$/m.exec(groups)?.[1];
  if (path === undefined) return undefined;
  for (const line of mounts.split("\n")) {
    const [, , , root = "", folder = "", ...rest] = line.split(" ");
    if (rest[rest.indexOf("-") + 1] !== "cgroup2") continue;
    const isBelow = root === "/" || path === root || path.startsWith(`${root}/`);
    if (isBelow) return join(unescaped(folder), root === "/" ? path : path.slice(root.length));
  }
  return undefined;
}

/** Spaces and the like are octal numbers there. */
const unescaped = (path: string) =>
  path.replaceAll(/\\([0-7]{3})/g, (_, digits) => String.fromCharCode(Number.parseInt(digits, 8)));

function isWritable(folder: string): boolean {
  try {
    for (const path of [folder, join(folder, "cgroup.procs"), join(folder, "cgroup.subtree_control")])
      accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether a process is this one, or was started by it. One that has ended in the meantime is in nobody's way. */
function isOwn(pid: number): boolean {
  if (pid === process.pid) return true;
  const stat = read(`/proc/${pid}/stat`);
  if (stat === "") return pid !== 0;
  const parent = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  return parent > 1 && isOwn(parent);
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return "";
  }
}
