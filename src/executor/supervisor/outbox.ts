import type { OutputPiece } from "../../runs/output/transcript.ts";
import type { Spool } from "./spool.ts";

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
