import { MillraceError } from "../errors/error.ts";
import type { SecretScope } from "./rules/scope.ts";

/** A secret as it is listed: never with its value. */
export interface SecretSummary extends SecretScope {
  name: string;
  created_at: string;
  updated_at: string;
}

/** A value at rest: opaque without the master key. */
export interface SealedSecret {
  name: string;
  sealed: Uint8Array;
}

/** A value at rest with the scope that it gets, which has to be what it was when that was decided. */
export interface ScopedSecret extends SealedSecret {
  scope: SecretScope;
  /** The scope that was found; nothing when there was no secret of the name. */
  expected: SecretScope | undefined;
}

/** The scope of a name, which settings can give to a secret that they keep outside of the store. */
export interface NamedScope extends SecretScope {
  name: string;
}

/** A name that settings use for a factory, and the factory that had it when it was first looked up. */
export interface BoundName {
  name: string;
  uid: string;
}

/** What the master key was derived with, and a value that proves that it is the right one. */
export interface Sealing {
  salt: Uint8Array;
  check: Uint8Array;
}

/** Keeps sealed values. `find` and `list` read, the rest writes; each call is one transaction. */
export interface SecretStore {
  list(): Promise<SecretSummary[]>;
  find(names: readonly string[]): Promise<SealedSecret[]>;
  /** The scopes of all names that have one, also of secrets that are kept elsewhere. */
  listScopes(): Promise<NamedScope[]>;
  /** @returns the secret, or nothing when its scope is not what was expected; then nothing is written */
  put(secret: ScopedSecret, at: string): Promise<SecretSummary | undefined>;
  /** Gives names their scopes, and leaves values alone. */
  putScopes(scopes: readonly NamedScope[]): Promise<void>;
  /** Gives a secret that is there another scope. @returns whether it had the one that was expected */
  changeScope(scope: NamedScope, expected: SecretScope): Promise<boolean>;
  /** Which factories the names are bound to that settings use for factories which are not theirs to call. */
  listBoundNames(): Promise<BoundName[]>;
  /** Binds names for good: one that is bound stays with its factory. */
  bindNames(names: readonly BoundName[]): Promise<void>;
  /** @returns whether there was one of this scope */
  remove(name: string, expected: SecretScope): Promise<boolean>;
  findSealing(): Promise<Sealing | undefined>;
  /** Whether anything at all, a secret or a webhook's credential, is sealed with the present master key. */
  findWhetherAnythingIsSealed(): Promise<boolean>;
  /** @param replaces whether it takes the place of one that is there; otherwise the first one stays */
  saveSealing(sealing: Sealing, replaces: boolean): Promise<void>;
}

/** A secret becomes an environment variable of its own name; the pair has to fit the system's limit (contract, 8). */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const MAX_PAIR_BYTES = 131_071;
const MAX_NAME = 200;

/** @throws MillraceError `invalid_request` for a name that cannot be an environment variable */
export function checkSecretName(name: string): void {
  if (NAME.test(name) && name.length <= MAX_NAME) return;
  throw new MillraceError("invalid_request", `"${name.slice(0, MAX_NAME)}" is not a valid secret name.`, {
    remedy: "Use letters, digits and _, not starting with a digit, for example CI_WEBHOOK_SECRET.",
    extra: { field: "name" },
  });
}

/** @throws MillraceError `invalid_request` for a value that is empty or that no environment variable could hold */
export function checkSecretValue(name: string, value: string): void {
  const refuse = (why: string) => new MillraceError("invalid_request", why, { extra: { field: "value" } });
  if (value === "") throw refuse(`The value of ${name} is empty.`);
  if (value.includes("\0"))
    throw refuse(
      `The value of ${name} contains a NUL character, which environment variables cannot contain.`,
    );
  if (Buffer.byteLength(name) + 1 + Buffer.byteLength(value) > MAX_PAIR_BYTES) {
    throw refuse(
      `The value of ${name} is too long: name and value may have at most ${MAX_PAIR_BYTES - 1} bytes in total.`,
    );
  }
}
