import { MillraceError } from "../../../errors/error.ts";
import type { RunTurn } from "../../../runs/rules/agent-report.ts";
import type { Caller } from "../../http/authorize.ts";

/** The argument with which an API key names a run; the token of a run stands for its own. */
export const runIdInput = {
  type: "string",
  description: "The run's id. An agent leaves it out for its own run.",
} as const;

/**
 * The run that a call is about: the one that is named, else that of the token.
 * @throws MillraceError `invalid_request` for an API key that names none
 */
export function runIn({ run_id: named }: { run_id?: string | undefined }, caller: Caller): string {
  if (named !== undefined) return named;
  if (caller.kind === "run") return caller.run.id;
  throw new MillraceError("invalid_request", 'missing key "run_id".', {
    remedy: "Name the run: an API key has none of its own.",
  });
}

/** The run whose token a tool was called with, in the turn of the token. @throws MillraceError `not_authorized` for an API key */
export function ownTurn(caller: Caller): RunTurn {
  if (caller.kind === "run") return caller.run;
  throw new MillraceError("not_authorized", "An API key has no run of its own.", {
    remedy: "Call the tool with the token of a run.",
  });
}

/** The id of the run whose token a tool was called with. @throws MillraceError `not_authorized` for an API key */
export const ownRun = (caller: Caller): string => ownTurn(caller).id;
