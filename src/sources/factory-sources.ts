import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config, FactorySetting, GithubSetting } from "../config/config.ts";
import { postgresUrl } from "../config/database-url.ts";
import { duration } from "../config/values.ts";
import { MillraceError } from "../errors/error.ts";
import { folderSource, ignoredPathsOf, realPath } from "../git/folder.ts";
import type { GitAccess } from "../git/git-environment.ts";
import { repositorySource } from "../git/repository.ts";
import { locateSource, refuseCredentials, type SourceLocation, sourceName } from "../git/source-location.ts";
import { watchFolder } from "../git/watch.ts";
import type { FactoryRecord, FactorySpec } from "../reconcile/factory.ts";
import { readSecretSource, type Vault } from "../secrets/vault.ts";
import { type DataFolder, databaseFiles } from "../store/data-folder.ts";
import { githubForgeOf, placesOfForge, refuseForgeOfFolder, refuseSharedChecks } from "./github-forges.ts";
import { type ManagedDeps, managedSpec, specOf } from "./managed-sources.ts";

export interface SourceDeps extends Pick<ManagedDeps, "objects" | "log"> {
  config: Config;
  data: Pick<DataFolder, "git" | "factories">;
  vault: Pick<Vault, "open">;
  env: Record<string, string | undefined>;
  /** Ends what asks a remote when the server stops. */
  signal: AbortSignal;
  now: () => Date;
}

/** What serves when no one has said anything. */
const FIRST_FACTORY = "default";

/**
 * The factories to serve: those named on the command line, else those of the settings, else those that the data folder
 * knows from before, else a new one that millrace keeps. Those that it keeps are always among them.
 * @throws MillraceError `invalid_request` when two are the same
 */
export function factorySpecs(
  named: readonly string[],
  known: readonly FactoryRecord[],
  deps: SourceDeps,
): FactorySpec[] {
  const settings = named.length > 0 ? named.map((source) => ({ source })) : deps.config.factories;
  const managed = known.filter(({ mode }) => mode === "managed");
  const elsewhere = known.filter(({ mode }) => mode !== "managed");
  const chosen = settings.length > 0 ? settings : elsewhere.map(settingOf);
  const isNamedNow = settings.length > 0;
  const specs = chosen.map((setting): FactorySpec => {
    const spec =
      "managed" in setting
        ? managedSpec(setting.managed, known, deps)
        : factorySpec(setting, locate(setting.source, elsewhere), deps);
    return { ...spec, isNamed: isNamedNow };
  });
  const isNamed = ({ uid, sourceKey }: FactoryRecord) =>
    specs.some((spec) => spec.sourceKey === sourceKey || spec.uid === uid);
  for (const record of managed) if (!isNamed(record)) specs.push(specOf(record, deps));
  if (specs.length === 0) specs.push(managedSpec(FIRST_FACTORY, known, deps));
  const keys = new Set(specs.map((spec) => spec.sourceKey));
  // Two names of the settings may lead to one factory: what they have called it, and what it is called now.
  const uids = specs.flatMap(({ uid }) => uid ?? []);
  if (keys.size < specs.length || new Set(uids).size < uids.length) {
    throw new MillraceError("invalid_request", "The same source is specified more than once.", {
      remedy: "Specify each source once.",
    });
  }
  refuseSharedChecks(specs);
  return specs;
}

function settingOf({ source }: FactoryRecord): FactorySetting {
  return "url" in source
    ? { source: source.url, branch: source.branch, path: source.path }
    : // That folder is the one with the definition.
      { source: source.path, path: "." };
}

/** A repository elsewhere that the server follows, and what opens it. */
export interface RemoteSource {
  url: string;
  branch: string;
  access: GitAccess;
  github?: GithubSetting;
}

/** The sources that are repositories, for who wants to ask their hosts without serving them. */
export function remoteSources(
  known: readonly FactoryRecord[],
  deps: Pick<SourceDeps, "config" | "vault" | "env">,
): RemoteSource[] {
  const { config } = deps;
  const elsewhere = known.filter(({ mode }) => mode !== "managed");
  const settings = config.factories.length > 0 ? config.factories : elsewhere.map(settingOf);
  return settings.flatMap((setting) => {
    const location = "managed" in setting ? undefined : locate(setting.source, elsewhere);
    if ("managed" in setting || location?.kind !== "repository") return [];
    const { branch = config.branch, github } = setting;
    const access = gitAccess(setting, deps);
    return [{ url: location.url, branch, access, ...(github ? { github } : {}) }];
  });
}

/** A source that is known from before is what it was then, also while it cannot be reached. */
function locate(source: string, known: readonly FactoryRecord[]): SourceLocation {
  const place = source.replace(/^git:(?!\/\/)/, "");
  const same = (path: string) => path === source || path === resolve(place);
  for (const { source: before } of known) {
    if ("url" in before && same(before.url)) {
      refuseCredentials(before.url);
      return { kind: "repository", url: before.url };
    }
    if (!("url" in before) && same(before.path)) return { kind: "folder", path: before.path };
  }
  return locateSource(source);
}

