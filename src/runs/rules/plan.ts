import type { Ticket } from "../ticket.ts";

/** How a run works that has a mode: it plans first, and does what it has planned when a person has approved that. */
export type RunMode = "plan";

/** Where the plan of a run in plan mode stands; null while there is none. */
export type PlanState = "proposed" | "rejected" | "approved" | null;

/** What a run in plan mode asks a person. */
export const PLAN_QUESTION = "Approve this plan?";
export const PLAN_CHOICES = ["Approve", "Revise"];
export const PLAN_TITLE = "Plan";

/** What each turn begins with until the plan is approved. */
export const PLAN_ONLY =
  "[millrace: Plan only. Do not carry out the work yet: change no code, push nothing, and report nothing to others. Write the plan as your final answer, or to artifacts/plan.md. A person approves it, or says what to change, before you carry it out.]";

const APPROVED = "[millrace: Your plan was approved. Carry it out now.]";
const REJECTED =
  "[millrace: Your plan was not approved. Change it as the message asks, and write the new plan.]";

/**
 * Whether an answer approves a plan: its first line is the choice alone. Every other answer says what to change: "Approve
 * nothing before Monday." begins with the word as well.
 */
export function approvesPlan(answer: string): boolean {
  return /^approve\.?[^\S\r\n]*(?:[\r\n]|$)/i.test(answer.trim());
}

/** What the agent is told beside the answer of the person. */
export function planDecision(isApproved: boolean): string {
  return isApproved ? APPROVED : REJECTED;
}

/** Keeps plans. */
export interface PlanStore {
  /**
   * The run asks a person whether its plan is approved, and keeps the plan as an artifact. It does so when its agent ends
   * well, unless that has asked a question of its own, waits for other runs, or was cancelled.
   *
   * @param plan of a file that the agent has left; else what it has reported as its answer counts, else its output; `most` is what all artifacts of the run may come to
   */
  proposePlan(
    claim: Ticket,
    plan: { file?: string | undefined; output?: string; most: { count: number; bytes: number } },
    at: string,
  ): Promise<"proposed" | "no plan" | "not asked">;
}

/** Whether a run plans in its next turn. */
export function isPlanning(run: { execution: { mode?: RunMode }; planState: PlanState }): boolean {
  return run.execution.mode === "plan" && run.planState !== "approved";
}
