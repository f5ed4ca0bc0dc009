import type { Request, Response, Router } from "express";
import { whenLeft } from "../../edge/when-left.ts";
import { MillraceError } from "../../errors/error.ts";
import { remoteHolder } from "../../runs/rules/remote-worker.ts";
import type { HeldTurns } from "../../workers/held-turns.ts";
import { formProblem } from "../../workers/protocol/answers.ts";
import { toWire } from "../../workers/protocol/bytes.ts";
import {
  type BeatRequest,
  type CallRequest,
  type ClaimRequest,
  DOOR_PATH,
  PROTOCOL,
  REQUEST_SCHEMAS,
} from "../../workers/protocol/messages.ts";
import type { UploadedFiles } from "../../workers/uploaded-files.ts";
import type { ProcessFacts, Worker } from "../../workers/worker.ts";
import { carryOutCall } from "../../workers/worker-door.ts";
import type { WorkerTurns } from "../../workers/worker-turns.ts";
import type { Workers } from "../../workers/workers.ts";
import type { AuthLimit } from "../http/caller-limits.ts";
import type { OpenCalls } from "../http/open-calls.ts";
import type { ReadJsonBody } from "../http/read-json-body.ts";
import { refuseMethod } from "../http/respond.ts";
import { refuseUnstorable } from "../http/validate-request.ts";
import { cloneFinder, type FindCloneDeps, type GitRouteDeps, gitRoutes } from "./git-routes.ts";

export interface DoorDeps extends FileRouteDeps, FindCloneDeps, Omit<GitRouteDeps, "findClone" | "room"> {
  registry: Workers;
  /** Of the API, for what a clone asks. */
  bodyRoom: GitRouteDeps["room"];
  workerTurns: WorkerTurns;
  readBody: ReadJsonBody;
  openCalls: OpenCalls;
}

/** What each request takes, and who answers it. */
type Answer = (worker: Worker, body: unknown, gone: AbortSignal) => Promise<unknown>;

/** A beat with a thousand turns, twice. */
const MAX_POLL_BYTES = 512 * 1024;
/** Turns that have just ended, or have just been claimed. */
const FEW_TURNS = 16;

type RequestName = keyof typeof REQUEST_SCHEMAS;

/**
 * The three requests of the protocol between workers and servers. They are no operations of the API: nobody but a worker makes
 * them, and a worker's token opens nothing else.
 */
export function doorRoutes(router: Router, deps: DoorDeps): void {
  const { workerTurns, held } = deps;
  fileRoutes(router, deps);
  router.use(gitRoutes({ ...deps, findClone: cloneFinder(deps), room: deps.bodyRoom }));
  const answers: Record<RequestName, Answer> = {
    claim: (worker, body, gone) => workerTurns.claim(worker, body as ClaimRequest, gone),
    beat: (worker, body, gone) => workerTurns.beat(worker, body as BeatRequest, gone),
    async call(worker, body) {
      const { process, turn, call, parameters } = body as CallRequest;
      const holder = remoteHolder(worker.id, process);
      const { door } = await held.find(turn, holder);
      const result = await carryOutCall(door, call, parameters);
      if (call === "finish") {
        held.forget(turn, holder);
        workerTurns.wake();
      }
      return { result };
    },
  };
  for (const name of Object.keys(answers) as RequestName[]) {
    router
      .route(`${DOOR_PATH}/${name}`)
      .post((request, response) => answerWorker(request, response, { name, answer: answers[name] }, deps))
      .all(refuseMethod(["POST"]));
  }
}

async function answerWorker(
  request: Request,
  response: Response,
  { name, answer }: { name: RequestName; answer: Answer },
  deps: DoorDeps,
): Promise<void> {
  const worker = await workerOf(request, deps);
  const gone = new AbortController();
  whenLeft(request, response, () => gone.abort());
  // These are held open; calls end by themselves.
  if (name !== "call") deps.openCalls.open({ kind: "worker", worker, request: name }, response);
  const body = await deps.readBody(request, name === "call" ? undefined : MAX_POLL_BYTES);
  if (name === "beat") refuseTooManyTurns(body);
  // What it tells of a turn is an agent's, and stored as far as it can be.
  refuseUnstorable(body, "The request of the worker", ["parameters"]);
  requireForm(name, body);
  const answered = await answer(worker, body, gone.signal);
  response.json(toWire(answered));
}

