import { MillraceError } from "../error.ts";

/** A team secret as it is listed: never with its value. */
export interface SecretSummary {
  name: string;
  created_at: string;
  updated_at: string;
}

/** A value at rest: opaque without the master key. */
export interface SealedSecret {
  name: string;
  sealed: Uint8Array;
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
  put(secret: SealedSecret, at: string): Promise<SecretSummary>;
  /** @returns whether there was one */
  remove(name: string): Promise<boolean>;
  findSealing(): Promise<Sealing | undefined>;
  /** Whether anything at all, a secret or a webhook's credential, is sealed with the present master key. */
  findWhetherAnythingIsSealed(): Promise<boolean>;
  saveSealing(sealing: Sealing): Promise<void>;
}

/** A secret becomes an environment variable of its own name; the pair has to fit the system's limit (contract, 8). */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const LONGEST_PAIR_BYTES = 131_071;
const LONGEST_NAME = 200;

/** @throws MillraceError `invalid_request` for a name that cannot be an environment variable */
export function checkSecretName(name: string): void {
  if (NAME.test(name) && name.length <= LONGEST_NAME) return;
  throw new MillraceError("invalid_request", `"${name.slice(0, LONGEST_NAME)}" cannot name a secret.`, {
    remedy: "Use letters, digits and _, and do not start with a digit, for example CI_WEBHOOK_SECRET.",
    extra: { field: "name" },
  });
}

/** @throws MillraceError `invalid_request` for a value that is empty or that no environment variable could hold */
export function checkSecretValue(name: string, value: string): void {
  const refuse = (why: string) => new MillraceError("invalid_request", why, { extra: { field: "value" } });
  if (value === "") throw refuse(`The value of ${name} is empty.`);
  if (value.includes("\0"))
    throw refuse(`The value of ${name} holds a NUL character, which no environment can carry.`);
  if (Buffer.byteLength(name) + 1 + Buffer.byteLength(value) > LONGEST_PAIR_BYTES) {
    throw refuse(
      `The value of ${name} is too long: name and value may have ${LONGEST_PAIR_BYTES - 1} bytes together.`,
    );
  }
}
