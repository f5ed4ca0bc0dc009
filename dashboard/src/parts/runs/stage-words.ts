import type { TaskStage } from "../../api/models.ts";
import type { Tone } from "../chip.tsx";

/** The stages of a task, as people say them. */
export const STAGE_WORDS: Readonly<Record<TaskStage, string>> = {
  TRIAGE: "Triage",
  SPEC: "Spec",
  IMPLEMENT: "Implement",
  REVIEW: "Review",
  COMPLETE: "Complete",
  CANCELLED: "Cancelled",
};

/** The one colour of each. */
export const STAGE_TONES: Readonly<Record<TaskStage, Tone>> = {
  TRIAGE: "grey",
  SPEC: "blue",
  IMPLEMENT: "blue",
  REVIEW: "blue",
  COMPLETE: "green",
  CANCELLED: "grey",
};
