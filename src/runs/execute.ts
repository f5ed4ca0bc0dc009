import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage, MillraceError } from "../error.ts";
import { newUuid, randomText } from "../id.ts";
import type { Log } from "../log.ts";
import { agentEnvironment } from "./agent-environment.ts";
import { CANCELLED, endingOf, setupFailed } from "./ending.ts";
import { type Prepared, type PrepareParts, prepareRun } from "./prepare.ts";
import type { RunSignals } from "./queue.ts";
import type { Claim, Ending, Run, RunStore } from "./run.ts";
import type { Sandbox } from "./sandbox/sandbox.ts";
import { openTranscript } from "./transcript.ts";
import { runTurn } from "./turn.ts";
import { composePrompt } from "./workspace/workspace.ts";

export interface ExecuteParts extends PrepareParts {
  store: RunStore;
  sandbox: Sandbox;
  /** Where the agent reaches the API. */
  apiUrl: () => string;
  timeoutMs: number;
  log: Log;
  now: () => Date;
}

/** Run tokens are told from API keys by how they begin. */
export const RUN_TOKEN_PREFIX = "mrt_";
const RUN_TOKEN_LENGTH = 40;
const STORE_RETRY_MS = 1_000;

/**
 * Carries out a claimed run to its end: prepare, record the start, run the agent, record how it ended. Whatever is
 * thrown on the way ends the run too; it would otherwise stay in progress until the next start of the server.
 */
export async function executeRun(claim: Claim, parts: ExecuteParts, signals: RunSignals): Promise<void> {
  const ending = await carryOut(claim, parts, signals).catch(couldNot);
  if (ending) await finish(claim, ending, parts, signals.stop);
}

async function carryOut(
  { run: claimed, ticket }: Claim,
  parts: ExecuteParts,
  signals: RunSignals,
): Promise<Ending | undefined> {
  const run = await withQueuedMessages(claimed, parts);
  const prepared = await prepareRun(run, parts);
  return "state" in prepared ? prepared : runAgent(run, ticket, prepared, parts, signals);
}

/** What keeps a run from being carried out, with what to do about it where that is known. */
function couldNot(error: unknown): Ending {
  if (error instanceof MillraceError && error.code === "environment_setup_failed")
    return setupFailed([`${error.message}.`, error.remedy].filter(Boolean).join(" "));
  return setupFailed(`The run could not be carried out: ${errorMessage(error)}.`);
}

/** What came while the run waited joins its prompt. */
async function withQueuedMessages(run: Run, { store }: ExecuteParts): Promise<Run> {
  const messages = (await store.listFollowUps(run.id))
    .filter(({ result }) => result === "queued_prompt")
    .map(({ message }) => message);
  return { ...run, prompt: [run.prompt, ...messages].join("\n\n") };
}

/** The start is recorded before the process exists: a crash in between loses a run, and never starts it twice. */
async function runAgent(
  run: Run,
  ticket: number,
  { program, workspace, secrets }: Prepared,
  parts: ExecuteParts,
  { stop, cancel }: RunSignals,
): Promise<Ending | undefined> {
  // A server that is stopping leaves the run claimed; the next one finds that it never started, and queues it again.
  if (stop.aborted) return undefined;
  const runToken = RUN_TOKEN_PREFIX + randomText(RUN_TOKEN_LENGTH);
  const { mode: sandbox, weaknesses } = parts.sandbox;
  const isolation = { sandbox, weaknesses };
  const started = await parts.store.start(
    { id: run.id, ticket, sessionId: newUuid(), tokenHash: hashRunToken(runToken), isolation },
    parts.now().toISOString(),
  );
  // The claim still holds when somebody cancelled the run meanwhile, and then it has to be ended.
  if (!started) return CANCELLED;
  const transcript = openTranscript({
    store: parts.store,
    runId: run.id,
    turn: run.turn,
    secrets: [...secrets.values(), runToken],
    now: parts.now,
    onError: (error) =>
      parts.log.error({ run: run.id, error: errorMessage(error) }, "output could not be stored"),
  });
  await parts.sandbox.handOver(run.id, workspace.path);
  const end = await runTurn({
    runId: run.id,
    launch: parts.sandbox.launch({
      runId: run.id,
      command: program.command,
      workspace: workspace.path,
      environment: agentEnvironment({ run, workspace, apiUrl: parts.apiUrl(), runToken }, secrets),
    }),
    sandbox: parts.sandbox,
    prompt: program.promptOnStdin ? composePrompt(run) : "",
    transcript,
    timeoutMs: parts.timeoutMs,
    signal: AbortSignal.any([stop, cancel]),
  });
  await transcript.end();
  return endingOf(end, parts.timeoutMs);
}

/** A run whose end cannot be stored now (a full disk) would be in progress for ever, so this is tried until it works. */
async function finish(
  { run, ticket }: Claim,
  ending: Ending,
  parts: ExecuteParts,
  stop: AbortSignal,
): Promise<void> {
  for (;;) {
    try {
      await parts.store.finish({ id: run.id, ticket }, ending, parts.now().toISOString());
      parts.log.info({ run: run.id, state: ending.state }, "run ended");
      return;
    } catch (error) {
      parts.log.error({ run: run.id, error: errorMessage(error) }, "the end of a run could not be stored");
      if (stop.aborted) return;
      await sleep(STORE_RETRY_MS);
    }
  }
}

/** What is kept of a run's token: its SHA-256, hexadecimal. */
export function hashRunToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
