import { MillraceError, setSecret } from "../../errors/error.ts";
import type { SecretReader } from "../../secrets/rules/scope.ts";
import type { Vault } from "../../secrets/vault.ts";
import type { Machine } from "./assignment.ts";

/** The credential with which an engine pulls an image. */
export interface RegistryCredential {
  /** What stands under `auths` in docker's settings. */
  auths: Auths;
  /** What of it must not be shown. */
  hidden: readonly string[];
}

type Auths = Record<string, unknown>;

/**
 * Opens the credential that a runner names.
 * @throws MillraceError `environment_setup_failed` for one that is not there or that cannot be read
 */
export async function openRegistryCredential(
  { registrySecret }: Machine,
  {
    vault,
    reader,
    factoryName,
  }: { vault: Pick<Vault, "open">; reader: SecretReader; factoryName: string | undefined },
): Promise<RegistryCredential | undefined> {
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
  return { auths, hidden: [value, ...textsIn(auths)] };
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
