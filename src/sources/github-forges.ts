import type { Config, ExternalPlace, FactorySetting, GithubSetting } from "../config/config.ts";
import { staysOnThisMachine } from "../config/loopback.ts";
import { baseUrl } from "../config/values.ts";
import { MillraceError } from "../errors/error.ts";
import type { GithubCredential } from "../forge/github/credential.ts";
import { githubForge } from "../forge/github/github.ts";
import { ForgeError, type RepositoryForge } from "../forge/repository-forge.ts";
import { readSecretSource, type Vault } from "../secrets/vault.ts";

export interface GithubForgeDeps {
  config: Pick<Config, "publicUrl">;
  vault: Pick<Vault, "open">;
  env: Record<string, string | undefined>;
  signal: AbortSignal;
}

type SecretSource = ExternalPlace | { secret: string };

const GITHUB_API = "https://api.github.com";
const CHECK_NAME = "millrace/factory-config";

/**
 * The forge that the settings of a factory name. Credentials are read at every use, so that new ones need no restart.
 * @throws MillraceError `invalid_request` for an API that a credential must not be sent to
 */
export function githubForgeOf(setting: GithubSetting, deps: GithubForgeDeps): RepositoryForge {
  const [owner = "", repo = ""] = setting.repository.split("/");
  const { publicUrl } = deps.config;
  return githubForge({
    baseUrl: apiUrl(setting.api),
    repository: { owner, repo },
    credential: () => readCredential(setting, deps),
    checkName: setting.check ?? CHECK_NAME,
    detailsUrl: publicUrl === undefined ? undefined : `${publicUrl}/`,
    signal: deps.signal,
  });
}

/** Where the credentials of a forge are kept. */
export function placesOfForge(setting: GithubSetting | undefined): (SecretSource | undefined)[] {
  return [setting?.token, setting?.app?.privateKey];
}

/** @throws MillraceError `invalid_request`: a folder has no pull requests */
export function refuseForgeOfFolder({ source, github }: FactorySetting): void {
  if (!github) return;
  throw new MillraceError(
    "invalid_request",
    `The folder ${source} has a github: setting, but a folder has no pull requests.`,
    {
      remedy: "Set the repository as the source, or remove github:.",
    },
  );
}

/** @throws MillraceError `invalid_request` when the check of one factory would hide that of another */
export function refuseSharedChecks(specs: readonly { forge?: RepositoryForge }[]): void {
  const keys = specs.flatMap(({ forge }) => forge?.key ?? []);
  if (new Set(keys).size === keys.length) return;
  throw new MillraceError(
    "invalid_request",
    "Two factories of one GitHub repository have checks with the same name, so one would overwrite the other.",
    { remedy: "Set a different name for each: github: { check: millrace/NAME }." },
  );
}

async function readCredential(setting: GithubSetting, deps: GithubForgeDeps): Promise<GithubCredential> {
  if (setting.app) {
    const { id, privateKey, installation } = setting.app;
    return { app: { id, privateKey: await readOrThrow(privateKey, deps), installation } };
  }
  if (!setting.token) throw new Error("github: has neither a token nor an app");
  return { token: await readOrThrow(setting.token, deps) };
}

/** Reads a credential for GitHub. @throws ForgeError that names where it should be */
export async function readOrThrow(
  place: SecretSource,
  deps: Pick<GithubForgeDeps, "vault" | "env">,
): Promise<string> {
  const value = await readSecretSource(place, deps);
  if (value) return value;
  const [[kind, name] = []] = Object.entries(place);
  throw new ForgeError(
    "refused",
    `The credential for GitHub was not found: ${kind} ${name}, as set in millrace.yaml.`,
  );
}

/**
 * The base of GitHub's API as the settings have it.
 * @param at where they have it
 * @throws MillraceError `invalid_request` for one that a credential must not be sent to
 */
export function apiUrl(written: string = GITHUB_API, at = "github.api"): string {
  const refuse = (why: string) =>
    new MillraceError("invalid_request", `${at} in millrace.yaml: ${why}.`, {
      remedy: "Set it to https://api.github.com or https://HOST/api/v3.",
    });
  let url: string;
  try {
    url = baseUrl(written);
  } catch (error) {
    throw refuse((error as Error).message);
  }
  if (!url.startsWith("https:") && !staysOnThisMachine(url)) {
    throw refuse("credentials are sent only over https");
  }
  return url;
}
