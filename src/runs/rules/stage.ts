import { TASK_STAGES } from "../../definitions/events/factory-events.ts";

/** The stages of a task, in their usual order: those that triggers can name. A task can be moved from each to each. */
export const STAGES = TASK_STAGES;

export type Stage = (typeof STAGES)[number];

/** Stages in which nothing is left to do. */
export const CLOSED_STAGES = ["COMPLETE", "CANCELLED"] as const satisfies readonly Stage[];

/** How often the agent of one run moves its task: one that moves it to and fro must not fill the store. */
export const MAX_MOVES_OF_RUN = 100;
