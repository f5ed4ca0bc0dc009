import type { Models } from "../../api/models.ts";

/** The name of the agent of a run. */
export function agentOf({ executor }: Models["RunItem"]): string {
  return executor.display_name ?? executor.uid ?? "agent";
}
