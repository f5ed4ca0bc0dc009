import type { Models } from "../../api/models.ts";

/** Whether a run has come to its end. */
export function hasEnded(state: Models["RunState"]): boolean {
  return ["SUCCEEDED", "FAILED", "ERROR", "CANCELLED"].includes(state);
}
