import type { Models } from "../../../api/client.ts";

type Step = Models["RunStep"];

/** A step as it is shown: a call of a tool together with its result. */
export interface ShownStep {
  step: Step;
  result?: Step;
}

/** Steps in their order; a result goes to its call, wherever that is, and stands by itself where there is none. */
export function shownSteps(steps: readonly Step[]): ShownStep[] {
  const shown: ShownStep[] = [];
  const calls = new Map<string, ShownStep>();
  for (const step of steps) {
    const key = `${step.turn} ${step.call_id}`;
    const call = step.type === "tool_result" && step.call_id !== undefined ? calls.get(key) : undefined;
    if (call && call.result === undefined) {
      call.result = step;
      continue;
    }
    const entry: ShownStep = { step };
    if (step.type === "tool_call" && step.call_id !== undefined) calls.set(key, entry);
    shown.push(entry);
  }
  return shown;
}

/** Whether something failed in a step. */
export function hasFailed({ step, result }: ShownStep): boolean {
  return step.is_error === true || result?.is_error === true;
}

/** The texts of a step in which a search looks. */
export function searchText({ step, result }: ShownStep): string {
  return [step.text, step.name, step.input, step.output, result?.output].filter(Boolean).join("\n");
}

/** The places of the steps in which something failed. */
export function failedPlaces(steps: readonly ShownStep[]): number[] {
  return steps.flatMap((step, place) => (hasFailed(step) ? [place] : []));
}

/** The places of the steps that have a text in them, whatever its case. */
export function stepsWith(steps: readonly ShownStep[], sought: string): number[] {
  if (sought === "") return [];
  const folded = sought.toLowerCase();
  return steps.flatMap((step, place) => (searchText(step).toLowerCase().includes(folded) ? [place] : []));
}
