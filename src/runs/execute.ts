import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { errorMessage } from "../error.ts";
import { newUuid, randomText } from "../id.ts";
import type { Log } from "../log.ts";
import type { Vault } from "../secrets/vault.ts";
import { agentEnvironment } from "./agent-environment.ts";
import type { Harnesses, HarnessProgram } from "./harness.ts";
import type { RunSignals } from "./queue.ts";
import type { Claim, Ending, Run, RunStore } from "./run.ts";
import { openTranscript } from "./transcript.ts";
import { runTurn, type TurnEnd } from "./turn.ts";
import { composePrompt, prepareWorkspace, type Workspace } from "./workspace.ts";

export interface ExecuteParts {
  store: RunStore;
  vault: Pick<Vault, "open">;
  harnesses: Harnesses;
  workspaces: string;
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
  const ending = await carryOut(claim, parts, signals).catch((error) =>
    setupFailed(`The run could not be carried out: ${errorMessage(error)}.`),
  );
  if (ending) await finish(claim, ending, parts, signals.stop);
}

async function carryOut(
  { run: claimed, ticket }: Claim,
  parts: ExecuteParts,
  signals: RunSignals,
): Promise<Ending | undefined> {
  const run = await withQueuedMessages(claimed, parts);
  const prepared = await prepare(run, parts);
  return "state" in prepared ? prepared : runAgent(run, ticket, prepared, parts, signals);
}

/** What came while the run waited joins its prompt. */
async function withQueuedMessages(run: Run, { store }: ExecuteParts): Promise<Run> {
  const messages = (await store.listFollowUps(run.id))
    .filter(({ result }) => result === "queued_prompt")
    .map(({ message }) => message);
  return { ...run, prompt: [run.prompt, ...messages].join("\n\n") };
}

interface Prepared {
  program: HarnessProgram;
  workspace: Workspace;
  secrets: Map<string, string>;
}

async function prepare(run: Run, parts: ExecuteParts): Promise<Prepared | Ending> {
  const { unprepared = [] } = run.execution;
  if (unprepared.length > 0) {
    return setupFailed(
      `The run asks for ${unprepared.join(", ")}, and this server cannot prepare that yet. Ask again without it.`,
    );
  }
  const program = parts.harnesses.find(run.execution.harness);
  if ("missing" in program) return setupFailed(program.missing);
  try {
    const attachments = [];
    for (const { name } of await parts.store.listAttachments(run.id)) {
      const attachment = await parts.store.findAttachment(run.id, name);
      if (attachment) attachments.push(attachment);
    }
    const workspace = await prepareWorkspace(parts.workspaces, run, attachments);
    return { program, workspace, secrets: await parts.vault.open(run.execution.secrets) };
  } catch (error) {
    return setupFailed(`The workspace could not be prepared: ${errorMessage(error)}.`);
  }
}

function setupFailed(message: string): Ending {
  return {
    state: "FAILED",
    exitCode: null,
    statusMessage: { message, error_code: "environment_setup_failed", retryable: false },
  };
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
  const started = await parts.store.start(
    { id: run.id, ticket, sessionId: newUuid(), tokenHash: hashRunToken(runToken) },
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
  const end = await runTurn({
    runId: run.id,
    program,
    workspace: workspace.path,
    environment: agentEnvironment({ run, workspace, apiUrl: parts.apiUrl(), runToken }, secrets),
    prompt: composePrompt(run),
    transcript,
    timeoutMs: parts.timeoutMs,
    signal: AbortSignal.any([stop, cancel]),
  });
  await transcript.end();
  return endingOf(end, parts.timeoutMs);
}

/** The store gives a run this end only when it was asked for, and only to whoever holds the claim. */
const CANCELLED: Ending = { state: "CANCELLED", exitCode: null, statusMessage: null };

function endingOf(end: TurnEnd, timeoutMs: number): Ending {
  switch (end.kind) {
    case "exited": {
      if (end.code === 0) return { state: "SUCCEEDED", exitCode: 0, statusMessage: null };
      const message = `The agent ended with exit code ${end.code}.`;
      return failed(message, end.code);
    }
    case "killed":
      return failed(`The agent was ended by ${end.signal}.`, null);
    case "not_started":
      return setupFailed(end.message);
    case "timed_out":
      return lost(
        `The agent was ended: it ran longer than the limit of ${timeoutMs / 1000} s (MILLRACE_RUN_TIMEOUT).`,
      );
    case "stopped":
      return lost("The agent was ended: the server stopped while it ran.");
  }
}

function failed(message: string, exitCode: number | null): Ending {
  return {
    state: "FAILED",
    exitCode,
    statusMessage: { message, error_code: "agent_process_failed", retryable: false },
  };
}

function lost(message: string): Ending {
  return {
    state: "ERROR",
    exitCode: null,
    statusMessage: { message, error_code: "infrastructure_timeout", retryable: false },
  };
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
