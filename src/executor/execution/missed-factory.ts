import type { Run } from "../../runs/run.ts";

/** Why a run has neither the prompt nor the secrets of an agent, a sentence for its timeline. */
export function missedFactory({ execution }: Pick<Run, "execution">): string[] {
  if (!execution.betweenFactories) return [];
  return [
    "the run belongs to no factory and has no agent prompt or secrets: the server has several factories, and the request specified neither a " +
      "factory nor an agent; set MILLRACE_DEFAULT_FACTORY to assign such runs to a factory",
  ];
}
