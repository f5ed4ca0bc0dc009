import { errorMessage, MillraceError } from "../../errors/error.ts";
import type { Ending } from "../run.ts";

/** The store gives a run this end only when it was asked for, and only to the holder of the claim. */
export const CANCELLED: Ending = { state: "CANCELLED", exitCode: null, statusMessage: null };

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

export function failed(message: string, exitCode: number | null): Ending {
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
