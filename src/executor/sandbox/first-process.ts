import {
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { killQuietly } from "../../platform/processes.ts";

/**
 * What tells the first process of a process namespace from every other, as it was when nothing of an agent ran yet. The
 * kernel ends all processes of a namespace with the first one, and that one has ended only when they have.
 */
interface FirstProcess {
  pid: number;
  /** In ticks since the machine booted, as /proc has it. */
  startedAt: string;
  bootId: string;
  /** The namespace that the number of the process is of. */
  numberedIn: string;
}

/** Whether a note was found, and whether what it names has ended. */
export type NotedEnd = "nothing noted" | "ended" | "alive";

const ENDED_LOOK_MS = 5;
const MAX_END_MS = 5_000;

/**
 * Writes down the first process of a namespace, so that it is found whatever an agent does, by this process and those after it.
 * @param parent which started it: another process that has its number by now is not noted
 * @throws Error that says why there is nothing to note
 */
export function noteFirstProcess(file: string, pid: number, parent: number): void {
  const found = statOf(pid);
  if (found?.parent !== parent) throw new Error(`process ${pid} is not the first of a new namespace`);
  const note: FirstProcess = { pid, startedAt: found.startedAt, ...here() };
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // Whole or not there at all, whenever this process is killed.
  writeFileSync(`${file}.new`, JSON.stringify(note), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

/** The number of the process that is noted in a file, as long as it has not ended. */
export function findNoted(file: string): number | undefined {
  const note = readNote(file);
  return note && isAlive(note) ? note.pid : undefined;
}

/** Ends the noted process, and all of its namespace with it, and waits until they have ended. The note goes with them. */
export async function endNoted(file: string): Promise<NotedEnd> {
  const note = readNote(file);
  if (!note) return "nothing noted";
  for (let waited = 0; isAlive(note); waited += ENDED_LOOK_MS) {
    if (waited >= MAX_END_MS) return "alive";
    killQuietly(note.pid);
    await sleep(ENDED_LOOK_MS);
  }
  rmSync(file, { force: true });
  return "ended";
}

/**
 * Ends whatever is noted in a folder, at the start of a server, whose runs have ended or are lost.
 * @param kept names of the notes of runs that go on
 */
export async function endAllNoted(folder: string, kept: ReadonlySet<string> = new Set()): Promise<void> {
  let names: string[] = [];
  try {
    names = readdirSync(folder);
  } catch {
    // Nothing was ever noted.
  }
  await Promise.all(names.filter((name) => !kept.has(name)).map((name) => endNoted(join(folder, name))));
}

function readNote(file: string): FirstProcess | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function isAlive({ pid, startedAt, bootId, numberedIn }: FirstProcess): boolean {
  const found = statOf(pid);
  if (!found || found.hasEnded || found.startedAt !== startedAt) return false;
  const now = here();
  return now.bootId === bootId && now.numberedIn === numberedIn;
}

/** Numbers of processes and their times mean something on this machine, since it booted, in this namespace. */
function here(): Pick<FirstProcess, "bootId" | "numberedIn"> {
  return {
    bootId: readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim(),
    numberedIn: readlinkSync("/proc/self/ns/pid"),
  };
}

/** The fields of /proc/PID/stat (proc_pid_stat(5)) that matter here, of which the name can be any text. */
function statOf(pid: number): { parent: number; startedAt: string; hasEnded: boolean } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const [state = "", parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    // The parent is field 4, the time of the start field 22.
    return { parent: Number(parent), startedAt: rest[17] ?? "", hasEnded: "ZX".includes(state) };
  } catch {
    return undefined;
  }
}
