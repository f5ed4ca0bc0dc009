import type { PlanWarning } from "../definitions/changes/plan-warning.ts";
import type { Definition } from "../definitions/definition.ts";
import { pluralize } from "../pluralize.ts";
import { networkGuard } from "../runs/network/network-guard.ts";
import { networkPolicy } from "../runs/network/network-policy.ts";
import { type FactoryReach, OTHER_HOSTS } from "../runs/network/reaches.ts";

/** A definition and the names of what its runs were of. */
interface Denying {
  definition: Definition;
  /** The name of an automation or an agent by its uid. */
  nameOf(kind: "automation" | "agent", uid: string): string | undefined;
  locate(path: string, at: (string | number)[]): { line: number; column: number };
}

interface Tally {
  path: string;
  runs: Set<string>;
  denied: Set<string>;
  example?: string;
}

/**
 * Which runs of the last days have reached a host that a definition denies. Only runs whose network was limited have left a
 * record.
 */
export function deniedReaches(
  reaches: readonly FactoryReach[],
  { definition, nameOf, locate }: Denying,
): PlanWarning[] {
  const tallies = new Map<string, Tally>();
  for (const reach of reaches) {
    const of = reach.host === OTHER_HOSTS ? undefined : ruledBy(reach, definition, nameOf);
    if (!of) continue;
    const key = `the ${of.kind} "${of.name}"`;
    const tally = tallies.get(key) ?? { path: of.path, runs: new Set(), denied: new Set() };
    tallies.set(key, tally);
    tally.runs.add(reach.runId);
    if (!of.policy || networkGuard(of.policy).allows(reach)) continue;
    tally.denied.add(reach.runId);
    tally.example ??= `${reach.host}:${reach.port}`;
  }
  return [...tallies].flatMap(([whose, { path, runs, denied, example }]): PlanWarning[] => {
    if (denied.size === 0) return [];
    const message = `${denied.size} of ${pluralize(runs.size, "run")} of ${whose} in the last 7 days reached a host that this denies, for example ${example}`;
    return [
      { code: "network_denies_reached", message, path, ...locate(path, ["millrace"]), blocking: false },
    ];
  });
}

/** What rules a run by the definition, and may reach then; nothing for a run of something that is not there any more. */
function ruledBy(
  { automationUid, agentUid }: FactoryReach,
  { factory, agents, automations, runners }: Definition,
  nameOf: Denying["nameOf"],
) {
  const wanted = automationUid === null ? undefined : nameOf("automation", automationUid);
  const automation = automations.find(({ name }) => name === wanted);
  const ofAgent = automation?.agent ?? (agentUid === null ? undefined : nameOf("agent", agentUid));
  const agent = agents.find(({ name }) => name === ofAgent);
  const of = automation ?? agent;
  if (!of) return undefined;
  const runner = runners.find(({ name }) => name === of.execution.runner);
  const rules = {
    ...(factory.network ? { factory: factory.network } : {}),
    ...(agent?.network ? { agent: agent.network } : {}),
    ...(automation?.network ? { automation: automation.network } : {}),
  };
  const kind = automation ? ("automation" as const) : ("agent" as const);
  return { kind, name: of.name, path: of.path, policy: networkPolicy(rules, { runner: runner?.network }) };
}
