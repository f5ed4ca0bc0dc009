import type { Principal } from "../../principals/principal.ts";
import type { RunStatusMessage } from "../run.ts";

/** Who ended a blocked run without an answer to its question, and why. */
export interface Dismissal {
  by: Principal;
  reason?: string;
}

/** What a run that was dismissed says of its end. */
export function dismissedMessage({ by, reason }: Dismissal): RunStatusMessage {
  return { message: `Dismissed by ${by.displayName}${reason ? `: ${reason}` : "."}` };
}
