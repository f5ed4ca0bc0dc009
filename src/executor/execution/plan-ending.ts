import { isPlanning } from "../../runs/rules/plan.ts";
import type { Ending, Run } from "../../runs/run.ts";
import type { TurnDoor } from "../../runs/turn/turn-door.ts";

/** What an agent has left: in its files, or as the last of its output. */
interface LeftTexts {
  left: { answer?: string; plan?: string };
  output: string;
}

/** The end of a turn with its answer; a run that plans asks a person about its plan. */
export async function endingWith(
  { ending, left, output }: { ending: Ending } & LeftTexts,
  run: Run,
  door: Pick<TurnDoor, "proposePlan">,
): Promise<Ending> {
  const decided = await endingOfPlan(ending, { left, output }, run, door);
  if (left.answer !== undefined) return { ...decided, answer: left.answer };
  return output === "" ? decided : { ...decided, answer: output, isOutput: true };
}

/** What the end of a turn means for a run that plans: it asks a person about its plan, and has failed without one. */
async function endingOfPlan(
  ending: Ending,
  { left, output }: LeftTexts,
  run: Run,
  door: Pick<TurnDoor, "proposePlan">,
): Promise<Ending> {
  if (ending.state !== "SUCCEEDED" || !isPlanning(run)) return ending;
  const outcome = await door.proposePlan({ file: left.plan ?? left.answer, output });
  if (outcome !== "no plan") return ending;
  const message =
    "The agent exited without a plan. A run in plan mode writes one as its final answer, or to artifacts/plan.md. Send a follow-up to start another turn.";
  return {
    ...ending,
    state: "FAILED",
    statusMessage: { message, error_code: "agent_process_failed", retryable: false },
  };
}
