import { open } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { timeLimit } from "../../concurrency/promises.ts";
import { waitAfter } from "../../concurrency/rounds.ts";
import { errorMessage, systemCode } from "../../errors/error.ts";
import { outgoingFetch } from "../../platform/outgoing-fetch.ts";
import type { Ticket } from "../../runs/ticket.ts";
import { answerProblem } from "../../workers/protocol/answers.ts";
import { fromWire, toWire } from "../../workers/protocol/bytes.ts";
import {
  type BeatAnswer,
  type BeatRequest,
  type CallAnswer,
  type ClaimAnswer,
  type ClaimRequest,
  DOOR_PATH,
  PROTOCOL,
} from "../../workers/protocol/messages.ts";

export interface DoorClientOptions {
  /** Where the server is, without a slash at its end. */
  server: string;
  token: string;
  /** The uid of this process. */
  process: string;
  /** Says that the server answers: at first, and again when it could not be reached. */
  onReachable(): void;
  /** Says that the server cannot be reached, once for each time that it could before. */
  onUnreachable(reason: string): void;
  /** For how long a call is made again that is answered with an internal error, while other requests are carried out. */
  failingMs?: number;
}

interface Answers {
  claim: ClaimAnswer;
  beat: BeatAnswer;
  call: CallAnswer;
}

type Unsigned<Request> = Omit<Request, "protocol" | "process">;

/** The protocol of workers, from the side of a worker. */
export interface DoorClient {
  claim(request: Unsigned<ClaimRequest>, signal: AbortSignal): Promise<ClaimAnswer>;
  /** @param patienceMs how long an answer may take beyond what the server may hold the request for */
  beat(request: Unsigned<BeatRequest>, patienceMs: number, signal: AbortSignal): Promise<BeatAnswer>;
  /**
   * Makes a call of a turn, again and again until it is answered.
   * @throws ServerRefusal, ServerBroken when the server cannot carry it out, or the reason of the signal
   */
  call(turn: Ticket, call: string, parameters: object, signal: AbortSignal): Promise<unknown>;
  /** Sends the bytes of a file that an agent has left, again and again until they have arrived. */
  upload(turn: Ticket, file: { id: string; size: number; path: string }, signal: AbortSignal): Promise<void>;
}

/** Beyond what the server may hold a request for, in milliseconds. */
const ANSWER_MS = 20_000;
/** A server ends requests that take longer than 45 seconds: a slow connection sends a piece in that time. */
const PIECE_BYTES = 2 * 1024 * 1024;
const PIECE_MS = 60_000;
/** A server that is out of order in one thing alone does not come round by itself. */
const FAILING_MS = 2 * 60_000;
const MEBIBYTE = 1024 * 1024;
/** Of what is kept in memory. A call brings an attachment of 16 MiB at most in base64, or the skills of an agent. */
const MAX_ANSWER_BYTES = { claim: 64 * MEBIBYTE, beat: 2 * MEBIBYTE, call: 64 * MEBIBYTE } as const;
/** An error, and what a piece of a file is answered with. */
const MAX_SHORT_BYTES = MEBIBYTE / 4;
/** A server that wants to be asked later than that is asked all the same. */
const MAX_RETRY_AFTER_MS = 60_000;
const RETRY = { firstMs: 200, mostMs: 5_000 };

