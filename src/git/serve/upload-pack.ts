import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { lowerPriority } from "../../platform/processes.ts";
import { configInEnvironment, LOCAL_CONFIG, localGitEnvironment } from "../git-environment.ts";

/** What upload-pack may take of this machine for one client. That it hands out only what its refs reach is its default. */
const SERVE_CONFIG: readonly (readonly [string, string])[] = [
  ...LOCAL_CONFIG,
  ["uploadpack.allowFilter", "false"],
  ["uploadpack.allowTipSHA1InWant", "false"],
  ["uploadpack.allowReachableSHA1InWant", "false"],
  ["uploadpack.allowAnySHA1InWant", "false"],
  ["pack.threads", "1"],
  ["pack.windowMemory", "64m"],
  ["pack.deltaCacheSize", "32m"],
  // Larger files are sent as they are, piece by piece.
  ["core.bigFileThreshold", "16m"],
];

/** What one object may take in memory. */
const MAX_ALLOCATION = "2g";
const MAX_COMPLAINT = 2_000;

/** Git failed before it answered its client. */
export class UploadPackFailure extends Error {
  constructor(complaint: string) {
    super(complaint);
    this.name = "UploadPackFailure";
  }
}

export interface UploadPackOptions {
  /** What the client wants and has; without it, the answer is the list of refs. */
  body?: Readable | undefined;
  /** Where the answer goes; called with its first bytes, or at its end when it has none. */
  open: () => Writable;
  reader: ReaderLimits;
  /** Ends git and all that it has started. */
  signal: AbortSignal;
}

/**
 * Answers one request of git's smart HTTP protocol for clones and fetches from a repository.
 *
 * It is answered in version 0 of the protocol, whatever the client offers: in version 2, a client may want any object that
 * the repository has, and in version 0 only what the refs reach. In addition, version 0 needs one request less.
 * @throws UploadPackFailure with what git said, when git failed before it answered anything
 */
export async function uploadPack(
  repository: string,
  { body, open, reader, signal }: UploadPackOptions,
): Promise<void> {
  signal.throwIfAborted();
  const args = ["upload-pack", "--strict", "--stateless-rpc", ...(body ? [] : ["--advertise-refs"])];
  // In a group of its own, because ending upload-pack does not end the process that makes the pack.
  const git = spawn("git", [...args, repository], {
    env: serveEnvironment(),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  const end = () => endGroup(git);
  signal.addEventListener("abort", end, { once: true });
  const complaint = collect(git.stderr);
  const ended = once(git, "close") as Promise<[number | null]>;
  // Where waiting for it never begins, its failure is not an unhandled one.
  ended.catch(() => {});
  letOthersGoFirst(git);
  const sent = send(body, git);
  sent.catch(() => {});
  try {
    const sink = await pour(git.stdout, open, reader, signal);
    const [code] = await ended;
    signal.throwIfAborted();
    await sent;
    if (code !== 0 && !sink) throw new UploadPackFailure(complaint() || `git upload-pack: code ${code}`);
    // What git wrote before a failure says why to the client, to whom the rest is missing.
    (sink ?? open()).end();
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

/** Environment of a git process that reads one repository of ours: no credentials, no network, no settings of the machine. */
function serveEnvironment(): Record<string, string> {
  return {
    ...localGitEnvironment(),
    // A ref of the remote can have the name of one that stands in for a commit.
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_ALLOC_LIMIT: MAX_ALLOCATION,
    ...configInEnvironment(SERVE_CONFIG),
  };
}

/** Hands the request over. When git ends early, its exit code says why; a body that cannot be read ends git. */
async function send(body: Readable | undefined, git: ChildProcess): Promise<void> {
  const input = git.stdin as Writable;
  if (!body) return void input.end();
  await pipeline(body, input).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE" || error.code === "ERR_STREAM_PREMATURE_CLOSE") return;
    endGroup(git);
    throw error;
  });
}

function collect(stream: Readable): () => string {
  let text = "";
  stream.on("data", (piece: Buffer) => {
    text = (text + piece.toString()).slice(0, MAX_COMPLAINT);
  });
  return () => text.trim();
}

/** Making a pack can keep a processor busy for minutes, and requests of senders do not wait for that. */
function letOthersGoFirst({ pid }: ChildProcess): void {
  if (pid !== undefined) lowerPriority(pid);
}

function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // It has ended in the meantime.
  }
}

/** How slow a reader may be. */
export interface ReaderLimits {
  /** How long it may take nothing at all, and how far it may fall behind in the whole. */
  patienceMs: number;
  /** The rate that it has to keep up with while something is there for it. */
  leastBytesPerSecond: number;
}

/** A reader took less than it has to. */
export class SlowReader extends Error {
  constructor() {
    super("the reader of a clone was too slow");
    this.name = "SlowReader";
  }
}

/**
 * Hands over what a process writes, no faster than it is read. The time that the process itself needs does not count against
 * the reader.
 * @param open called with the first piece, so that a failure before it can still be answered as one
 * @returns what was opened; nothing when the process wrote nothing
 */
async function pour(
  source: Readable,
  open: () => Writable,
  { patienceMs, leastBytesPerSecond }: ReaderLimits,
  signal: AbortSignal,
): Promise<Writable | undefined> {
  let sink: Writable | undefined;
  let sent = 0;
  let waitedMs = 0;
  for await (const piece of source as AsyncIterable<Buffer>) {
    signal.throwIfAborted();
    sink ??= open();
    sent += piece.length;
    if (sink.write(piece)) continue;
    const credit = patienceMs + (sent / leastBytesPerSecond) * 1_000 - waitedMs;
    const began = performance.now();
    await drained(sink, Math.min(patienceMs, Math.max(1, credit)), signal);
    waitedMs += performance.now() - began;
  }
  return sink;
}

async function drained(sink: Writable, milliseconds: number, signal: AbortSignal): Promise<void> {
  const slow = new AbortController();
  const timer = setTimeout(() => slow.abort(), milliseconds);
  try {
    await once(sink, "drain", { signal: AbortSignal.any([signal, slow.signal]) });
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw slow.signal.aborted ? new SlowReader() : error;
  } finally {
    clearTimeout(timer);
  }
}
