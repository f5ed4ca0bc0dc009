/** Someone who acts: a person, or an agent with an identity of its own. */
export interface Principal {
  uid: string;
  /** As the public API calls it: a person is a `user`, an agent a `service_account`. */
  type: "user" | "service_account";
  displayName: string;
}

/** A personal key acts as a person, an agent key as an agent. */
export const KEY_KINDS = ["personal", "agent"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** What a key may do; each role may do what the ones before it may. */
export const ROLES = ["viewer", "operator", "admin"] as const;
export type Role = (typeof ROLES)[number];

/** Whether a role is enough where another is needed. */
export function roleAllows(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed);
}

/** An API key as it is listed: never with its value. */
export interface ApiKey {
  id: string;
  principal: Principal;
  name: string;
  kind: KeyKind;
  role: Role;
  /** Uids of the factories it reaches; null reaches all. */
  factories: string[] | null;
  /** The first characters of its value, to recognise it by. */
  prefix: string;
  createdAt: string;
  lastUsedAt: string | null;
  expiresAt: string | null;
  revokedAt: string | null;
}

export type NewApiKey = Omit<ApiKey, "principal" | "lastUsedAt" | "revokedAt"> & {
  /** SHA-256 of the value, hexadecimal. Values have over 100 random bits, so no slower hash is needed. */
  hash: string;
  fromSettings: boolean;
  /** The principal that the key alone acts as. Names say nothing about it: two keys may have one name. */
  principal: Principal;
};

/** Keeps keys and principals. `find` and `list` read, the rest writes; each call is one transaction. */
export interface KeyStore {
  findByHash(hash: string): Promise<ApiKey | undefined>;
  findById(id: string): Promise<ApiKey | undefined>;
  list(): Promise<ApiKey[]>;
  /** @returns the key; the one that has the value already, if there is one */
  create(key: NewApiKey): Promise<ApiKey>;
  /** Creates a key unless there is an active one of an admin that reaches every factory. */
  createFirstAdmin(key: NewApiKey): Promise<ApiKey | undefined>;
  /** Revokes a key permanently, one of the settings too, unless no other active admin key reaches every factory. */
  revoke(id: string, at: string): Promise<"revoked" | "last admin" | "not active">;
  /** Revokes the keys of the settings but the one with this hash, which takes their place; all of them without one. */
  revokeFormerSettings(hashInForce: string | undefined, at: string): Promise<void>;
  /** A key that left with the setting is active again; one that was revoked is not. @returns whether it is */
  reinstateSettings(hash: string): Promise<boolean>;
  recordUse(id: string, at: string): Promise<void>;
}

/** Later instants have more than four digits of a year, which RFC 3339 does not know. */
const LAST_INSTANT = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * When a key is to expire, in the form that instants are stored in.
 * @returns nothing unless the instant is ahead; a leap second, which RFC 3339 allows and Date does not know, is none
 */
export function expiryAt(instant: number, now: Date): string | undefined {
  return instant > now.getTime() && instant <= LAST_INSTANT ? new Date(instant).toISOString() : undefined;
}

/** Whether a key reaches what belongs to a factory; what belongs to none is reached by keys without a limit. */
export function reachesFactory(key: ApiKey, factoryUid: string | null): boolean {
  return key.factories === null || (factoryUid !== null && key.factories.includes(factoryUid));
}