/** Speaks to the server. Nothing of an answer is believed but its form. */
export function createDoorClient({ failingMs = FAILING_MS, ...options }: DoorClientOptions): DoorClient {
  const { server, token, process, onReachable, onUnreachable } = options;
  let isReachable: boolean | undefined;
  /** When a request was last carried out, on the clock of `performance`. */
  let doneAt = Number.NEGATIVE_INFINITY;
  /** Aborts when connections of before may be dead although the server is there again: what waits for them is asked anew. */
  let link = new AbortController();
  let isLinkLost = false;
  const base = `${server}/api/v1${DOOR_PATH}`;
  const authorization = `Bearer ${token}`;

  async function ask(
    url: string,
    init: RequestInit,
    limits: { ms: number; bytes: number },
    signal: AbortSignal,
  ): Promise<unknown> {
    const { signal: ofLink } = link;
    const limit = timeLimit(limits.ms, signal, ofLink);
    const response = await send(url, init, limits.bytes, limit.signal)
      .catch((error) => {
        signal.throwIfAborted();
        if (error instanceof ServerBroken) throw error;
        if (ofLink.aborted) throw new ServerUnreachable("the connection was given up");
        isLinkLost = true;
        throw notReached(reasonOf(error));
      })
      .finally(limit.end);
    if (isLinkLost) renewLink();
    const { status, json, retryAfterMs } = response;
    if (status === 500 && isOfServer(response)) throw new ServerFailed("it answered with an internal error");
    if (status >= 500 || status === 429 || !isOfServer(response))
      throw notReached(`it answered with ${status}`, retryAfterMs);
    if (response.ok && !isReachable) onReachable();
    isReachable = true;
    if (response.ok) {
      doneAt = performance.now();
      return json;
    }
    throw new ServerRefusal(status, json);
  }

  function renewLink(): void {
    const before = link;
    link = new AbortController();
    isLinkLost = false;
    before.abort();
  }

  async function send(url: string, init: RequestInit, bytes: number, signal: AbortSignal) {
    const response = await outgoingFetch(url, { ...init, signal, redirect: "error" });
    const { ok, status, headers } = response;
    const text = await readAnswer(response, ok ? bytes : MAX_SHORT_BYTES);
    const retryAfterMs = retryAfter(headers.get("retry-after"));
    return { ok, status, retryAfterMs, json: text === "" ? undefined : parsed(text) };
  }

  function notReached(reason: string, retryAfterMs = 0): ServerUnreachable {
    if (isReachable !== false) onUnreachable(reason);
    isReachable = false;
    return new ServerUnreachable(reason, retryAfterMs);
  }

  async function post<Name extends keyof Answers>(
    name: Name,
    request: object,
    limitMs: number,
    signal: AbortSignal,
  ): Promise<Answers[Name]> {
    const body = JSON.stringify(toWire({ protocol: PROTOCOL, process, ...request }));
    const headers = { authorization, "content-type": "application/json" };
    const limits = { ms: limitMs, bytes: MAX_ANSWER_BYTES[name] };
    const answer = await ask(`${base}/${name}`, { method: "POST", headers, body }, limits, signal);
    const problem = answerProblem(name, answer);
    // It does not count as heard: a lease without a length would never end.
    if (problem !== undefined) throw notReached(`its answer is not valid: ${problem}`);
    return answer as Answers[Name];
  }

  async function untilAnswered<Answer>(attempt: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    let failingSince: number | undefined;
    for (let attempts = 1; ; attempts += 1) {
      const { signal: ofLink } = link;
      let pauseMs = waitAfter(attempts, RETRY);
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof ServerUnreachable)) throw error;
        const now = performance.now();
        failingSince = error instanceof ServerFailed ? (failingSince ?? now) : undefined;
        // A server that carries out nothing is away, and may come back.
        const isLong = failingSince !== undefined && now - failingSince >= failingMs;
        if (isLong && now - doneAt <= failingMs / 2) throw new ServerBroken(error.message);
        pauseMs = Math.max(pauseMs, error.retryAfterMs);
      }
      const waited = AbortSignal.any([signal, ofLink]);
      await sleep(pauseMs, undefined, { signal: waited }).catch(() => signal.throwIfAborted());
    }
  }

  /** A server that can answer neither claims nor beats is away. */
  function failedIsAway(error: unknown): never {
    throw error instanceof ServerFailed ? notReached(error.message) : error;
  }

  return {
    claim: (request, signal) =>
      post("claim", request, request.waitMs + ANSWER_MS, signal).catch(failedIsAway),
    beat: (request, patienceMs, signal) =>
      post("beat", request, request.waitMs + patienceMs, signal).catch(failedIsAway),
    call: (turn, call, parameters, signal) =>
      untilAnswered(async () => {
        const answer = await post("call", { turn, call, parameters }, 4 * ANSWER_MS, signal);
        return fromWire(answer.result);
      }, signal),
    async upload({ id, ticket }, { id: file, size, path }, signal) {
      const url = `${base}/files/${encodeURIComponent(id)}/${ticket}/${encodeURIComponent(file)}?process=${process}`;
      // An empty file is one piece too.
      for (let offset = 0; offset === 0 || offset < size; offset += PIECE_BYTES) {
        const length = Math.min(PIECE_BYTES, size - offset);
        const more = offset + length < size ? "&more=1" : "";
        await untilAnswered(async () => {
          const bytes = length === 0 ? "" : await readPiece(path, offset, length);
          const headers = { authorization, "content-type": "application/octet-stream" };
          const init = { method: "PUT", headers, body: bytes };
          const limits = { ms: PIECE_MS, bytes: MAX_SHORT_BYTES };
          await ask(`${url}&offset=${offset}${more}`, init, limits, signal);
        }, signal);
      }
    },
  };
}

