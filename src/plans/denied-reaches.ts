import type { PlanWarning } from "../definitions/changes/plan-warning.ts";
import type { Definition } from "../definitions/definition.ts";
import { pluralize } from "../pluralize.ts";
import { type NetworkGuard, networkGuard } from "../runs/turn/network-guard.ts";
import { networkPolicy, runNetwork } from "../runs/turn/network-policy.ts";
import { type FactoryReach, OTHER_HOSTS } from "../runs/turn/reaches.ts";

/** A definition and the names of what its runs were of. */
interface Denying {
  definition: Definition;
  /** The name of an automation or an agent by its uid. */
  nameOf(kind: "automation" | "agent", uid: string): string | undefined;
  locate(path: string, at: (string | number)[]): { line: number; column: number };
}

/** The runs of one automation or agent. */
interface Tally {
  whose: string;
  path: string;
  /** Nothing for runs that may reach everything. */
  guard: NetworkGuard | undefined;
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
  /** By the uids of what runs are of: a week has many runs of few of them. */
  const found = new Map<string, Tally | undefined>();
  for (const reach of reaches) {
    if (reach.host === OTHER_HOSTS) continue;
    const key = `${reach.automationUid} ${reach.agentUid}`;
    if (!found.has(key)) {
      const made = tallyOf(reach, definition, nameOf);
      found.set(key, made && (tallies.get(made.whose) ?? made));
    }
    const tally = found.get(key);
    if (!tally) continue;
    tallies.set(tally.whose, tally);
    tally.runs.add(reach.runId);
    if (tally.guard?.allows(reach) !== false) continue;
    tally.denied.add(reach.runId);
    tally.example ??= `${reach.host}:${reach.port}`;
  }
  return [...tallies.values()].flatMap(({ whose, path, runs, denied, example }): PlanWarning[] => {
    if (denied.size === 0) return [];
    const message = `${denied.size} of ${pluralize(runs.size, "run")} of ${whose} in the last 7 days reached a host that this denies, for example ${example}`;
    return [
      { code: "network_denies_reached", message, path, ...locate(path, ["millrace"]), blocking: false },
    ];
  });
}

/** @returns nothing for runs of something that is not there any more */
function tallyOf(
  { automationUid, agentUid }: FactoryReach,
  { factory, agents, automations, runners }: Definition,
  nameOf: Denying["nameOf"],
): Tally | undefined {
  const wanted = automationUid === null ? undefined : nameOf("automation", automationUid);
  const automation = automations.find(({ name }) => name === wanted);
  const ofAgent = automation?.agent ?? (agentUid === null ? undefined : nameOf("agent", agentUid));
  const agent = agents.find(({ name }) => name === ofAgent);
  const of = automation ?? agent;
  if (!of) return undefined;
  const runner = runners.find(({ name }) => name === of.execution.runner);
  const rules = { factory: factory.network, agent: agent?.network, automation: automation?.network };
  const policy = networkPolicy(runNetwork(rules).network, { runner: runner?.network });
  return {
    whose: `the ${automation ? "automation" : "agent"} "${of.name}"`,
    path: of.path,
    guard: policy && networkGuard(policy),
    runs: new Set(),
    denied: new Set(),
  };
}
