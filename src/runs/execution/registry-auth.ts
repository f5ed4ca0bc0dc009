import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { MillraceError } from "../../errors/error.ts";
import { setSecret } from "../../errors/in-shell.ts";
import type { SecretReader } from "../../secrets/rules/scope.ts";
import type { Vault } from "../../secrets/vault.ts";
import type { Machine } from "../sandbox/sandbox.ts";

/** The credential with which an engine pulls the image of one turn. */
export interface RegistryAuth {
  /** The folder with the file, for `RunProgram.registryAuth`. */
  folder: string;
  /** What of it must not be shown. */
  hidden: readonly string[];
  /** Removes the file. */
  remove(): Promise<void>;
}

/** The name that docker looks for in a folder of its settings. */
export const AUTH_FILE = "config.json";

type Auths = Record<string, unknown>;

/**
 * Writes the credential that a runner names into a file of its own, for this user alone, which is how engines take one
 * that shall stand in no argument and no variable.
 * @param folder where the files of all turns are
 * @throws MillraceError `environment_setup_failed` for one that is not there or that cannot be read
 */
export async function writeRegistryAuth(
  { registrySecret }: Machine,
  {
    vault,
    reader,
    folder,
    runId,
    factoryName,
  }: {
    vault: Pick<Vault, "open">;
    reader: SecretReader;
    folder: string;
    runId: string;
    factoryName: string | undefined;
  },
): Promise<RegistryAuth | undefined> {
  if (registrySecret === undefined) return undefined;
  const value = (await vault.open([registrySecret], reader)).get(registrySecret);
  if (value === undefined) {
    throw new MillraceError(
      "environment_setup_failed",
      `The image cannot be pulled: no secret ${registrySecret} is available to the factory's runners`,
      { remedy: `Set it with \`${setSecret(registrySecret, factoryName)}\`.` },
    );
  }
  const auths = readCredential(registrySecret, value);
  const own = join(folder, runId);
  const remove = () => rm(own, { recursive: true, force: true });
  try {
    await mkdir(own, { recursive: true, mode: 0o700 });
    await writeFile(join(own, AUTH_FILE), JSON.stringify({ auths }), { mode: 0o600 });
  } catch (error) {
    await remove();
    throw error;
  }
  return { folder: own, hidden: [value, ...textsIn(auths)], remove };
}

/** Removes what a server left that was ended in the middle of a turn. */
export async function removeRegistryAuths(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
}

function readCredential(name: string, value: string): Auths {
  const said = parse(value);
  if (isMapping(said) && isMapping(said.auths)) return said.auths;
  if (isMapping(said) && [said.host, said.user, said.password].every(isText)) {
    return { [String(said.host)]: { auth: Buffer.from(`${said.user}:${said.password}`).toString("base64") } };
  }
  throw new MillraceError(
    "environment_setup_failed",
    `The image cannot be pulled: the secret ${name} is not a registry credential`,
    {
      remedy:
        'Set it to JSON in the form {"host": "registry.example.com", "user": "…", "password": "…"}, or to the JSON that ' +
        '`docker login` writes ({"auths": {…}}).',
    },
  );
}

function parse(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    return undefined;
  }
}

/** The passwords and what engines make of them. */
function textsIn(value: unknown): string[] {
  if (isText(value)) return [value, ...passwordOf(value)];
  return isMapping(value) ? Object.values(value).flatMap(textsIn) : [];
}

/** Of `user:password` in base64. */
function passwordOf(auth: string): string[] {
  const decoded = Buffer.from(auth, "base64").toString();
  const colon = decoded.indexOf(":");
  return colon < 0 || !/^[A-Za-z0-9+/]+=*$/.test(auth) ? [] : [decoded.slice(colon + 1)].filter(Boolean);
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
const isMapping = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
