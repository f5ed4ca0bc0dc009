import { MAX_OF_RUN } from "../output/artifact.ts";
import { isPlanning } from "../rules/plan.ts";
import type { Ending, Run, RunStore } from "../run.ts";

interface PlanDeps {
  store: Pick<RunStore, "proposePlan">;
  now: () => Date;
}

/** What an agent has left: in its files, or as the last of its output. */
interface LeftTexts {
  left: { answer?: string; plan?: string };
  output: string;
}

/** The end of a turn with its answer; a run that plans asks a person about its plan. */
export async function endingWith(
  { ending, left, output }: { ending: Ending } & LeftTexts,
  turn: { run: Run; ticket: number },
  deps: PlanDeps,
): Promise<Ending> {
  const decided = await endingOfPlan(ending, { left, output }, turn, deps);
  if (left.answer !== undefined) return { ...decided, answer: left.answer };
  return output === "" ? decided : { ...decided, answer: output, isOutput: true };
}

/** What the end of a turn means for a run that plans: it asks a person about its plan, and has failed without one. */
async function endingOfPlan(
  ending: Ending,
  { left, output }: LeftTexts,
  { run, ticket }: { run: Run; ticket: number },
  { store, now }: PlanDeps,
): Promise<Ending> {
  if (ending.state !== "SUCCEEDED" || !isPlanning(run)) return ending;
  const outcome = await store.proposePlan(
    { id: run.id, ticket },
    { file: left.plan ?? left.answer, output, most: MAX_OF_RUN },
    now().toISOString(),
  );
  if (outcome !== "no plan") return ending;
  const message =
    "The agent exited without a plan. A run in plan mode writes one as its final answer, or to artifacts/plan.md. Send a follow-up to start another turn.";
  return {
    ...ending,
    state: "FAILED",
    statusMessage: { message, error_code: "agent_process_failed", retryable: false },
  };
}
