import { codeHostOf } from "../code-hosts.ts";
import type { Config } from "../config/config.ts";
import { serverSecretsOf } from "../config/server-secrets.ts";
import type { RepositoryReference } from "../definitions/definition.ts";
import { errorMessage } from "../error.ts";
import { HostError } from "../forge/code-host.ts";
import { settingsForges } from "../forges.ts";
import type { GitAccess } from "../git/git-environment.ts";
import { SourceError } from "../git/revision.ts";
import { tryRemote } from "../git/try-remote.ts";
import type { FactoryRecord } from "../reconcile/factory.ts";
import { openSealer } from "../secrets/master-key.ts";
import { createVault, type Vault } from "../secrets/vault.ts";
import { type RemoteSource, remoteSources } from "../sources.ts";
import type { Store } from "../store/store.ts";
import { type Finding, ok, problem, warning } from "./finding.ts";

const ANSWER_WITHIN_MS = 20_000;

const NEW_CREDENTIAL =
  "Make a credential at the host that may read it, and put it where the settings say; a running server takes it at once. `millrace doctor` has to have the environment of the server.";
const WAY_THERE =
  "See whether the server's machine reaches the host; docs/deploying.md has what proxies and authorities of one's own need.";

type Ports = Pick<Store, "factories" | "secrets" | "environments">;

/**
 * Asks the host of every source, forge and GitHub repository of the settings with the credential that the server has for it.
 * @param store nothing before the first start
 */
export async function examineCredentials(
  config: Config,
  records: readonly FactoryRecord[],
  store: Ports | undefined,
  now: Date,
): Promise<Finding[]> {
  const parts = { config, vault: await openVault(config, store, now), env: process.env };
  const sources = remoteSources(records, parts);
  const forges = settingsForges(parts);
  const named = store && forges.isConfigured ? await namedRepositories(records, store) : [];
  const located = new Map(
    named.flatMap((repository) => {
      const found = forges.locate(repository);
      return "missing" in found ? [] : [[found.forge, found] as const];
    }),
  );
  return Promise.all([
    ...sources.map(({ url, access }) =>
      tried(`source ${url}`, url, () => askGit(url, access, "credentials: or MILLRACE_GIT_TOKEN")),
    ),
    ...sources.flatMap(({ github, branch }) =>
      github ? [tried(`github ${github.repository}`, "GitHub", () => askGithub(github, branch, parts))] : [],
    ),
    ...Object.keys(config.forges).map(async (name) => {
      const found = located.get(name);
      if (!found) return ok(`forge ${name}`, "not asked: no definition names a repository of it");
      return tried(`forge ${name}`, found.url, () => askGit(found.url, found.access, found.tokenIn));
    }),
  ]);
}

/** Secrets of the store can be read where something is sealed and its key is there; no key is made for it. */
async function openVault(config: Config, store: Ports | undefined, now: Date): Promise<Pick<Vault, "open">> {
  const secrets = store?.secrets;
  if (!secrets || !(await secrets.findWhetherAnythingIsSealed())) return { open: async () => new Map() };
  const sealer = await openSealer(config, { ...secrets, saveSealing: async () => {} });
  const ofServer = serverSecretsOf(config);
  const outside = config.secrets;
  return createVault({ store: secrets, sealer, outside, ofServer, env: process.env, now: () => now });
}

/** The repositories that runs may need, of definitions and of environments. */
async function namedRepositories(
  records: readonly FactoryRecord[],
  { factories, environments }: Ports,
): Promise<RepositoryReference[]> {
  const resources = (await Promise.all(records.map(({ uid }) => factories.listResources(uid)))).flat();
  const bodies = resources.filter(({ deleted }) => !deleted).map(({ body }) => JSON.parse(body));
  const named = bodies.flatMap(({ repositories }) => (Array.isArray(repositories) ? repositories : []));
  return [...named, ...(await environments.list()).flatMap(({ config }) => config.repositories)];
}

/** @returns what there is to say of a host that answers */
async function askGit(url: string, access: GitAccess, tokenIn: string): Promise<string> {
  const asked = { tokenIn, isRepeated: false, timeLimitMs: ANSWER_WITHIN_MS };
  await tryRemote(url, access, asked);
  const hasToken = /^https?:/.test(url) && (await access.token?.()) !== undefined;
  if (!hasToken) return `${url} answers`;
  const { token: _, ...without } = access;
  const isOpen = await tryRemote(url, without, asked).then(
    () => true,
    () => false,
  );
  return isOpen
    ? `${url} answers everybody, so that nothing is known of the token`
    : `${url} takes the token`;
}

async function askGithub(
  github: NonNullable<RemoteSource["github"]>,
  branch: string,
  parts: Omit<Parameters<typeof codeHostOf>[1], "signal">,
): Promise<string> {
  const host = codeHostOf(github, { ...parts, signal: new AbortController().signal });
  await host.listPullRequests(branch);
  return `GitHub takes the ${github.app ? "app" : "token"}, which reads the pull requests of ${github.repository}`;
}

async function tried(check: string, host: string, ask: () => Promise<string>): Promise<Finding> {
  try {
    return ok(check, await ask());
  } catch (error) {
    const isRefused =
      (error instanceof HostError && error.kind === "refused") ||
      (error instanceof SourceError && error.code === "GIT_AUTHENTICATION_FAILED");
    if (isRefused) return problem(check, errorMessage(error), NEW_CREDENTIAL);
    const isOfHost = error instanceof HostError || error instanceof SourceError;
    return warning(
      check,
      isOfHost ? errorMessage(error) : `${host} was not asked: ${errorMessage(error)}`,
      WAY_THERE,
    );
  }
}
