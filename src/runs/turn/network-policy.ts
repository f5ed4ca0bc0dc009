import { allowedBy, isLocked, type NetworkRule } from "../../network/network-rule.ts";

/** What the programs of a run may reach beyond the API of the server. */
export interface NetworkPolicy {
  /** Lists of entries. Each of them has to allow a connection; an empty one allows none, and without a list all are allowed. */
  allow: string[][];
}

export const UNLIMITED: NetworkPolicy = { allow: [] };

/** What the files of a definition and its request say of the network of a run, as they stood when it was created. */
export interface RunNetwork {
  factory?: NetworkRule;
  agent?: NetworkRule;
  automation?: NetworkRule;
  request?: NetworkRule;
  /** What the requests for the runs that it descends from say: it can only reach what each of them allows. */
  above?: NetworkRule[];
}

/** What a new run keeps of its files and its request; nothing where none of them says anything. */
export function runNetwork(
  said: {
    [Place in keyof RunNetwork]: RunNetwork[Place] | undefined;
  },
): { network?: RunNetwork } {
  const written = Object.entries(said).filter(([, rule]) => rule !== undefined);
  return written.length === 0 ? {} : { network: Object.fromEntries(written) };
}

/**
 * What a run may reach: the nearest rule counts, and every locked one above it too.
 * @param farther the rules of the settings and of the runner, as they are now
 * @returns nothing for a run that may reach everything
 */
export function networkPolicy(
  { factory, agent, automation, request, above = [] }: RunNetwork = {},
  farther: { settings?: NetworkRule | undefined; runner?: NetworkRule | undefined } = {},
): NetworkPolicy | undefined {
  const rules = [farther.settings, factory, farther.runner, agent, automation, request].filter(isRule);
  const nearest = rules.filter((rule, index) => isLocked(rule) || index === rules.length - 1);
  const counting = [...above, ...nearest];
  const lists = counting.map(allowedBy).filter((list) => list !== undefined);
  const different = [...new Map(lists.map((list) => [JSON.stringify([...list].sort()), list])).values()];
  return different.length === 0 ? undefined : { allow: different };
}

/** What runs that a run starts have from the requests for it and for those above it. */
export function networkAbove(parent: RunNetwork | undefined): NetworkRule[] | undefined {
  const above = [...(parent?.above ?? []), parent?.request].filter(isRule);
  return above.length === 0 ? undefined : above;
}

const isRule = (rule: NetworkRule | undefined): rule is NetworkRule => rule !== undefined;
