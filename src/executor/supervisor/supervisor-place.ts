import { openSync, readFileSync, rmSync, writeSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { listenPrivately } from "../../platform/private-socket.ts";

/** The socket that a supervisor is started with. */
export const FIRST_CONNECTION = 3;
/** In the folder of the executor, whose user alone may enter it. */
export const SOCKET = "supervisor.sock";
const AT_WORK = "at-work";
/** Tells a supervisor from other processes, for whoever looks for that of a folder. */
export const FOLDER_VARIABLE = "MILLRACE_SUPERVISOR_FOLDER";
const UID_VARIABLE = "MILLRACE_SUPERVISOR_UID";

/** Where a supervisor is found again, and as what. */
export interface SupervisorPlace {
  /** Of whoever it works for: it stays the same for all who take up its programs. */
  uid: string;
  /** For its user alone. */
  folder: string;
}

/** Half of them resolve names (uv_getaddrinfo), each for as long as a server of names takes: those of all runs. */
const THREADS = 64;

/** The whole environment of a supervisor: nothing of the server's is in it. */
export function environmentOfPlace({ uid, folder }: SupervisorPlace): Record<string, string> {
  return { [UID_VARIABLE]: uid, [FOLDER_VARIABLE]: folder, UV_THREADPOOL_SIZE: String(THREADS) };
}

/** Whether a process was started to be a supervisor. */
export function hasPlace(environment: NodeJS.ProcessEnv): boolean {
  return environment[UID_VARIABLE] !== undefined;
}

export function placeOfEnvironment(environment: NodeJS.ProcessEnv): SupervisorPlace {
  return { uid: environment[UID_VARIABLE] ?? "", folder: environment[FOLDER_VARIABLE] ?? "" };
}

/** Where output waits, for as long as a supervisor lives. */
export function spoolFolder(folder: string): string {
  return join(folder, "spool");
}

/**
 * Notes which program a supervisor works for, where its executor finds it when the supervisor does not respond.
 * @returns what notes the number of a program; only another one than before is written
 */
export function noteProgramAtWork(folder: string): (id: number) => void {
  const note = openSync(join(folder, AT_WORK), "w", 0o600);
  const bytes = Buffer.alloc(8);
  let noted = 0;
  return (id) => {
    if (id === noted) return;
    noted = id;
    bytes.writeDoubleLE(id);
    writeSync(note, bytes, 0, bytes.length, 0);
  };
}

/** @returns the number of the program that a supervisor worked for last; nothing where it has noted none */
export function programAtWork(folder: string): number | undefined {
  try {
    const bytes = readFileSync(join(folder, AT_WORK));
    return bytes.length < 8 ? undefined : bytes.readDoubleLE();
  } catch {
    return undefined;
  }
}

/** Listens for those who come later. */
export async function listenInPlace(folder: string, onConnection: (socket: Socket) => void): Promise<void> {
  await listenPrivately(folder, SOCKET, onConnection);
  process.once("exit", () => rmSync(join(folder, SOCKET), { force: true }));
}