/** Before each of them is looked at: a process names the turns that it executes, and no thousands. */
function refuseTooManyTurns(body: unknown): void {
  const { turns, facts } = (body ?? {}) as { turns?: unknown; facts?: Partial<ProcessFacts> };
  const { concurrency = 0, executing = 0 } = facts ?? {};
  const most = 2 * Math.max(Number(concurrency), Number(executing)) + FEW_TURNS;
  if (!Array.isArray(turns) || turns.length <= most) return;
  throw new MillraceError(
    "invalid_request",
    `The request of the worker is not valid: it names ${turns.length} turns, and a process that executes ${executing} of at most ${concurrency} turns can have ${most}.`,
  );
}

function requireForm(name: RequestName, body: unknown): void {
  const spoken = (body as { protocol?: unknown } | undefined)?.protocol;
  if (typeof spoken === "number" && spoken !== PROTOCOL) throw otherProtocol(spoken);
  const problem = formProblem(REQUEST_SCHEMAS[name], body);
  if (problem !== undefined)
    throw new MillraceError("invalid_request", `The request of the worker is not valid: ${problem}.`);
}

function otherProtocol(spoken: number): MillraceError {
  const older = spoken < PROTOCOL ? "worker" : "server";
  return new MillraceError(
    "operation_not_supported",
    `The worker uses version ${spoken} of the worker protocol, but this server uses version ${PROTOCOL}.`,
    { remedy: `Update millrace on the ${older}.` },
  );
}

interface FileRouteDeps extends WorkerCallerDeps {
  held: HeldTurns;
  uploads: UploadedFiles;
}

/**
 * `PUT …/files/RUN/TICKET/FILE?process=…&offset=…&more`: bytes of a file that the agent of a turn has left, from an offset on;
 * without `more`, the last ones. Each piece can be sent again.
 */
function fileRoutes(router: Router, deps: FileRouteDeps): void {
  router
    .route(`${DOOR_PATH}/files/:run/:ticket/:file`)
    .put((request, response) => receive(request, response, deps))
    .all(refuseMethod(["PUT"]));
}

async function receive(request: Request, response: Response, deps: FileRouteDeps): Promise<void> {
  const worker = await workerOf(request, deps);
  const { run = "", ticket, file = "" } = request.params as Record<string, string>;
  const turn = { id: run, ticket: Number(ticket) };
  const { process, offset: beginning = "0", more } = request.query;
  const offset = Number(beginning);
  if (typeof process !== "string" || !Number.isSafeInteger(turn.ticket))
    throw new MillraceError("invalid_request", "The request of the worker names no process, or no ticket.");
  if (!Number.isSafeInteger(offset) || offset < 0)
    throw new MillraceError("invalid_request", "The offset of a piece is a whole number.");
  const holder = remoteHolder(worker.id, process);
  const { door, received } = await deps.held.find(turn, holder);
  // What is listed was made by this turn or an earlier one, and stays as it is.
  if ((await door.listArtifacts()).some(({ id }) => id === file))
    throw new MillraceError("invalid_request", `The file ${file} is listed already.`);
  await deps.uploads.receive(run, file, { bytes: request, offset, isLast: more === undefined }, received);
  // The turn may have ended in the meantime, and nobody would list the file.
  await deps.held.find(turn, holder).catch(async (error) => {
    await deps.uploads.remove(run, file);
    throw error;
  });
  response.json({});
}

interface WorkerCallerDeps {
  registry: Workers;
  authLimit: AuthLimit;
}

/**
 * The worker that a request comes from.
 * @throws MillraceError `authentication_required` without the token of a worker, or `rate_limited` after too many of those
 */
async function workerOf(request: Request, { registry, authLimit }: WorkerCallerDeps): Promise<Worker> {
  const worker = await registry.authenticate(request.headers.authorization);
  if (worker) return worker;
  throw authLimit.refusal(
    request,
    new MillraceError("authentication_required", "The request has no valid worker token.", {
      remedy:
        "Create a worker with `millrace workers create NAME`, and start `millrace worker` with its token.",
    }),
  );
}
