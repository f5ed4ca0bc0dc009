import { errorMessage, MillraceError } from "../../errors/error.ts";
import type { Ending } from "../run.ts";
import type { ProgramOutcome } from "./run-program.ts";

/** The store gives a run this end only when it was asked for, and only to the holder of the claim. */
export const CANCELLED: Ending = { state: "CANCELLED", exitCode: null, statusMessage: null };

/**
 * What the end of an agent's process means for its run.
 * @param reason why it failed, where it has said so
 */
export function endingOf(
  end: Exclude<ProgramOutcome, { kind: "fenced" }>,
  timeoutMs: number,
  reason?: string,
): Ending {
  switch (end.kind) {
    case "exited": {
      if (end.code === 0) return { state: "SUCCEEDED", exitCode: 0, statusMessage: null };
      return failed(`The agent exited with code ${end.code}${reason ? `: ${reason}` : "."}`, end.code);
    }
    case "killed":
      return failed(`The agent was killed by ${end.signal}.`, null);
    case "not_started":
      return { ...setupFailed(`The agent's ${end.message}`), isUnstarted: true };
    case "timed_out":
      return lost(
        `The agent was stopped: it exceeded the time limit of ${timeoutMs / 1000} s (MILLRACE_RUN_TIMEOUT).`,
      );
    case "over_limit":
      return failed(end.message, null);
    case "out_of_memory":
      return failed(`The agent was killed: ${end.reason}.`, null);
    case "lost":
      return lost(
        "The agent supervisor crashed, and the agent was terminated. Send a follow-up to start another turn.",
      );
    case "held_up":
      return lost(
        "The agent was killed: the agent supervisor did not respond while it worked for this agent, and all other runs had to wait. Send a follow-up to start another turn.",
      );
    case "alive":
      return lost(
        "The agent exited, but a process that it started could not be stopped. Its files in artifacts/ were not stored.",
      );
    case "stopped":
      return lost("The agent was stopped: the server shut down, or the worker that executed it.");
  }
}

/** What keeps a turn from being executed, with what to do about it where that is known. */
export function couldNotExecute(error: unknown): Ending {
  if (error instanceof MillraceError && error.code === "environment_setup_failed")
    return setupFailed([`${error.message}.`, error.remedy].filter(Boolean).join(" "));
  return setupFailed(`The run could not be executed: ${errorMessage(error).replace(/\.$/, "")}.`);
}

/** A run that a budget ends, or does not let begin. */
export function budgetExceeded(message: string): Ending {
  return {
    state: "FAILED",
    exitCode: null,
    statusMessage: { message, error_code: "budget_exceeded", retryable: false },
  };
}

export function setupFailed(message: string): Ending {
  return {
    state: "FAILED",
    exitCode: null,
    statusMessage: { message, error_code: "environment_setup_failed", retryable: false },
  };
}

function failed(message: string, exitCode: number | null): Ending {
  return {
    state: "FAILED",
    exitCode,
    statusMessage: { message, error_code: "agent_process_failed", retryable: false },
  };
}

export function lost(message: string): Ending {
  return {
    state: "ERROR",
    exitCode: null,
    statusMessage: { message, error_code: "infrastructure_timeout", retryable: false },
  };
}
