import type { Config } from "../../config/config.ts";
import { serverSecretsOf } from "../../config/server-secrets.ts";
import type { RepositoryReference } from "../../definitions/definition.ts";
import { errorMessage } from "../../errors/error.ts";
import type { Located, ServerForges } from "../../forge/forge.ts";
import { ForgeError } from "../../forge/repository-forge.ts";
import type { GitAccess } from "../../git/git-environment.ts";
import { tryRemote } from "../../git/repository.ts";
import { SourceError } from "../../git/revision.ts";
import type { FactoryRecord } from "../../reconcile/factory.ts";
import { openSealer } from "../../secrets/master-key.ts";
import { placeOfForge } from "../../secrets/setting-scopes.ts";
import { createVault, type Vault } from "../../secrets/vault.ts";
import { type RemoteSource, remoteSources } from "../../sources/factory-sources.ts";
import { githubForgeOf } from "../../sources/github-forges.ts";
import { settingAccess } from "../../sources/setting-scopes.ts";
import { settingsForges } from "../../sources/settings-forges.ts";
import type { Store } from "../../store/store.ts";
import { type DoctorFinding, ok, problem, warning } from "./finding.ts";

const ANSWER_WITHIN_MS = 20_000;

const NEW_CREDENTIAL =
  "Create a credential with read access at the host, and store it where the settings expect it; a running server uses it immediately. Run `millrace doctor` with the same environment as the server.";
/** Before the first start no one has written any down. */
const NO_SCOPES = { list: async () => [] };
const WAY_THERE =
  "Check that the server's machine can reach the host. docs/deploying.md describes the settings for proxies and private certificate authorities.";

type Ports = Pick<Store, "factories" | "secrets" | "environments" | "settingScopes">;

/**
 * Asks the host of every source, forge and GitHub repository of the settings with the credential that the server has for it.
 * @param store nothing before the first start
 */
export async function examineCredentials(
  config: Config,
  records: readonly FactoryRecord[],
  store: Ports | undefined,
  now: Date,
): Promise<DoctorFinding[]> {
  const deps = { config, vault: await openVault(config, store, now), env: process.env };
  const sources = remoteSources(records, deps);
  const access = settingAccess(config, store?.settingScopes ?? NO_SCOPES);
  const forges = settingsForges(deps, access);
  const located = await locatedRepositories(records, store, forges);
  const usable = new Set<string>();
  for (const { uid } of records) for (const place of await access.usableBy(uid)) usable.add(place);
  return Promise.all([
    ...sources.map(({ url, access }) =>
      tried(`source ${url}`, url, () => askGit(url, access, "credentials: or MILLRACE_GIT_TOKEN")),
    ),
    ...sources.flatMap(({ github, branch }) =>
      github ? [tried(`github ${github.repository}`, "GitHub", () => askGithub(github, branch, deps))] : [],
    ),
    ...Object.entries(config.forges).map(async ([name, { factories }]) => {
      const found = located.get(name);
      if (records.length > 0 && !usable.has(placeOfForge(name))) return forNobody(name, factories);
      if (!found) return ok(`forge ${name}`, "not checked: no definition refers to a repository on it");
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

/** Of each forge a repository that runs may need, of definitions and of environments, through the forges of whose runs they are. */
async function locatedRepositories(
  records: readonly FactoryRecord[],
  store: Ports | undefined,
  forges: ServerForges<GitAccess>,
): Promise<Map<string, Located<GitAccess>>> {
  const located = new Map<string, Located<GitAccess>>();
  if (!store) return located;
  const ofEnvironments = (await store.environments.list()).flatMap(({ config }) => config.repositories);
  const look = async (factoryUid: string | null, repositories: readonly RepositoryReference[]) => {
    const { locate } = await forges.of(factoryUid);
    for (const found of [...repositories, ...ofEnvironments].map(locate))
      if (!("missing" in found)) located.set(found.forge, found);
  };
  for (const { uid } of records) {
    const live = (await store.factories.listResources(uid)).filter(({ deleted }) => !deleted);
    const named = live.map(({ body }) => JSON.parse(body).repositories);
    await look(
      uid,
      named.flatMap((each) => (Array.isArray(each) ? each : [])),
    );
  }
  await look(null, []);
  return located;
}

/** @param factories which may use it, as the settings name them; nothing where they name none */
function forNobody(name: string, factories: readonly string[] | undefined): DoctorFinding {
  const message = "No factory was allowed to use it when the server last started";
  const isNamed = factories !== undefined && factories.length > 0;
  return warning(
    `forge ${name}`,
    isNamed ? `${message}; unknown factories: ${factories.join(", ")}.` : `${message}.`,
    isNamed
      ? `Set forges.${name}.factories in millrace.yaml to names or UIDs of existing factories (\`millrace factories list\`), and restart the server.`
      : `Add factories: [NAME] or shared: true to forges.${name} in millrace.yaml, and restart the server.`,
  );
}

/** @returns what there is to say of a host that answers */
async function askGit(url: string, access: GitAccess, tokenIn: string): Promise<string> {
  const asked = { tokenIn, isRepeated: false, timeLimitMs: ANSWER_WITHIN_MS };
  await tryRemote(url, access, asked);
  const hasToken = /^https?:/.test(url) && (await access.token?.()) !== undefined;
  if (!hasToken) return `${url} responds`;
  const { token: _, ...without } = access;
  const isOpen = await tryRemote(url, without, asked).then(
    () => true,
    () => false,
  );
  return isOpen
    ? `${url} allows anonymous access, so the token could not be checked`
    : `${url} accepts the token`;
}

async function askGithub(
  github: NonNullable<RemoteSource["github"]>,
  branch: string,
  deps: Omit<Parameters<typeof githubForgeOf>[1], "signal">,
): Promise<string> {
  const forge = githubForgeOf(github, { ...deps, signal: new AbortController().signal });
  await forge.listPullRequests(branch);
  return `GitHub accepts the ${github.app ? "app" : "token"}, which can read the pull requests of ${github.repository}`;
}

async function tried(check: string, host: string, ask: () => Promise<string>): Promise<DoctorFinding> {
  try {
    return ok(check, await ask());
  } catch (error) {
    const isRefused =
      (error instanceof ForgeError && error.kind === "refused") ||
      (error instanceof SourceError && error.code === "GIT_AUTHENTICATION_FAILED");
    if (isRefused) return problem(check, errorMessage(error), NEW_CREDENTIAL);
    const isOfForge = error instanceof ForgeError || error instanceof SourceError;
    return warning(
      check,
      isOfForge ? errorMessage(error) : `could not check ${host}: ${errorMessage(error)}`,
      WAY_THERE,
    );
  }
}
