import type { ChildProcess } from "node:child_process";
import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";
import type { OutputPiece } from "../../runs/output/transcript.ts";
import { MAX_ANSWER_JSON_BYTES } from "../../runs/rules/output-answer.ts";
import { createMasking, type Masker, maskText } from "../../secrets/masking/mask.ts";
import type { HarnessEvent } from "../harness/harness-event.ts";
import { LINE_READERS, type OutputReport, outputReader } from "../harness/output-reader.ts";
import type { ModelUsage } from "../output/model-usage.ts";
import type { Outbox } from "./outbox.ts";
import type { ProgramSpec } from "./supervisor-messages.ts";

/** What a program writes, on its way to the server. */
interface Output {
  /** Sends what was read so far. */
  flush(): void;
  /** Puts a line of the executor's own among it. */
  say(bytes: Uint8Array, at: string): void;
  /** Says that what was sent first has been kept. */
  more(): void;
  /** Says that nothing more is kept. */
  discard(): void;
  /** Sends the rest; both pipes have been read to their ends. */
  end(): void;
}

interface ReadingOutput {
  tell(report: OutputReport): void;
  /** Is told before something is read. */
  onWork(): void;
}

/** So much of a program is read in one turn of the loop: what looks like a secret for long takes some milliseconds. */
const TURN_BYTES = 16 * 1024;

/**
 * Reads what a program writes, a little of it in each turn of the loop, so that another program is read as often however much
 * there is: what goes into the outbox has no secret in it and no half character. A program that writes
 * faster than that takes it waits; once it has ended, only the rest in the pipe comes.
 */
export function readOutput(
  child: ChildProcess,
  spec: ProgramSpec,
  outbox: Outbox,
  { tell, onWork }: ReadingOutput,
): Output {
  const createMasker = createMasking(spec.secrets);
  /** Of what lines tell the last counts: a program that tells without end costs as little as one that does not. */
  let reported: OutputReport = {};
  const outgoing = gatherPieces((pieces) => {
    outbox.push(pieces);
    if (Object.keys(reported).length > 0) tell(masked(reported, createMasker));
    reported = {};
  });
  let isDiscarded = false;
  const createReader = LINE_READERS[spec.output];
  const events = maskEvents(createMasker);
  const sendEvents = (masked: readonly HarnessEvent[]) => {
    for (const event of masked) outgoing.add("harness", Buffer.from(`${JSON.stringify(event)}\n`));
  };
  const reader =
    createReader &&
    outputReader(
      createReader(),
      ({ text: _, ...report }) => {
        reported = { ...reported, ...report };
        outgoing.soon();
      },
      (read) => sendEvents(read.flatMap(events.mask)),
    );
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;

  function follow(name: "stdout" | "stderr", shown: (bytes: Buffer) => Buffer, rest: () => Buffer): Follower {
    const masker = createMasker();
    // The beginning of a character waits for its end: a reader may come back between any two pieces.
    let begun: Buffer = Buffer.alloc(0);
    // Without a file descriptor left for it, a child has no pipes; its failure to start is an event.
    const pipe: Readable | null | undefined = child[name];
    let unread: Buffer = NOTHING;
    const follower: Follower = {
      take(most) {
        if (unread.length === 0) unread = pipe?.read() ?? NOTHING;
        const bytes = unread.subarray(0, most);
        unread = unread.subarray(bytes.length);
        if (bytes.length > 0 && !isDiscarded) {
          onWork();
          const text = Buffer.concat([begun, masker.push(shown(bytes))]);
          const length = wholeLength(text);
          begun = text.subarray(length);
          outgoing.add(name, text.subarray(0, length));
        }
        return unread.length > 0 || (pipe?.readableLength ?? 0) > 0;
      },
      end: () => outgoing.add(name, Buffer.concat([begun, masker.push(rest()), masker.end()])),
    };
    pipe?.on("readable", () => hasSome(follower));
    return follower;
  }

  const followers = [
    follow(
      "stdout",
      (bytes) => reader?.push(bytes) ?? bytes,
      () => reader?.end() ?? NOTHING,
    ),
    follow(
      "stderr",
      (bytes) => bytes,
      () => NOTHING,
    ),
  ];
  /** Those that have something, in the order in which that came: what is said on both streams stays in it. */
  const ready: Follower[] = [];
  let isWaiting = false;
  function hasSome(follower: Follower): void {
    if (!ready.includes(follower)) ready.push(follower);
    waitForTurn();
  }
  function waitForTurn(): void {
    if (isWaiting || ready.length === 0) return;
    isWaiting = true;
    setImmediate(takeTurn);
  }
  function takeTurn(): void {
    isWaiting = false;
    if (outbox.isBehind() && !isDiscarded && !hasExited()) return;
    // Little is left of one that has ended, and nobody waits for that longer than a moment.
    const most = hasExited() ? Number.POSITIVE_INFINITY : TURN_BYTES;
    const next = ready.shift();
    if (next?.take(most)) ready.push(next);
    waitForTurn();
  }
  function takeAll(): void {
    for (const follower of new Set([...ready, ...followers])) while (follower.take(Number.POSITIVE_INFINITY));
  }
  child.once("exit", waitForTurn);
  return {
    flush() {
      takeAll();
      outgoing.flush();
    },
    say: (bytes, at) => outgoing.add("event", Buffer.from(bytes), at),
    more() {
      outbox.kept();
      waitForTurn();
    },
    discard() {
      isDiscarded = true;
      waitForTurn();
    },
    end() {
      takeAll();
      if (!isDiscarded) {
        for (const follower of followers) follower.end();
        sendEvents(events.end());
      }
      outgoing.flush();
    },
  };
}