function factorySpec(setting: FactorySetting, location: SourceLocation, deps: SourceDeps): FactorySpec {
  const { config, data, signal } = deps;
  const name = sourceName(location);
  const handedOver = setting.goesOnWith === undefined ? {} : { goesOnWith: setting.goesOnWith };
  if (location.kind === "folder") {
    refuseForgeOfFolder(setting);
    const path = join(location.path, setting.path ?? config.path);
    if (existsSync(location.path) && !existsSync(path)) {
      throw new MillraceError("invalid_request", `The source ${location.path} has no folder ${path}.`, {
        remedy:
          "Set the definition's folder with --path, MILLRACE_PATH or `path` of the factory in millrace.yaml.",
      });
    }
    const isIgnored = ignoredPathsOf(path, ownPaths(path, config));
    return {
      sourceKey: `folder:${path}`,
      name,
      mode: "folder",
      description: { path },
      source: folderSource(path, isIgnored),
      secrets: [],
      pollMs: undefined,
      ...handedOver,
      watch: (listener) => watchFolder(path, { isIgnored, ...listener }),
    };
  }
  const { url } = location;
  const branch = setting.branch ?? config.branch;
  const path = setting.path ?? config.path;
  const named = [setting.credentials?.token, setting.hookSecret, ...placesOfForge(setting.github)];
  return {
    sourceKey: `git:${url}#${branch}:${path}`,
    name,
    mode: "repository",
    description: { url, branch, path },
    source: repositorySource({
      url,
      branch,
      path,
      access: gitAccess(setting, deps),
      gitFolder: data.git,
      mostBytes: config.mirrorLimit,
      signal,
    }),
    secrets: named.flatMap((place) => (place && "secret" in place ? [place.secret] : [])),
    hookSecret: () => hookSecretOf(setting, deps),
    ...(setting.github ? { forge: githubForgeOf(setting.github, deps) } : {}),
    pollMs: setting.poll === undefined ? config.pollInterval : duration(setting.poll),
    ...handedOver,
  };
}

/**
 * Where the server writes.
 * @throws MillraceError `invalid_request` when that is the folder of the definition itself
 */
function ownPaths(folder: string, { dataDir, databaseUrl }: Config): string[] {
  if (realPath(resolve(dataDir)) === realPath(folder)) {
    throw new MillraceError(
      "invalid_request",
      `The folder ${folder} cannot be both the definition and the data folder.`,
      { remedy: "Specify another data folder with --data-dir; it may be inside that folder." },
    );
  }
  const databases = databaseUrl === undefined ? [] : databaseFiles(databaseUrl);
  return [dataDir, ...databases].map((path) => resolve(path));
}

async function hookSecretOf({ hookSecret }: FactorySetting, deps: SourceDeps): Promise<string | undefined> {
  const { config } = deps;
  const ofServer = config.hookSecretFile === undefined ? undefined : { file: config.hookSecretFile };
  const place = hookSecret ?? ofServer;
  return place ? readSecretSource(place, deps) : config.hookSecret;
}

/** What a factory's own credentials do not say, the settings of the server do. */
function gitAccess(
  { credentials = {} }: FactorySetting,
  deps: Pick<SourceDeps, "config" | "vault" | "env">,
): GitAccess {
  const { config } = deps;
  const sshKeyFile = credentials.sshKeyFile ?? config.gitSshKeyFile;
  const knownHostsFile = credentials.knownHostsFile ?? config.gitKnownHostsFile;
  const place =
    credentials.token ?? (config.gitTokenFile === undefined ? undefined : { file: config.gitTokenFile });
  return {
    token: async () => (place ? readSecretSource(place, deps) : config.gitToken),
    ...(sshKeyFile === undefined ? {} : { sshKeyFile: resolve(sshKeyFile) }),
    ...(knownHostsFile === undefined ? {} : { knownHostsFile: resolve(knownHostsFile) }),
  };
}

/**
 * Other servers of a database of PostgreSQL do not have this machine's folders, and would serve something else.
 * @param named the sources of the command line, which count instead of those of the settings
 * @throws MillraceError `invalid_request` that names the folder
 */
export function refuseFolders(
  named: readonly string[],
  { databaseUrl, factories }: Pick<Config, "databaseUrl" | "factories">,
): void {
  if (postgresUrl(databaseUrl) === undefined) return;
  const ofSettings = factories.flatMap((setting) => ("source" in setting ? setting.source : []));
  const sources = named.length > 0 ? named : ofSettings;
  const folder = sources.find((source) => locateSource(source).kind === "folder");
  if (folder === undefined) return;
  throw new MillraceError(
    "invalid_request",
    `The source ${folder} is a folder, and MILLRACE_DATABASE_URL names a PostgreSQL database, which several servers can share: the other servers do not have this folder.`,
    {
      remedy: `Commit the definition to a repository, and name its URL, or \`git:${folder}\`. Without MILLRACE_DATABASE_URL, the folder can be served.`,
    },
  );
}
