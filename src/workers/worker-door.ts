import { MillraceError } from "../errors/error.ts";
import type { RunMasks } from "../runs/output/run-masks.ts";
import type { OutputChunk } from "../runs/output/transcript.ts";
import { MAX_ANSWER } from "../runs/rules/agent-report.ts";
import type { Run, RunStatusMessage } from "../runs/run.ts";
import { makeCall, TURN_CALLS, type TurnCallName } from "../runs/turn/turn-calls.ts";
import type { TurnDoor } from "../runs/turn/turn-door.ts";
import { MAX_EVENT_BYTES, MAX_OUTPUT_BYTES } from "../runs/turn/turn-door.ts";
import { formProblem } from "./protocol/answers.ts";
import { fromWire } from "./protocol/bytes.ts";
import type { UploadedFiles } from "./uploaded-files.ts";

export interface WorkerDoorDeps {
  /** Where it is found what must not be shown of a run. */
  masks: Pick<RunMasks, "learn" | "maskOf" | "fileMaskOf" | "unhiding">;
  uploads: Pick<UploadedFiles, "has">;
}

/** What a worker keeps to by itself, with room for what is told again because an answer was lost, in bytes. */
const MAX_TOLD = 2 * (MAX_OUTPUT_BYTES + MAX_EVENT_BYTES);
/** What a piece costs beside its text. */
const PIECE_OVERHEAD = 32;
/** The search for values is prepared in this process: for these it takes about a second, in which nothing else happens. */
const MAX_HIDDEN = { values: 500, bytes: 256 * 1024 };
/** A worker says the values once, and once again with the key of its own environment. */
const MAX_CHANGES = 10;

/**
 * The door of a turn as a worker elsewhere gets it. Secrets of the run are hidden in what it tells: it has done so itself, and
 * sees the output as a whole, but does not have to be believed. And a file is listed only when its bytes are here.
 * @param granted what the server itself knows that it must not be shown
 */
export function workerDoor(
  door: TurnDoor,
  { id: runId, turn }: Pick<Run, "id" | "turn">,
  granted: readonly string[],
  { masks, uploads }: WorkerDoorDeps,
): TurnDoor {
  const isNew = newValues(granted);
  const takeIn = outputOf(turn);
  // Longer texts are no answers: an executor cuts them off itself.
  const maskWhole = (text: string) => known(masks.maskOf(runId))(text);
  const mask = (text: string) => maskWhole(text).slice(0, MAX_ANSWER);
  const maskOptional = (text: string | undefined) => (text === undefined ? {} : { answer: mask(text) });
  return {
    ...door,
    async hide(values) {
      // The worker cannot take back what the server hides.
      const all = [...new Set([...granted, ...values])];
      if (isNew(all) || !masks.maskOf(runId)) await door.hide(all);
    },
    async findConversation() {
      known(masks.maskOf(runId));
      return door.findConversation();
    },
    async append(chunks) {
      const maskBytes = known(masks.fileMaskOf(runId));
      takeIn(chunks);
      const masked = chunks.map(async (chunk) => ({ ...chunk, bytes: await maskBytes(chunk.bytes) }));
      return door.append(await Promise.all(masked));
    },
    async addFile(file) {
      if (await uploads.has(runId, file)) return door.addFile(file);
      throw new MillraceError(
        "invalid_request",
        `The bytes of the file ${file.id} have not arrived, or are others.`,
      );
    },
    keepReport: ({ answer, failedServers, ...report }) =>
      door.keepReport({
        ...report,
        ...maskOptional(answer),
        ...(failedServers === undefined
          ? {}
          : { failedServers: failedServers.map(({ name, reason }) => ({ name, reason: mask(reason) })) }),
      }),
    proposePlan: ({ file, output }) =>
      door.proposePlan({
        ...(file === undefined ? {} : { file: mask(file) }),
        ...(output === undefined ? {} : { output: mask(output) }),
      }),
    async finish({ answer, answerJson, statusMessage, limit, ...ending }) {
      const status =
        statusMessage && withoutOddCode({ ...statusMessage, message: mask(statusMessage.message) });
      // A worker can report anything: this applies only to the factory of the run.
      const ofLimit = limit && { ...limit, reason: mask(limit.reason), seenBy: "output" as const };
      return door.finish({
        ...ending,
        statusMessage: status,
        ...maskOptional(answer),
        ...(answerJson === undefined ? {} : { answerJson: maskWhole(answerJson) }),
        ...(ofLimit ? { limit: ofLimit } : {}),
      });
    },
  };
}

/** It is shown as a category of errors, and counted by it. */
function withoutOddCode({ error_code: code, ...message }: RunStatusMessage): RunStatusMessage {
  return code !== undefined && /^[a-z_]{1,64}$/.test(code) ? { ...message, error_code: code } : message;
}

/** Says whether values are others than the last ones. @throws MillraceError for too many, or for others again and again */
function newValues(granted: readonly string[]): (values: readonly string[]) => boolean {
  let last = JSON.stringify(granted);
  let changes = 0;
  return (values) => {
    const told = values.filter((value) => !granted.includes(value));
    const bytes = told.reduce((sum, value) => sum + Buffer.byteLength(value), 0);
    if (told.length > MAX_HIDDEN.values || bytes > MAX_HIDDEN.bytes)
      throw refused(
        `there are more than ${MAX_HIDDEN.values} values to be hidden, or more than ${MAX_HIDDEN.bytes} bytes of them`,
      );
    const text = JSON.stringify(values);
    if (text === last) return false;
    if (changes >= MAX_CHANGES) throw refused("the values to be hidden are others again");
    last = text;
    changes += 1;
    return true;
  };
}

/** Takes output of a turn, and not without end. */
function outputOf(turn: number): (chunks: readonly OutputChunk[]) => void {
  let room = MAX_TOLD;
  return (chunks) => {
    if (chunks.some((chunk) => chunk.turn !== turn))
      throw refused(`output was sent of another turn than ${turn}`);
    room -= chunks.reduce((sum, { bytes }) => sum + bytes.length + PIECE_OVERHEAD, 0);
    if (room < 0) throw refused(`more output was sent than a turn can have: ${MAX_TOLD} bytes`);
  };
}

/**
 * Makes the call of a worker, once its parameters have the form that the call takes.
 * @throws MillraceError `invalid_request` for a call or parameters that the protocol does not have
 */
export async function carryOutCall(door: TurnDoor, name: string, parameters: unknown = {}): Promise<unknown> {
  if (!Object.hasOwn(TURN_CALLS, name)) throw refused(`it has no call ${JSON.stringify(name)}`);
  const known = name as TurnCallName;
  const problem = formProblem(TURN_CALLS[known].parameters, parameters);
  if (problem !== undefined) throw refused(`the parameters of ${name}: ${problem}`);
  return makeCall(door, known, fromWire(parameters) as Record<string, unknown>);
}

function refused(why: string): MillraceError {
  return new MillraceError("invalid_request", `The request of the worker is not valid: ${why}.`);
}

/** After a restart of the server, a worker says again what is to be hidden; until then nothing is taken. */
function known<Mask>(mask: Mask | undefined): Mask {
  if (mask) return mask;
  throw new MillraceError(
    "service_unavailable",
    "The server has been restarted, and the worker has not reported to it yet.",
    {
      remedy: "Retry in a second.",
      retryAfter: 1,
    },
  );
}
