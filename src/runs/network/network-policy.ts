import { allowedBy, isLocked, type NetworkRule } from "../../network/network-rule.ts";

/** What the programs of a run may reach beyond the API of the server. */
export interface NetworkPolicy {
  /** Lists of entries. Each of them has to allow a connection; an empty one allows none, and without a list all are allowed. */
  allow: string[][];
}

/** What the files of a definition and its request say of the network of a run, as they stood when it was created. */
export interface RunNetwork {
  factory?: NetworkRule;
  agent?: NetworkRule;
  automation?: NetworkRule;
  request?: NetworkRule;
  /** Whether an agent has asked for the run: its request can only allow less. */
  isOfAgent?: true;
}

/** What a new run keeps of its files and its request; nothing where none of them says anything. */
export function runNetwork(
  said: {
    [Place in keyof RunNetwork]: RunNetwork[Place] | undefined;
  },
): { network?: RunNetwork } {
  const { isOfAgent, ...rules } = said;
  const written = Object.entries(rules).filter(([, rule]) => rule !== undefined);
  if (written.length === 0) return {};
  return { network: { ...Object.fromEntries(written), ...(isOfAgent ? { isOfAgent } : {}) } };
}

/**
 * What a run may reach: the nearest rule counts, and every locked one above it too.
 * @param farther the rules of the settings and of the runner, as they are now
 * @returns nothing for a run that may reach everything
 */
export function networkPolicy(
  { factory, agent, automation, request, isOfAgent }: RunNetwork = {},
  farther: { settings?: NetworkRule | undefined; runner?: NetworkRule | undefined } = {},
): NetworkPolicy | undefined {
  const files = [farther.settings, factory, farther.runner, agent, automation].filter(isRule);
  const rules = [...files, request].filter(isRule);
  const counting = rules.filter(
    (rule, index) =>
      isLocked(rule) || index === rules.length - 1 || (isOfAgent && index === files.length - 1),
  );
  const lists = counting.map(allowedBy).filter((list) => list !== undefined);
  const different = [...new Map(lists.map((list) => [JSON.stringify([...list].sort()), list])).values()];
  return different.length === 0 ? undefined : { allow: different };
}

const isRule = (rule: NetworkRule | undefined): rule is NetworkRule => rule !== undefined;
