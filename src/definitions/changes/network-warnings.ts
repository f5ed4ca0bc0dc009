import { allowedBy, isLocked, type NetworkRule, widerEntries } from "../../network/network-rule.ts";
import type { StoredResource } from "./plan.ts";
import type { PlanWarning } from "./plan-warning.ts";
import type { PlannedChange } from "./warn-of-changes.ts";

interface Ruled {
  kind: "factory" | "runner" | "agent" | "automation";
  name: string;
  path: string;
  network?: NetworkRule;
}

/** Files that limited what runs can reach, and limit it less. */
export function networksThatWiden({ stored, definition, locate }: PlannedChange): PlanWarning[] {
  const { factory, runners, agents, automations } = definition;
  const all: Ruled[] = [
    { ...factory, kind: "factory" },
    ...runners.map((runner): Ruled => ({ ...runner, kind: "runner" })),
    ...agents.map((agent): Ruled => ({ ...agent, kind: "agent" })),
    ...automations.map((automation): Ruled => ({ ...automation, kind: "automation" })),
  ];
  return all.flatMap(({ kind, name, path, network }): PlanWarning[] => {
    const before = ruleOf(stored.find((each) => isOf(each, kind, name)));
    const more = before === undefined ? undefined : whatIsMore(before, network);
    if (more === undefined) return [];
    const whose = kind === "factory" ? "the factory" : `the ${kind} "${name}"`;
    const message = `runs of ${whose} can reach more than before: ${more}`;
    return [
      {
        ...{ code: "network_widened", message, path, blocking: false },
        ...locate(path, ["millrace", "network"]),
      },
    ];
  });
}

/** There is one factory, which may get another name. */
function isOf({ deleted, kind, name }: StoredResource, ofKind: Ruled["kind"], ofName: string): boolean {
  return !deleted && kind === ofKind && (kind === "factory" || name === ofName);
}

function ruleOf(resource: StoredResource | undefined): NetworkRule | undefined {
  return resource && (JSON.parse(resource.body) as { network?: NetworkRule }).network;
}

/** @returns what a rule allows that the one before did not, the end of a sentence */
function whatIsMore(before: NetworkRule, after: NetworkRule | undefined): string | undefined {
  const most = allowedBy(before);
  if (most === undefined) return undefined;
  if (after === undefined) return "network is not set any more";
  const allowed = allowedBy(after);
  if (allowed === undefined) return "all";
  const added = widerEntries(allowed, most);
  if (added.length > 0) return added.join(", ");
  return isLocked(before) && !isLocked(after) ? "the list is not locked any more" : undefined;
}
