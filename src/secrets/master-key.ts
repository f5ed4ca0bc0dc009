import { randomBytes, scrypt } from "node:crypto";
import { open, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Config } from "../config/config.ts";
import { postgresUrl } from "../config/database-url.ts";
import { MillraceError, systemCode } from "../errors/error.ts";
import { createSealer, KEY_BYTES, type Sealer } from "./seal.ts";
import type { SecretStore } from "./secret.ts";

const CHECK_TEXT = "millrace";
const CHECK_CONTEXT = "master-key-check";
const SALT_BYTES = 16;
const SCRYPT_COST = { N: 16_384, r: 8, p: 1 } as const;

const derive = promisify<string, Uint8Array, number, typeof SCRYPT_COST, Buffer>(scrypt);

type KeySettings = Pick<Config, "masterKey" | "masterKeyFile" | "dataDir" | "databaseUrl">;

/**
 * Finds the master key and proves it against what is sealed already.
 * @throws MillraceError `service_unavailable` when the key is wrong, or missing while something is sealed with it
 */
export async function openSealer(settings: KeySettings, store: SecretStore): Promise<Sealer> {
  const anythingSealed = await store.findWhetherAnythingIsSealed();
  // Another server may seal something with its key at any time: the first key stays.
  const isShared = postgresUrl(settings.databaseUrl) !== undefined;
  const text = (await findKeyText(settings, isShared)) ?? (await makeKeyFile(settings, anythingSealed));
  const sealing = await store.findSealing();
  const sealer = await sealerOf(text, sealing?.salt ?? randomBytes(SALT_BYTES));
  if (sealing && opensCheck(sealer, sealing.check)) return sealer;
  if (sealing && (anythingSealed || isShared)) throw otherKey(settings, isShared);
  await store.saveSealing({ salt: sealer.salt, check: sealer.seal(CHECK_TEXT, CHECK_CONTEXT) }, !isShared);
  if (!isShared) return sealer;
  // Of two servers that start at the same time, one was first.
  const first = await store.findSealing();
  const same = first && (await sealerOf(text, first.salt));
  if (first && same && opensCheck(same, first.check)) return same;
  throw otherKey(settings, isShared);
}

async function sealerOf(text: string, salt: Uint8Array): Promise<Sealer & { salt: Uint8Array }> {
  return { ...createSealer(await derive(text, salt, KEY_BYTES, SCRYPT_COST)), salt };
}

function otherKey(settings: KeySettings, isShared: boolean): MillraceError {
  const message = isShared
    ? "The database belongs to servers with a different master key."
    : "The stored secrets are sealed with a different master key.";
  return new MillraceError("service_unavailable", message, {
    remedy: `Start the server with the correct key (${whereKeysComeFrom(settings)}). Without it, the sealed values are lost.`,
  });
}

/**
 * Proves the master key against what is sealed already, and makes nothing.
 * @returns whether there is anything that it has to open
 * @throws MillraceError as `openSealer` does
 */
export async function proveMasterKey(settings: KeySettings, store: SecretStore): Promise<boolean> {
  if (!(await store.findWhetherAnythingIsSealed())) return false;
  await openSealer(settings, { ...store, saveSealing: async () => {} });
  return true;
}

async function findKeyText(settings: KeySettings, isShared: boolean): Promise<string | undefined> {
  if (settings.masterKey !== undefined) return settings.masterKey;
  if (settings.masterKeyFile !== undefined) {
    const text = await readKeyFile(settings.masterKeyFile);
    if (text !== undefined) return text;
    throw new MillraceError(
      "service_unavailable",
      `The master key file ${settings.masterKeyFile} does not exist.`,
    );
  }
  if (isShared) {
    throw new MillraceError(
      "service_unavailable",
      "With a database of PostgreSQL, the master key has to be set: all servers need the same one.",
      {
        remedy: `Create a key with \`openssl rand -base64 ${KEY_BYTES}\`, and set MILLRACE_MASTER_KEY or MILLRACE_MASTER_KEY_FILE for every server.`,
      },
    );
  }
  return readKeyFile(keyFile(settings));
}

async function readKeyFile(path: string): Promise<string | undefined> {
  try {
    const text = (await readFile(path, "utf8")).trim();
    if (text !== "") return text;
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
  throw new MillraceError("service_unavailable", `The master key file ${path} is empty.`);
}

async function makeKeyFile(settings: KeySettings, anythingSealed: boolean): Promise<string> {
  if (anythingSealed) {
    throw new MillraceError(
      "service_unavailable",
      "The master key is missing, but stored secrets are sealed with it.",
      {
        remedy: `Restore the key (${whereKeysComeFrom(settings)}). Without it, the sealed values are lost.`,
      },
    );
  }
  const text = randomBytes(KEY_BYTES).toString("base64");
  await writeToDisk(keyFile(settings), `${text}\n`);
  return text;
}

/** Whole and on the disk, file and name, before anything is sealed that only this key opens. */
async function writeToDisk(path: string, text: string): Promise<void> {
  const draft = `${path}.new`;
  await writeFile(draft, text, { mode: 0o600, flush: true });
  await rename(draft, path);
  const folder = await open(dirname(path), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function opensCheck(sealer: Sealer, check: Uint8Array): boolean {
  try {
    return sealer.open(check, CHECK_CONTEXT) === CHECK_TEXT;
  } catch {
    return false;
  }
}

function keyFile(settings: KeySettings): string {
  return join(settings.dataDir, "master.key");
}

function whereKeysComeFrom(settings: KeySettings): string {
  return `MILLRACE_MASTER_KEY, MILLRACE_MASTER_KEY_FILE or ${keyFile(settings)}`;
}
