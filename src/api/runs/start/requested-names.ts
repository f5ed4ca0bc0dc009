import type { Definition } from "../../../definitions/definition.ts";
import { canonicalHarness } from "../../../definitions/inherit.ts";
import type { AmbientAgentConfig } from "../../../runs/run-config.ts";
import type { RunDeps } from "../run-deps.ts";
import { invalidField } from "./agent-config-check.ts";

/** A configuration with the name that its harness has here, where the request calls it by another public one. */
export function withKnownHarness(config: AmbientAgentConfig): AmbientAgentConfig {
  const { harness } = config;
  if (harness?.type === undefined) return config;
  return { ...config, harness: { ...harness, type: canonicalHarness(harness.type) } };
}

/**
 * Holds what a request names against the server and the definition: a run could only fail by it.
 * @param place what the configuration is called in the request; empty for the request itself
 * @throws MillraceError `invalid_request` that names the field
 */
export function checkHarness(
  { harness }: AmbientAgentConfig,
  place: string,
  { hasHarness }: Pick<RunDeps, "hasHarness">,
): void {
  if (harness?.type === undefined || hasHarness(canonicalHarness(harness.type))) return;
  const field = place === "" ? "harness.type" : `${place}.harness.type`;
  throw invalidField(field, `this server has no harness ${JSON.stringify(harness.type)}`);
}

/** @throws MillraceError `invalid_request` for a runner that the factory does not have; without one there are none */
export function checkRunner(
  { runner_id: runner }: AmbientAgentConfig,
  place: string,
  definition: Pick<Definition, "runners"> | undefined,
): void {
  if (runner === undefined) return;
  const runners = definition?.runners ?? [];
  if (runners.some(({ name }) => name === runner)) return;
  throw invalidField(`${place}.runner_id`, `the factory of the run has no runner ${JSON.stringify(runner)}`);
}
