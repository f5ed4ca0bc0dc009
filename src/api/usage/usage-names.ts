import type { UsageGroup, UsageSums } from "../../insight/usage.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { IdentityStore } from "../../runs/agents/agent-identity.ts";

/** What stands for runs that have nothing to be grouped by: names of definitions are without parentheses. */
export const NONE = "(none)";

/** What people know things by: what is there no more has its last name, or its uid where that is lost too. */
export interface UsageNames {
  factory(uid: string | null): string | null;
  automation(factoryUid: string | null, uid: string | null): string | null;
  agent(factoryUid: string | null, uid: string | null): string | null;
}

export interface UsageNameDeps {
  factories: Pick<Factories, "find">;
  identities: Pick<IdentityStore, "list">;
}

export async function usageNames({ factories, identities }: UsageNameDeps): Promise<UsageNames> {
  const own = new Map((await identities.list()).map(({ uid, name }) => [uid, name]));
  /** Deleted resources keep their uids and names. */
  const resourceOf = (kind: "automation" | "agent", factoryUid: string | null, uid: string) =>
    factoryUid === null
      ? undefined
      : factories
          .find(factoryUid)
          ?.active?.resources.find((resource) => resource.kind === kind && resource.uid === uid)?.name;
  return {
    factory: (uid) => (uid === null ? null : (factories.find(uid)?.record.name ?? uid)),
    automation: (factoryUid, uid) =>
      uid === null ? null : (resourceOf("automation", factoryUid, uid) ?? uid),
    agent: (factoryUid, uid) =>
      uid === null ? null : (resourceOf("agent", factoryUid, uid) ?? own.get(uid) ?? uid),
  };
}

/** How a group of sums is called, and what it is of. */
export function nameGroup(
  by: UsageGroup,
  { factoryUid, key: uid }: Pick<UsageSums, "factoryUid" | "key">,
  names: UsageNames,
): { key: string; uid: string | null; factory: string | null } {
  if (by === "model" || by === "day") return { key: uid ?? NONE, uid: null, factory: null };
  const factory = names.factory(factoryUid);
  if (by === "factory") return { key: factory ?? NONE, uid: factoryUid, factory: null };
  const name = names[by](factoryUid, uid) ?? NONE;
  return { key: factory === null ? name : `${factory}/${name}`, uid, factory };
}
