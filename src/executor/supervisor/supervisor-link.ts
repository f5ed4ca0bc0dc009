import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { exchangeFrames } from "../../platform/frames.ts";
import { connectPrivately } from "../../platform/private-socket.ts";
import { killQuietly, killTagged } from "../../platform/processes.ts";
import { spawnAgentSupervisor } from "../../platform/threads.ts";
import { type FromSupervisor, SUPERVISOR_VERSION, type ToSupervisor } from "./supervisor-messages.ts";
import {
  environmentOfPlace,
  FIRST_CONNECTION,
  FOLDER_VARIABLE,
  SOCKET,
  type SupervisorPlace,
} from "./supervisor-place.ts";

/** The connection to a supervisor. */
export interface SupervisorLink {
  send(message: ToSupervisor): void;
  /** What came before there is a listener is told to it first. */
  onMessage(listener: (message: FromSupervisor) => void): void;
  /** Is called once, when it has ended, or cannot be reached any more. */
  onEnd(listener: (why: object) => void): void;
  kill(): void;
  /** Says nothing more to it: it ends, unless programs go on. */
  disconnect(): void;
}

type Left = Extract<FromSupervisor, { event: "left" }>;

/** How long a supervisor may take to say what it has. */
const MAX_GREETING_MS = 5_000;

/** Starts a supervisor. What it writes to standard error is passed on. */
export function startSupervisor(
  place: SupervisorPlace,
  onError: (said: string) => void,
  program?: URL,
): SupervisorLink {
  const child = spawnAgentSupervisor(environmentOfPlace(place), program);
  const stream = child.stdio[FIRST_CONNECTION] as Duplex | null | undefined;
  child.stderr?.on("data", (said: Buffer) => onError(said.toString("utf8")));
  const ended = new Promise<object>((resolve) => {
    // What could not be started has no end.
    child.once("error", (error) => child.pid === undefined && resolve({ error: error.message }));
    child.once("exit", (code, signal) => resolve({ code, signal }));
  });
  // It may outlive this process, which does not wait for it.
  child.unref();
  const { next: _, ...link } = linkOver(stream);
  let isDisconnected = false;
  // What can no longer be talked to has to end.
  stream?.once("close", () => isDisconnected || child.kill("SIGKILL"));
  return {
    ...link,
    kill: () => void child.kill("SIGKILL"),
    onEnd: (listener) => void ended.then(listener),
    disconnect() {
      isDisconnected = true;
      link.disconnect();
      child.stderr?.destroy();
    },
  };
}

/**
 * Connects to the supervisor that an earlier process has left in a folder. One that does not understand this process, or does not
 * answer, is ended.
 */
export async function findSupervisor(
  folder: string,
): Promise<{ link: SupervisorLink; left: Left } | undefined> {
  // It makes its socket when it starts, and takes it away when it ends.
  if (!existsSync(join(folder, SOCKET))) return undefined;
  const endIt = () => killTagged(FOLDER_VARIABLE, folder);
  const socket = await connectPrivately(folder, SOCKET);
  const { next, ...link } = linkOver(socket);
  const left = await Promise.race([next, sleep(MAX_GREETING_MS, undefined, { ref: false })]);
  if (!socket || left?.event !== "left" || left.version !== SUPERVISOR_VERSION) {
    socket?.destroy();
    await endIt();
    return undefined;
  }
  const { pid } = left;
  const kill = () => killQuietly(pid);
  return {
    link: { ...link, kill, onEnd: (listener) => void socket.once("close", () => listener({ pid })) },
    left,
  };
}

function linkOver(stream: Duplex | null | undefined) {
  const early: FromSupervisor[] = [];
  let hear: (message: FromSupervisor) => void = (message) => void early.push(message);
  const next = new Promise<FromSupervisor | undefined>((resolve) => {
    stream?.once("close", () => resolve(undefined));
    if (!stream) resolve(undefined);
    const buffer = hear;
    // What comes right after the first message waits for a listener.
    hear = (message) => {
      hear = buffer;
      resolve(message);
    };
  });
  stream?.on("error", () => {});
  const send = stream ? exchangeFrames(stream, (message) => hear(message as FromSupervisor)) : () => {};
  return {
    next,
    send: (message: ToSupervisor) => send(message),
    onMessage(listener: (message: FromSupervisor) => void) {
      hear = listener;
      for (const message of early.splice(0)) listener(message);
    },
    disconnect: () => void stream?.destroy(),
  };
}
