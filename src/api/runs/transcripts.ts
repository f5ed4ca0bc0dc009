import { Readable } from "node:stream";
import parseRange from "range-parser";
import { MillraceError } from "../../errors/error.ts";
import type { TranscriptStore } from "../../runs/output/transcript.ts";
import { hasEnded } from "../../runs/rules/state.ts";
import type { Run } from "../../runs/run.ts";
import type { ApiRequest } from "../http/endpoint.ts";
import { lastEventId, openEventStream } from "../http/event-stream.ts";
import { API_HEADER, API_VERSION } from "../http/headers.ts";
import { sendStream, UNTRUSTED_CONTENT_POLICY } from "../http/respond.ts";
import type { RunDeps } from "./find-run.ts";
import { runStep } from "./run-usage.ts";

/** So many pieces of output are read from the store at a time. */
const OUTPUT_PAGE = 16;

type Output = Pick<TranscriptStore, "list" | "findSize" | "findAt">;

/** A stretch of a transcript, in bytes, both ends included. */
interface Stretch {
  start: number;
  end: number;
}

/**
 * Sends what an agent has written so far, or the stretch of it that the request asks for (RFC 9110, Range). Piece by piece,
 * each when the reader has taken the one before: a transcript has up to 64 MiB a turn.
 */
export async function sendTranscript(
  run: Run,
  { request, response }: ApiRequest["http"],
  transcripts: Output,
): Promise<void> {
  const { range } = request.headers;
  const size = range === undefined ? 0 : await transcripts.findSize(run.id);
  const stretch = range === undefined ? undefined : askedStretch(range, size);
  response.writeHead(stretch ? 206 : 200, {
    "content-type": "text/plain; charset=utf-8",
    "content-security-policy": UNTRUSTED_CONTENT_POLICY,
    "accept-ranges": "bytes",
    [API_HEADER]: API_VERSION,
    ...(stretch ? rangeHeaders(stretch, run, size) : {}),
  });
  const pieces = stretch ? stretchOf(run.id, stretch, transcripts) : piecesAfter(run.id, 0, transcripts);
  await sendStream(Readable.from(pieces), response);
}

/** @throws MillraceError `invalid_request` for a range that begins beyond the end */
function askedStretch(range: string, size: number): Stretch | undefined {
  const asked = parseRange(size, boundedSuffix(range, size));
  if (asked === -1) {
    throw new MillraceError(
      "invalid_request",
      `range: starts beyond the end of the transcript, which is ${size} bytes long so far.`,
      {
        remedy: "Request an existing range: `Range: bytes=0-65535`, or the last bytes with `bytes=-65536`.",
        extra: { field: "range" },
      },
    );
  }
  // What is no range of bytes, or several, is answered with the whole, as the RFC allows.
  const [only, another] = asked === -2 || asked.type !== "bytes" ? [] : asked;
  return another ? undefined : only;
}

/** More of the last bytes than there are is all of them (RFC 9110, 14.1.2), which the parser takes for none. */
function boundedSuffix(range: string, size: number): string {
  const [, length] = /^bytes=-(\d+)$/.exec(range) ?? [];
  return length !== undefined && Number(length) > size ? `bytes=-${size}` : range;
}

/** The size of a run under way is not known yet. */
function rangeHeaders({ start, end }: Stretch, { state }: Run, size: number) {
  return {
    "content-range": `bytes ${start}-${end}/${hasEnded(state) ? size : "*"}`,
    "content-length": end - start + 1,
  };
}

async function* stretchOf(runId: string, { start, end }: Stretch, transcripts: Output) {
  const first = await transcripts.findAt(runId, start);
  let at = first.offset;
  for await (const bytes of piecesAfter(runId, first.seq - 1, transcripts)) {
    yield bytes.subarray(Math.max(0, start - at), end + 1 - at);
    at += bytes.length;
    if (at > end) return;
  }
}

async function* piecesAfter(
  runId: string,
  seq: number,
  transcripts: Output,
): AsyncGenerator<Uint8Array, void, undefined> {
  for (let after = seq; ; ) {
    const chunks = await transcripts.list(runId, after, OUTPUT_PAGE);
    for (const chunk of chunks) {
      yield chunk.bytes;
      after = chunk.seq;
    }
    if (chunks.length === 0) return;
  }
}

/** So many pieces are read from the store at a time, and fewer where they are large. */
const PAGE = 16;
/** In case that a commit was missed. */
const LOOK_EVERY_MS = 2_000;

/** Events are short, and read one by one. */
const EVENTS_PAGE = 64;

/**
 * Sends what an agent writes as Server-Sent Events, from the beginning or from after `Last-Event-ID`, until the run has
 * ended and everything is sent: `output {text, stream, turn, at}`, then `end {state}`. With the steps of the agent's work, they
 * are sent in between: `step {turn, time, type, …}`.
 */
export async function streamTranscript(
  run: Run,
  http: ApiRequest["http"],
  { runs, transcripts, commits }: Pick<RunDeps, "runs" | "transcripts" | "commits">,
  withSteps = false,
): Promise<void> {
  const stream = openEventStream(http);
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder(), event: new TextDecoder() };
  let after = lastEventId(http) ?? 0;
  while (!stream.closed.aborted) {
    // Asked before the output, so that nothing written before the end can be missed.
    const { state } = (await runs.find(run.id)) ?? run;
    const chunks = await (withSteps
      ? transcripts.list(run.id, after, EVENTS_PAGE, "all")
      : transcripts.list(run.id, after, PAGE));
    for (const chunk of chunks) {
      const { seq, stream: name, turn, at, bytes } = chunk;
      after = seq;
      if (name === "harness") {
        await stream.send({ id: seq, event: "step", data: runStep(chunk) });
        continue;
      }
      const text = decoders[name].decode(bytes, { stream: true });
      await stream.send({ id: seq, event: "output", data: { text, stream: name, turn, at } });
    }
    if (chunks.length === 0 && hasEnded(state)) {
      await stream.send({ event: "end", data: { state } });
      return stream.end();
    }
    if (chunks.length === 0) await commits.next(LOOK_EVERY_MS, stream.closed);
  }
}
