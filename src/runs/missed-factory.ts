import type { Run } from "./run.ts";

/** Why a run has neither the prompt nor the secrets of an agent, a sentence for its timeline. */
export function missedFactory({ execution }: Pick<Run, "execution">): string[] {
  if (!execution.betweenFactories) return [];
  return [
    "the run belongs to no factory, and has no agent's prompt and secrets: there are several, and its request named neither a " +
      "factory nor an agent; MILLRACE_DEFAULT_FACTORY names the one for such runs",
  ];
}
