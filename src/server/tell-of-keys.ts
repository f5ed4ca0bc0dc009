import type { RunDeps } from "../api/runs/run-deps.ts";
import { tellEnd } from "../api/runs/tell-end.ts";
import type { KeyEffects } from "../runs/rules/run-key.ts";

/** Who executes runs, and who counts them. */
export type KeyTelling = Pick<RunDeps, "queue" | "meter">;

/** Tells those who execute runs of what a delivery has done to runs that were there before. */
export function tellOfKeys({ queue, meter }: KeyTelling): (effects: KeyEffects) => void {
  return ({ ended, messaged }) => {
    for (const member of ended) tellEnd(member, { queue, meter });
    for (const id of messaged) queue.notify(id);
  };
}
