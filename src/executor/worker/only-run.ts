import { MillraceError } from "../../errors/error.ts";
import type { OfferState } from "../../workers/protocol/offer.ts";

/** A run that a worker was started for. */
export interface OnlyRun {
  id: string;
  /** How long the worker tries to get it, in milliseconds. */
  waitMs: number;
}

/** Why a worker that was started for a run does not execute it: no failure, because the run is in good hands. */
export function notGot({ id, waitMs }: OnlyRun, state: OfferState): string {
  const why = {
    executing: "another worker has it",
    over: "it has ended, or this worker may not execute it",
    waiting: `it still waited after ${waitMs / 1_000} seconds, because the worker drains, or of a pause or a limit`,
  };
  return `Run ${id} was not executed here: ${why[state]}.`;
}

/** That may be due to this machine: whoever started the worker hears of it. */
export function neverAnswered({ id, waitMs }: OnlyRun): MillraceError {
  return new MillraceError(
    "service_unavailable",
    `The server did not answer within ${waitMs / 1_000} seconds, so run ${id} was not executed here.`,
    { remedy: "Check --server, and whether this machine reaches it." },
  );
}
