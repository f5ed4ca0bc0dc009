import { rmSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { listenPrivately } from "../../platform/private-socket.ts";

/** The socket that a supervisor is started with. */
export const FIRST_CONNECTION = 3;
/** In the folder of the executor, whose user alone may enter it. */
export const SOCKET = "supervisor.sock";
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

/** Listens for those who come later. */
export async function listenInPlace(folder: string, onConnection: (socket: Socket) => void): Promise<void> {
  await listenPrivately(folder, SOCKET, onConnection);
  process.once("exit", () => rmSync(join(folder, SOCKET), { force: true }));
}
