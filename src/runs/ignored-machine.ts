import { hostWith, strangePlatform } from "../definitions/runner-host.ts";
import type { Run } from "./run.ts";
import type { Machine, SandboxMode } from "./sandbox/sandbox.ts";

/** Why a run has neither the prompt nor the secrets of an agent, a sentence for its timeline. */
export function missedFactory({ execution }: Pick<Run, "execution">): string[] {
  if (!execution.betweenFactories) return [];
  return [
    "the run belongs to no factory, and has no agent's prompt and secrets: there are several, and its request named neither a " +
      "factory nor an agent; MILLRACE_DEFAULT_FACTORY names the one for such runs",
  ];
}

/** What a run's runner asks of its machine and the sandbox of the server does not give, a sentence each: for its timeline. */
export function ignoredOfMachine({ image, shape, platform = {} }: Machine, sandbox: SandboxMode): string[] {
  const strange = strangePlatform(platform, hostWith(sandbox));
  const ofSystem = strange === undefined ? [] : [strange];
  if (sandbox === "container") return ofSystem;
  return [
    ...ofSystem,
    ...(image === undefined ? [] : [`the image ${image} is ignored: only containers are made of one`]),
    ...(shape === undefined ? [] : ["instanceShape is ignored: only containers have a size"]),
  ];
}
