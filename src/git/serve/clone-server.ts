import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable, type Writable } from "node:stream";
import { createGunzip } from "node:zlib";
import { fairTurns, type TurnLimits } from "../../concurrency/fair-turns.ts";
import { timeLimit, untilAborted } from "../../concurrency/promises.ts";
import { MillraceError } from "../../errors/error.ts";
import { newUid } from "../../id.ts";
import type { Mirror } from "../mirrors/mirror.ts";
import { type ReaderLimits, UploadPackFailure, uploadPack } from "./upload-pack.ts";

export interface CloneRequest {
  mirror: Pick<Mirror, "snapshot">;
  /** Who asks; no client gets all turns. */
  client: string;
  /** What the client wants and has; without it, the answer is the list of refs. */
  body?: PackedBody;
  /** Where the answer goes; called with its first bytes. */
  open: () => Writable;
}

export interface CloneLimits extends TurnLimits, ReaderLimits {
  /** What the body of a request may unpack to. */
  bodyBytes: number;
  /** How long a request may wait for its turn. */
  turnMs: number;
  /** How long a request may wait for its mirror, which is in the middle of a fetch; it has its turn then. */
  snapshotMs: number;
  /** How long one request may take, from its turn on. */
  timeLimitMs: number;
}

/**
 * What one hostile client takes still leaves most of the turns, and a waiting request costs a socket and its body. The waits
 * together are below the minute for which git and proxies wait for an answer. A kernel may hold 4 MB of an answer, and
 * reports that its client reads only when a third of it is read.
 */
export const CLONE_LIMITS: CloneLimits = {
  running: 16,
  runningOfKey: 4,
  waiting: 400,
  waitingOfKey: 100,
  bodyBytes: 64 * 1024 * 1024,
  turnMs: 15_000,
  snapshotMs: 10_000,
  timeLimitMs: 60 * 60_000,
  patienceMs: 60_000,
  leastBytesPerSecond: 32 * 1024,
};

/** Serves clones and fetches from mirrors, read-only. */
export interface CloneServer {
  /**
   * Answers one request of git's smart HTTP protocol.
   * @param signal ends it, and the processes that answer it
   * @throws MillraceError when nothing of the answer was sent; SlowReader or the signal's reason in the middle of it
   */
  answer(request: CloneRequest, signal: AbortSignal): Promise<void>;
}

/**
 * Makes a server of clones. What an earlier process was serving when it ended is removed.
 * @param gitFolder the git folder of the data folder, on the volume of the mirrors
 */
export async function openCloneServer(
  gitFolder: string,
  limits: CloneLimits = CLONE_LIMITS,
): Promise<CloneServer> {
  const folder = join(gitFolder, "served");
  // What cannot be written there now is told by each clone, and keeps no server from starting.
  await rm(folder, { recursive: true, force: true }).catch(() => {});
  const turns = fairTurns(limits);
  return {
    async answer({ mirror, client, body, open }, signal) {
      const endTurn = await turnWithin(limits.turnMs, (either) => turns.take(client, either), signal);
      const snapshot = join(folder, newUid());
      const within = timeLimit(limits.timeLimitMs, signal);
      const ofSnapshot = timeLimit(limits.snapshotMs, within.signal);
      try {
        await takeSnapshot(mirror, snapshot, ofSnapshot.signal);
        await uploadPack(snapshot, {
          body: body && unpackedBody(body, limits.bodyBytes),
          open,
          reader: limits,
          signal: within.signal,
        });
      } catch (error) {
        throw error instanceof UploadPackFailure ? notUnderstood(error) : error;
      } finally {
        ofSnapshot.end();
        within.end();
        // One that is still being made is removed when it is there.
        await rm(snapshot, { recursive: true, force: true }).catch(() => {});
        endTurn();
      }
    },
  };
}

function tooMany(): MillraceError {
  return new MillraceError("service_unavailable", "Too many clones are waiting for this server.", {
    retryAfter: 10,
  });
}

/** @throws MillraceError when there is no turn for it in time, or too many wait */
async function turnWithin(
  milliseconds: number,
  take: (signal: AbortSignal) => Promise<(() => void) | undefined>,
  signal: AbortSignal,
): Promise<() => void> {
  const late = AbortSignal.timeout(milliseconds);
  const end = await take(AbortSignal.any([signal, late])).catch((error) => {
    if (late.aborted && !signal.aborted) return undefined;
    throw error;
  });
  if (!end) throw tooMany();
  return end;
}

/** A snapshot that its request no longer waits for is removed when it is there. */
async function takeSnapshot(
  mirror: CloneRequest["mirror"],
  into: string,
  signal: AbortSignal,
): Promise<void> {
  const taken = mirror.snapshot(into, signal);
  try {
    await untilAborted(taken, signal);
  } catch (error) {
    void taken.catch(() => {}).then(() => rm(into, { recursive: true, force: true }).catch(() => {}));
    throw unreadable(error);
  }
}

/** Why it is so names folders of this machine, which a client does not see. */
function unreadable(cause: unknown): MillraceError {
  return new MillraceError(
    "service_unavailable",
    "The server's mirror of the repository cannot be read now.",
    { retryAfter: 10, cause },
  );
}

/** Git says why in words about the protocol, or about the repository. */
function notUnderstood({ message }: UploadPackFailure): MillraceError {
  const line = message.split("\n").find((each) => /^fatal:/.test(each)) ?? message;
  return new MillraceError(
    "invalid_request",
    `git could not answer the request: ${line.replace(/^fatal: /, "").slice(0, 200)}.`,
  );
}

/** The body of a request as it came. */
export interface PackedBody {
  bytes: Buffer;
  isZipped: boolean;
}

/**
 * The body of a request as git reads it. Its stream fails with a MillraceError when it is damaged, or larger than it may be:
 * a few kilobytes can unpack to gigabytes.
 */
function unpackedBody({ bytes, isZipped }: PackedBody, mostBytes: number): Readable {
  const packed = Readable.from(pieces(bytes), { objectMode: false });
  return Readable.from(limited(isZipped ? packed.pipe(createGunzip()) : packed, mostBytes));
}

async function* limited(source: AsyncIterable<Buffer>, mostBytes: number): AsyncIterable<Buffer> {
  let left = mostBytes;
  try {
    for await (const piece of source) {
      left -= piece.length;
      if (left < 0) throw tooLarge(mostBytes);
      yield piece;
    }
  } catch (error) {
    throw error instanceof MillraceError ? error : damaged();
  }
}

/** In one piece, a body would be whole in the buffer of each step. */
const PIECE_BYTES = 64 * 1024;

function* pieces(bytes: Buffer): Iterable<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}

function tooLarge(mostBytes: number): MillraceError {
  return new MillraceError(
    "payload_too_large",
    `The git request unpacks to more than ${mostBytes} bytes: fetch fewer branches in one request.`,
  );
}

function damaged(): MillraceError {
  return new MillraceError("invalid_request", "The body of the git request is not valid gzip data.");
}
