import { closeSync, ftruncateSync, mkdirSync, openSync, readSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { newUid } from "../../id.ts";
import type { OutputPiece } from "../../runs/output/transcript.ts";

type Pieces = readonly OutputPiece[];

/** So much is sent before it is known to be kept: a second stretch is read while the first is being kept. */
const MAX_SENT_BYTES = 512 * 1024;

/** Output on its way to whoever keeps it, in its order. */
export interface Outbox {
  push(pieces: Pieces): void;
  /** Says that the oldest pieces that were sent are kept. */
  kept(): void;
  /** Sends again what was sent and is not known to be kept: somebody else listens now. */
  sendAgain(): void;
  /** Whether so much is waiting that no more should be read. */
  isBehind(): boolean;
  /** Calls back once everything that was pushed has been sent. */
  whenSent(listener: () => void): void;
  /** Drops what has not been sent, and what comes. */
  close(): void;
}

/**
 * @param spool where output waits while nobody keeps it; without one a program waits that writes more
 */
export function createOutbox(send: (pieces: Pieces) => void, spool?: Spool): Outbox {
  const sent: Pieces[] = [];
  let sentBytes = 0;
  /** For what the disk has no room. */
  const stuck: Pieces[] = [];
  let isClosed = false;
  let onSent: (() => void) | undefined;

  const isAllSent = () => stuck.length === 0 && (spool?.isEmpty ?? true);

  function sendNow(pieces: Pieces): void {
    sent.push(pieces);
    sentBytes += sizeOf(pieces);
    send(pieces);
  }

  function tellWhenSent(): void {
    if (!isAllSent()) return;
    onSent?.();
    onSent = undefined;
  }

  return {
    push(pieces) {
      if (isClosed || pieces.length === 0) return;
      if (!spool || (isAllSent() && sentBytes < MAX_SENT_BYTES)) return sendNow(pieces);
      // Behind what is stuck already, so that the order stays.
      if (stuck.length > 0 || !spool.write(pieces)) stuck.push(pieces);
    },
    kept() {
      sentBytes -= sizeOf(sent.shift() ?? []);
      while (sentBytes < MAX_SENT_BYTES) {
        const next = spool?.read() ?? stuck.shift();
        if (!next) break;
        sendNow(next);
      }
      tellWhenSent();
    },
    sendAgain() {
      for (const pieces of sent) send(pieces);
    },
    isBehind: () => (spool ? spool.isFull || stuck.length > 0 : sentBytes > MAX_SENT_BYTES),
    whenSent(listener) {
      onSent = listener;
      tellWhenSent();
    },
    close() {
      isClosed = true;
      stuck.length = 0;
      spool?.close();
      tellWhenSent();
    },
  };
}

function sizeOf(pieces: Pieces): number {
  return pieces.reduce((sum, { bytes }) => sum + bytes.length, 0);
}

/** Output that waits on disk, masked, in its order. */
export interface Spool {
  /** @returns whether it was written: the disk may be full */
  write(pieces: Pieces): boolean;
  /** Takes the oldest out; nothing when it is empty. */
  read(): Pieces | undefined;
  readonly isEmpty: boolean;
  readonly isFull: boolean;
  close(): void;
}

/** More is not kept of a turn in any case. An agent that writes more waits. */
const MAX_SPOOLED_BYTES = 64 * 1024 * 1024;

/**
 * Opens a spool whose file nobody else finds: it has no name any more, so nothing of it is left when this process ends. It is made
 * when it is needed first.
 * @param folder for this user alone; made where it is missing
 */
export function openSpool(folder: string, maxBytes = MAX_SPOOLED_BYTES): Spool {
  let descriptor: number | undefined;
  let end = 0;
  let start = 0;
  const waiting: number[] = [];

  function open(): number {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const path = join(folder, newUid());
    const opened = openSync(path, "wx+", 0o600);
    unlinkSync(path);
    return opened;
  }

  function empty(file: number): void {
    ftruncateSync(file, 0);
    start = 0;
    end = 0;
  }

  return {
    write(pieces) {
      const bytes = serialize(pieces);
      try {
        descriptor ??= open();
        for (let written = 0; written < bytes.length; )
          written += writeSync(descriptor, bytes, written, bytes.length - written, end + written);
      } catch {
        return false;
      }
      end += bytes.length;
      waiting.push(bytes.length);
      return true;
    },
    read() {
      const length = waiting.shift();
      if (length === undefined || descriptor === undefined) return undefined;
      const bytes = Buffer.alloc(length);
      for (let got = 0; got < length; ) got += readSync(descriptor, bytes, got, length - got, start + got);
      start += length;
      if (waiting.length === 0) empty(descriptor);
      return deserialize(bytes) as Pieces;
    },
    get isEmpty() {
      return waiting.length === 0;
    },
    get isFull() {
      return end - start >= maxBytes;
    },
    close() {
      if (descriptor !== undefined) closeSync(descriptor);
      descriptor = undefined;
      waiting.length = 0;
    },
  };
}
