import {
  type CryptoKey,
  calculateJwkThumbprint,
  exportJWK,
  exportPKCS8,
  generateKeyPair,
  importPKCS8,
  type JWK,
} from "jose";
import { MillraceError } from "../errors/error.ts";
import type { Sealer } from "../secrets/seal.ts";
import { DAY_MS, MINUTE_MS } from "../time/duration.ts";

/** AWS, Google Cloud, Azure and Vault all accept it; not all of them accept others. */
export const ALGORITHM = "RS256";
const MODULUS_BITS = 2_048;

/** A key that can sign now. */
export interface OpenedKey {
  id: string;
  privateKey: CryptoKey;
}

/** The keys that sign the tokens of runs: made when the first is needed, and replaced every 90 days. */
export interface IdentityKeys {
  /** The key that signs now. */
  signing(): Promise<OpenedKey>;
  /** What verifiers are given: the keys that have signed what is still good, that sign, and that will sign next. */
  published(): Promise<JWK[]>;
  /** Publishes the next key when it is time, and forgets those whose last tokens have expired. */
  rotate(): Promise<void>;
  /**
   * Makes a key that signs from now on.
   * @param revokes whether what the others have signed is accepted no more
   * @returns its id
   */
  replace(revokes: boolean): Promise<string>;
}

export interface IdentityKeysDeps {
  store: SigningKeyStore;
  sealer: Sealer;
  now: () => Date;
}

/** Looks into the store each time: another server may have made a key, or revoked one, just before. */
export function createIdentityKeys({ store, sealer, now }: IdentityKeysDeps): IdentityKeys {
  const opened = new Map<string, CryptoKey>();

  /** @returns its id; nothing when another server has made one of its generation */
  async function add(
    keys: readonly SigningKey[],
    signsFrom: Date,
    revokes = false,
  ): Promise<string | undefined> {
    const generation = Math.max(0, ...keys.map((key) => key.generation)) + 1;
    const key = await makeKey(generation, signsFrom, { sealer, now });
    return (await store.add(key, revokes)) ? key.id : undefined;
  }

  /** The keys, with one that signs now among them. */
  async function withSigning(): Promise<SigningKey[]> {
    const keys = await store.list();
    const signing = signingAt(keys, now());
    if (signing && (await open(signing))) return keys;
    await add(keys, now());
    return store.list();
  }

  /** Nothing for a key that another master key has sealed: the one of this store was lost. */
  async function open({ id, sealed }: SigningKey): Promise<CryptoKey | undefined> {
    const known = opened.get(id);
    if (known) return known;
    const text = openedText(sealed, id, sealer);
    if (text === undefined) return undefined;
    const key = await importPKCS8(text, ALGORITHM);
    opened.set(id, key);
    return key;
  }

  return {
    async signing() {
      const key = signingAt(await withSigning(), now());
      const privateKey = key && (await open(key));
      if (key && privateKey) return { id: key.id, privateKey };
      throw new MillraceError(
        "service_unavailable",
        "The key that signs the tokens of runs cannot be opened.",
        {
          remedy: "Run `millrace doctor` on the server.",
        },
      );
    },
    async published() {
      return (await withSigning()).map(({ publicKey }) => publicKey);
    },
    async rotate() {
      const keys = await store.list();
      const due = nextSignsFrom(keys, now());
      if (due) await add(keys, due);
      const retired = retiredAt(keys, now());
      if (retired.length > 0) await store.remove(retired);
      for (const id of retired) opened.delete(id);
    },
    async replace(revokes) {
      for (;;) {
        const id = await add(await store.list(), now(), revokes);
        if (id !== undefined) return id;
      }
    },
  };
}

async function makeKey(
  generation: number,
  signsFrom: Date,
  { sealer, now }: Pick<IdentityKeysDeps, "sealer" | "now">,
): Promise<SigningKey> {
  const options = { modulusLength: MODULUS_BITS, extractable: true };
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, options);
  const jwk = await exportJWK(publicKey);
  const id = await calculateJwkThumbprint(jwk);
  return {
    id,
    generation,
    publicKey: { ...jwk, kid: id, alg: ALGORITHM, use: "sig" },
    sealed: sealer.seal(await exportPKCS8(privateKey), contextOf(id)),
    signsFrom: signsFrom.toISOString(),
    createdAt: now().toISOString(),
  };
}

function openedText(sealed: Uint8Array, id: string, sealer: Sealer): string | undefined {
  try {
    return sealer.open(sealed, contextOf(id));
  } catch {
    return undefined;
  }
}

const contextOf = (id: string) => `identity-key:${id}`;

/** How long a token is good. An agent that needs one for longer asks for another. */
export const TOKEN_LIFETIME_MS = 10 * MINUTE_MS;
/** How long verifiers may go by what they have read of the keys. */
export const KEYS_CACHED_MS = 5 * MINUTE_MS;
/** Verifiers' clocks may be this far behind: to them, a token lives longer. */
const CLOCK_LEEWAY_MS = 5 * MINUTE_MS;
/** How long a key signs. */
export const SIGNS_FOR_MS = 90 * DAY_MS;
/** How long before it signs a key is published, for verifiers that read the keys seldom. */
export const PUBLISHED_AHEAD_MS = DAY_MS;

type Timed = Pick<SigningKey, "id" | "generation" | "signsFrom">;

/** The key that signs at an instant; nothing before the first. */
export function signingAt<Key extends Timed>(keys: readonly Key[], at: Date): Key | undefined {
  return inOrder(keys).findLast((key) => startOf(key) <= at.getTime());
}

/** When the next key has to sign, if it is time to publish it. */
function nextSignsFrom(keys: readonly Timed[], at: Date): Date | undefined {
  const newest = inOrder(keys).at(-1);
  if (!newest) return undefined;
  const due = startOf(newest) + SIGNS_FOR_MS;
  if (due - PUBLISHED_AHEAD_MS > at.getTime()) return undefined;
  // A server that was stopped when it was time publishes it a day ahead all the same.
  return new Date(Math.max(due, at.getTime() + PUBLISHED_AHEAD_MS));
}

/** Keys whose last tokens have expired. */
function retiredAt(keys: readonly Timed[], at: Date): string[] {
  const ordered = inOrder(keys);
  const longAgo = at.getTime() - TOKEN_LIFETIME_MS - CLOCK_LEEWAY_MS;
  return ordered
    .filter((_, index) => {
      const next = ordered[index + 1];
      return next !== undefined && startOf(next) <= longAgo;
    })
    .map(({ id }) => id);
}

const startOf = ({ signsFrom }: Timed) => Date.parse(signsFrom);

/** In the order in which they sign. */
const inOrder = <Key extends Timed>(keys: readonly Key[]): Key[] =>
  [...keys].sort((one, other) => startOf(one) - startOf(other) || one.generation - other.generation);

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
