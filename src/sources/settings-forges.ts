import { resolve } from "node:path";
import type { Config, ForgeSetting } from "../config/config.ts";
import { MillraceError } from "../errors/error.ts";
import { createForges, type Forge, type RepositoryName, type ServerForges } from "../forge/forge.ts";
import type { GitAccess } from "../git/git-environment.ts";
import { isReadableUrl, refuseCredentials } from "../git/source-location.ts";
import { placeOfForge } from "../secrets/setting-scopes.ts";
import { readSecretSource, type Vault } from "../secrets/vault.ts";
import { apiUrl, readOrThrow } from "./github-forges.ts";
import type { SettingAccess } from "./setting-scopes.ts";

export interface ForgeDeps {
  config: Pick<Config, "forges" | "gitSshKeyFile" | "gitKnownHostsFile">;
  vault: Pick<Vault, "open">;
  env: Record<string, string | undefined>;
}

/**
 * The forges of the settings, for the factories that may use them. A token is read at every fetch, so that a rotated one
 * needs no restart; over ssh the key of the settings opens them.
 * @param access says which of them are for whom
 * @throws MillraceError `invalid_request` for a base URL with a password in it, or that git is not to be given
 */
export function settingsForges(deps: ForgeDeps, access: SettingAccess): ServerForges<GitAccess> {
  const all = Object.entries(deps.config.forges).map(([name, setting]) => forgeOf(name, setting, deps));
  return {
    isConfigured: all.length > 0,
    async of(factoryUid) {
      const usable = await access.usableBy(factoryUid);
      const isUsable = ({ name }: { name: string }) => usable.has(placeOfForge(name));
      const others = all.filter((forge) => !isUsable(forge)).map(({ name }) => name);
      return createForges(all.filter(isUsable), howToUse(others, factoryUid));
    },
  };
}

/** Names all of them, whosever repositories they have: which owners a forge lists is no one's business but those who may use it. */
function howToUse(forges: readonly string[], factoryUid: string | null): string | undefined {
  if (forges.length === 0) return undefined;
  const scope = factoryUid === null ? "shared: true" : `factories: [${factoryUid}]`;
  const whose = factoryUid === null ? "runs without a factory" : "this factory";
  return `this server has forges that ${whose} may not use (${forges.join(", ")}). Add ${scope} to the right one under forges: in millrace.yaml`;
}

function forgeOf(
  name: string,
  { baseUrl, token, owners, app, api }: ForgeSetting,
  { config: { gitSshKeyFile, gitKnownHostsFile }, vault, env }: ForgeDeps,
): Forge<GitAccess> {
  refuseBaseUrl(name, baseUrl);
  if (app && api === undefined) refuseUnknownApi(name, baseUrl);
  const apiOfApp = app && apiUrl(api, `forges.${name}.api`);
  return {
    name,
    baseUrl: baseUrl.replace(/\/+$/, ""),
    ...(owners ? { owners } : {}),
    ...(app && apiOfApp
      ? {
          async push(repository: RepositoryName, signal: AbortSignal) {
            const privateKey = await readOrThrow(app.privateKey, { vault, env });
            // Few servers have an app: the others start without loading what asks GitHub.
            const { pushToken } = await import("../forge/github/api.ts");
            return pushToken({ baseUrl: apiOfApp, repository, app: { ...app, privateKey }, signal });
          },
        }
      : {}),
    access: {
      async token() {
        return token && readSecretSource(token, { vault, env });
      },
      ...(gitSshKeyFile === undefined ? {} : { sshKeyFile: resolve(gitSshKeyFile) }),
      ...(gitKnownHostsFile === undefined ? {} : { knownHostsFile: resolve(gitKnownHostsFile) }),
    },
  };
}

/** The key of an app is for the host that made it, and a token of another host opens nothing here. */
function refuseUnknownApi(name: string, url: string): void {
  const host = URL.canParse(url) ? new URL(url).hostname : /^(?:[^@/]+@)?([^:/]+):/.exec(url)?.[1];
  if (host === "github.com" || host === "ssh.github.com") return;
  throw new MillraceError(
    "invalid_request",
    `forges.${name}.app requires forges.${name}.api: its baseUrl is not github.com, so the URL for requesting tokens is unknown.`,
    { remedy: `Add forges.${name}.api: https://${host || "HOST"}/api/v3, as used by GitHub Enterprise.` },
  );
}

function refuseBaseUrl(name: string, url: string): void {
  refuseCredentials(url);
  if (isReadableUrl(url)) return;
  throw new MillraceError(
    "invalid_request",
    `forges.${name}.baseUrl "${url}" is not a URL that git can read.`,
    {
      remedy:
        "Set it to the start of a URL, such as https://github.com or ssh://git@git.example.com, or to an absolute path.",
    },
  );
}