const NOTHING = Buffer.alloc(0);
/** In characters. What is longer stands in the transcript. */
const MAX_ANSWER = 64 * 1024;
const MAX_FAILURE = 1_000;
const MAX_MODEL = 200;
/** A program may write whatever it likes. */
const MAX_MODELS = 50;

function masked(
  { session, answer, answerJson, failure, usage, ...rest }: OutputReport,
  createMasker: () => Masker,
): OutputReport {
  return {
    ...rest,
    ...(usage === undefined
      ? {}
      : { usage: usage.slice(0, MAX_MODELS).map((one) => maskedModel(one, createMasker)) }),
    ...(failure === undefined ? {} : { failure: maskText(failure, createMasker).slice(0, MAX_FAILURE) }),
    ...(session === undefined ? {} : { session: maskText(session, createMasker) }),
    ...(answer === undefined ? {} : { answer: maskText(answer, createMasker).slice(0, MAX_ANSWER) }),
    // What is longer is refused by the server.
    ...(answerJson === undefined
      ? {}
      : { answerJson: maskText(answerJson, createMasker).slice(0, MAX_ANSWER_JSON_BYTES + 1) }),
  };
}

function maskedModel(usage: ModelUsage, createMasker: () => Masker): ModelUsage {
  const { model } = usage;
  return model === null ? usage : { ...usage, model: maskText(model, createMasker).slice(0, MAX_MODEL) };
}

interface Follower {
  /** Reads so many bytes, at most. @returns whether there are more */
  take(most: number): boolean;
  end(): void;
}

/** A character of UTF-8 has at most four bytes. */
const BEGINNINGS = [1, 2, 3] as const;

/**
 * How many bytes of a text in UTF-8 there are before a character that has only begun at its end. Bytes that are no UTF-8
 * count as whole: nothing that follows would make a character of them. The bytes themselves stay as they are.
 */
export function wholeLength(bytes: Uint8Array): number {
  const begun = BEGINNINGS.find(
    (length) =>
      length <= bytes.length && new StringDecoder("utf8").write(Buffer.from(bytes.subarray(-length))) === "",
  );
  return bytes.length - (begun ?? 0);
}

/** How long output gathers before it is sent: it appears at once to a reader, and a chatty program costs little. */
const GATHER_MS = 50;
const GATHER_BYTES = 256 * 1024;

type Stream = OutputPiece["stream"];

/** Output that gathers before it goes out. */
export interface Gathering {
  /** @param at when it was written; now where it is left out */
  add(stream: Stream, bytes: Buffer, at?: string): void;
  /** Passes on what is gathered before long, also when that is nothing. */
  soon(): void;
  /** Passes it on now. */
  flush(): void;
}

/** Passes pieces on in the order in which they come, some at a time; what comes from one stream in a row is one piece. */
function gatherPieces(passOn: (pieces: OutputPiece[]) => void): Gathering {
  let gathered: { stream: Stream; at: string; parts: Buffer[] }[] = [];
  let gatheredBytes = 0;
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const pieces = gathered.map(({ parts, ...piece }) => ({ ...piece, bytes: Buffer.concat(parts) }));
    gathered = [];
    gatheredBytes = 0;
    passOn(pieces);
  }

  function soon(): void {
    timer ??= setTimeout(flush, GATHER_MS);
  }

  return {
    flush,
    soon,
    add(stream, bytes, at = new Date().toISOString()): void {
      if (bytes.length === 0) return;
      const last = gathered.at(-1);
      // Each line of the executor's own has its own time.
      if (last?.stream === stream && stream !== "event") last.parts.push(bytes);
      else gathered.push({ stream, at, parts: [bytes] });
      gatheredBytes += bytes.length;
      if (gatheredBytes >= GATHER_BYTES) flush();
      else soon();
    },
  };
}

/** In characters, of each text of an event. The transcript has all of it. */
const MAX_TEXT = 32_000;

/** What hides secrets in the events of a program, in their order. */
export interface EventMasker {
  mask(event: HarnessEvent): HarnessEvent[];
  /** What was held back, once nothing more comes. */
  end(): HarnessEvent[];
}

/**
 * Hides secrets in events as they are hidden in the transcript: each text of an event as a whole, before it is cut, and lines
 * that are no events as the stream that they are, in which a secret may go over several of them.
 */
export function maskEvents(createMasker: () => Masker): EventMasker {
  const lines = createMasker();
  const decoder = new StringDecoder("utf8");
  const shorten = (text: string) => cut(maskText(text, createMasker));

  function output(bytes: Buffer): HarnessEvent[] {
    const text = decoder.write(bytes);
    return text.trim() === "" ? [] : [{ type: "output", text: cut(text.replace(/\n$/, "")) }];
  }

  return {
    mask(event) {
      if (event.type === "output") return output(lines.push(Buffer.from(`${event.text}\n`)));
      const entries = Object.entries(event).map(([key, value]) => [
        key,
        typeof value === "string" && key !== "type" ? shorten(value) : value,
      ]);
      return [Object.fromEntries(entries)];
    },
    end: () => output(lines.end()),
  };
}

function cut(text: string): string {
  if (text.length <= MAX_TEXT) return text;
  return `${text.slice(0, MAX_TEXT)}\n[${text.length - MAX_TEXT} more characters are in the text of the transcript]`;
}
