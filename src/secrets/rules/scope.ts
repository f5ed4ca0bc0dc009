/** Which factories may use a secret. */
export interface SecretScope {
  /** Whether every factory of the server may, also those that come later. */
  shared: boolean;
  /** The uids of those that may; none for a secret of all, and for one that only the server itself uses. */
  factories: readonly string[];
}

export const SHARED: SecretScope = { shared: true, factories: [] };
/** The scope of a secret that no factory may use. */
export const NO_FACTORY: SecretScope = { shared: false, factories: [] };

/** The scope of these factories and of no other. */
export function onlyFor(factories: readonly string[]): SecretScope {
  return { shared: false, factories: [...new Set(factories)].sort() };
}

/** Whether a factory may use what has this scope. */
export function includesFactory({ shared, factories }: SecretScope, uid: string): boolean {
  return shared || factories.includes(uid);
}

/** Whether nobody but these factories may use what has this scope: then whoever answers for them may change it. */
export function isWithin({ shared, factories }: SecretScope, uids: readonly string[]): boolean {
  return !shared && factories.length > 0 && factories.every((uid) => uids.includes(uid));
}

export function isSameScope(one: SecretScope, other: SecretScope): boolean {
  if (one.shared !== other.shared || one.factories.length !== other.factories.length) return false;
  return one.factories.every((uid) => other.factories.includes(uid));
}

/** Who reads a secret. What runs get is an agent's; of no factory, it is what an admin of the whole server has granted. */
export type SecretReader = "server" | { webhooksOf: string } | { agentsOf: string | null };
