import type { Agent } from "../../definitions/definition.ts";
import type { SpendGroup } from "../../insight/factory-metrics-store.ts";
import type { KeyStore } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { IdentityStore } from "../../runs/agents/agent-identity.ts";

/** The type of an agent that no definition describes. */
const OTHER_TYPE = "CUSTOM";

/** What the keys of groups are called. */
export interface GroupNames {
  labelOf(key: string): string | null;
  isDeleted(key: string): boolean;
}

export interface GroupNameDeps {
  factories: Pick<Factories, "list">;
  keys: Pick<KeyStore, "list">;
  identities: Pick<IdentityStore, "list">;
}

const PLAIN: GroupNames = { labelOf: () => null, isDeleted: () => false };

export async function groupNames(by: SpendGroup, factory: Factory, deps: GroupNameDeps): Promise<GroupNames> {
  if (by !== "agent" && by !== "user") return PLAIN;
  const agents = agentsOf(factory);
  const own = new Map((await deps.identities.list()).map(({ uid, name }) => [uid, name]));
  // An agent of another factory may have started a run here.
  const live = new Set(deps.factories.list().flatMap((each) => agentsOf(each).live()));
  const isAgent = (uid: string) => own.has(uid) || live.has(uid);
  const labelOf = (uid: string) => agents.nameOf(uid) ?? own.get(uid) ?? null;
  if (by === "agent") return { labelOf, isDeleted: (uid) => !isAgent(uid) };
  const active = (await deps.keys.list()).filter(({ revokedAt }) => revokedAt === null);
  const users = new Set(active.map(({ principal }) => principal.uid));
  return { labelOf, isDeleted: (uid) => !users.has(uid) && !isAgent(uid) };
}

/** The agents of a definition, deleted ones too, which keep their uids. */
export function agentsOf({ active }: Pick<Factory, "active">) {
  const resources = (active?.resources ?? []).filter(({ kind }) => kind === "agent");
  const known = new Map(resources.map((resource) => [resource.uid, resource]));
  return {
    nameOf: (uid: string) => known.get(uid)?.name,
    /** The uids of those that are there. */
    live: () => resources.filter(({ deleted }) => !deleted).map(({ uid }) => uid),
    typeOf(uid: string): string {
      const resource = known.get(uid);
      return resource ? (JSON.parse(resource.body) as Agent).type : OTHER_TYPE;
    },
  };
}
