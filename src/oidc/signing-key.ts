import type { JWK } from "jose";

/**
 * A key that signs the tokens with which runs prove to clouds and other services who they are. Servers that share a store
 * share its keys.
 */
export interface SigningKey {
  /** The thumbprint of its public half (RFC 7638), by which tokens name it. */
  id: string;
  /** Rises with each key: of two servers that make the next one at the same time, one succeeds. */
  generation: number;
  /** As verifiers are given it. */
  publicKey: JWK;
  /** The private half, sealed with the master key. */
  sealed: Uint8Array;
  /** From when on it signs, until a later one does. Verifiers are given it before. */
  signsFrom: string;
  createdAt: string;
}

/** Keeps the keys that sign tokens. `list` reads, the rest writes; each call is one transaction. */
export interface SigningKeyStore {
  /** Every key that verifiers are given, in the order in which they were made. */
  list(): Promise<SigningKey[]>;
  /**
   * Adds a key, unless there is one of its generation.
   * @param revokes whether all others are forgotten with it
   * @returns whether it was added
   */
  add(key: SigningKey, revokes: boolean): Promise<boolean>;
  /** Forgets keys: what they have signed is accepted no more. */
  remove(ids: readonly string[]): Promise<void>;
}
