import { errorMessage } from "../error.ts";
import type { Log } from "../log.ts";
import type { HarnessRow } from "./harness/harness.ts";
import { liveInput } from "./harness/messages.ts";
import type { OutputReport } from "./harness/output-reader.ts";
import type { ProgramInput } from "./host/agent-program.ts";
import { type LiveSession, openLiveSession } from "./live-session.ts";
import type { RunSignals } from "./queue.ts";
import type { Run, RunStore } from "./run.ts";
import type { ProgramOptions } from "./run-program.ts";
import type { TranscriptWriter } from "./transcript.ts";

export interface TalkParts {
  store: Pick<RunStore, "listUngiven" | "give" | "keepReport">;
  log: Log;
  now: () => Date;
}

/** The turn that is talked with. */
export interface TalkedTurn {
  run: Run;
  ticket: number;
  row: HarnessRow;
  transcript: TranscriptWriter;
  onMessage: RunSignals["onMessage"];
}

/** How millrace and an agent talk in a turn, as its harness has it: what it is written, and what its output tells. */
export interface AgentTalk {
  takesInput: boolean;
  /** @param prompt what the turn asks */
  options(prompt: string): Pick<ProgramOptions, "input" | "onInput" | "output" | "onReport">;
  close(): Promise<void>;
}

/** Finds out how to talk with an agent. Nothing is said before its program has started. */
export function agentTalk(
  { run, ticket, row, transcript, onMessage }: TalkedTurn,
  { store, log, now }: TalkParts,
): AgentTalk {
  const live = liveInput(row, run.config);
  let session: LiveSession | undefined;
  let keeping: Promise<void> = Promise.resolve();
  const onError = (error: unknown) =>
    log.error(
      { run: run.id, error: errorMessage(error) },
      "what was said to or by an agent could not be kept",
    );

  function open(input: ProgramInput): void {
    if (!live) return;
    const onGiven = () => transcript.note("a message was given to the session");
    session = openLiveSession({ store, runId: run.id, input, ...live, onGiven, onError, now });
  }

  function keep({ isIdle, session: name, answer }: OutputReport): void {
    if (isIdle) session?.rest();
    if (name === undefined && answer === undefined) return;
    const report = {
      ...(name === undefined ? {} : { session: name }),
      ...(answer === undefined ? {} : { answer }),
    };
    keeping = keeping.then(() => store.keepReport({ id: run.id, ticket }, report)).catch(onError);
  }

  onMessage(() => session?.look());
  return {
    takesInput: live !== undefined,
    options: (prompt) => ({
      input: live ? live.encode(prompt) : row.stdin === "none" ? "" : prompt,
      ...(live ? { onInput: open } : {}),
      output: row.output,
      onReport: keep,
    }),
    async close() {
      await session?.close();
      await keeping;
    },
  };
}
