import type { TaskStage } from "./models.ts";

/** Every stage of a task, in the order of the work. */
export const STAGES: readonly TaskStage[] = [
  "TRIAGE",
  "SPEC",
  "IMPLEMENT",
  "REVIEW",
  "COMPLETE",
  "CANCELLED",
];

/** Those in which something is left to do. */
export const OPEN_STAGES = STAGES.slice(0, 4);
