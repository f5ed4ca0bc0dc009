import { resolve } from "node:path";
import { apiUrl, readOrThrow } from "./code-hosts.ts";
import type { Config } from "./config/config.ts";
import { MillraceError } from "./error.ts";
import { createForges, type Forges, type RepositoryName } from "./forge/forge.ts";
import { pushToken } from "./forge/github/push-token.ts";
import type { GitAccess } from "./git/git-environment.ts";
import { isReadableUrl, refuseCredentials } from "./git/source-location.ts";
import { readPlace, type Vault } from "./secrets/vault.ts";

export interface ForgeParts {
  config: Pick<Config, "forges" | "gitSshKeyFile" | "gitKnownHostsFile">;
  vault: Pick<Vault, "open">;
  env: Record<string, string | undefined>;
}

/**
 * The forges of the settings. A token is read at every fetch, so that a rotated one needs no restart; over ssh the key of
 * the settings opens them.
 * @throws MillraceError `invalid_request` for a base URL with a password in it, or that git is not to be given
 */
export function settingsForges({ config, vault, env }: ForgeParts): Forges<GitAccess> {
  const { gitSshKeyFile, gitKnownHostsFile } = config;
  return createForges(
    Object.entries(config.forges).map(([name, { baseUrl, token, owners, app, api }]) => {
      refuseBaseUrl(name, baseUrl);
      const apiOfApp = app && apiUrl(api, `forges.${name}.api`);
      return {
        name,
        baseUrl: baseUrl.replace(/\/+$/, ""),
        ...(owners ? { owners } : {}),
        ...(app && apiOfApp
          ? {
              async push(repository: RepositoryName, signal: AbortSignal) {
                const privateKey = await readOrThrow(app.privateKey, { vault, env });
                return pushToken({ baseUrl: apiOfApp, repository, app: { ...app, privateKey }, signal });
              },
            }
          : {}),
        access: {
          async token() {
            return token && readPlace(token, { vault, env });
          },
          ...(gitSshKeyFile === undefined ? {} : { sshKeyFile: resolve(gitSshKeyFile) }),
          ...(gitKnownHostsFile === undefined ? {} : { knownHostsFile: resolve(gitKnownHostsFile) }),
        },
      };
    }),
  );
}

function refuseBaseUrl(name: string, url: string): void {
  refuseCredentials(url);
  if (isReadableUrl(url)) return;
  throw new MillraceError("invalid_request", `forges.${name}.baseUrl "${url}" is no URL that git reads.`, {
    remedy:
      "Give the start of a URL, such as https://github.com or ssh://git@git.example.com, or an absolute path.",
  });
}