/** `fetch` only says that it failed: why is in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return errorMessage(cause) || systemCode(cause) || "fetch failed";
}

/** What is in between may answer with a page of its own, which says nothing about the worker. What it finds too large stays so. */
function isOfServer({ status, json }: { status: number; json: unknown }): boolean {
  return json !== undefined || status === 413;
}

/** In milliseconds. A date, which this header may be too, counts for nothing. */
function retryAfter(header: string | null): number {
  const seconds = Number(header ?? 0);
  return seconds > 0 ? Math.min(seconds * 1_000, MAX_RETRY_AFTER_MS) : 0;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function readPiece(path: string, offset: number, length: number): Promise<Buffer<ArrayBuffer>> {
  const file = await open(path);
  try {
    const bytes = Buffer.alloc(length);
    await file.read(bytes, 0, length, offset);
    return bytes;
  } finally {
    await file.close();
  }
}

/**
 * Reads an answer of a server, which may be any that says it is one.
 * @param most how many bytes of it are kept in memory, unpacked
 * @throws ServerBroken for a longer one
 */
async function readAnswer(response: Response, most: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop ends the connection.
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    size += piece.length;
    if (size > most) throw new ServerBroken(`its answer is larger than ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}

/** The server could not be reached, or could not answer: what was asked can be asked again. */
export class ServerUnreachable extends Error {
  override name = "ServerUnreachable";
  /** How long the server wants not to be asked. */
  readonly retryAfterMs: number;

  constructor(reason: string, retryAfterMs = 0) {
    super(reason);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The server has answered with an internal error: it may do better the next time. */
class ServerFailed extends ServerUnreachable {
  override name = "ServerFailed";
}

/** The server is there, and cannot do what was asked, however often that is. */
export class ServerBroken extends Error {
  override name = "ServerBroken";
}

/** The server has answered that it does not do what was asked, and would say the same again. */
export class ServerRefusal extends Error {
  override name = "ServerRefusal";
  readonly status: number;

  /** @param problem what the server says, in the form of its API */
  constructor(status: number, problem: unknown) {
    const { detail, remedy } = isObject(problem) ? problem : {};
    const sentences = [detail, remedy].filter((text) => typeof text === "string");
    super(sentences.join(" ") || `The server answered with status ${status}.`);
    this.status = status;
  }

  /** Whether the turn that was asked about is no longer this worker's. */
  get isLostTurn(): boolean {
    return this.status === 409;
  }

  /** Whether it is the worker that is refused, whatever it asks. */
  get isOfWorker(): boolean {
    return this.status === 401 || this.status === 403 || this.status === 422;
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
