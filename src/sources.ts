import { resolve } from "node:path";
import type { Config, FactorySetting, Outside } from "./config/config.ts";
import { duration } from "./config/values.ts";
import { MillraceError } from "./error.ts";
import { folderSource } from "./git/folder.ts";
import type { GitAccess } from "./git/git-environment.ts";
import { leftOutOf, realPath } from "./git/left-out.ts";
import { repositorySource } from "./git/repository.ts";
import { locateSource, refuseCredentials, type SourceLocation, sourceName } from "./git/source-location.ts";
import { watchFolder } from "./git/watch.ts";
import type { FactorySpec } from "./reconcile/factories.ts";
import type { FactoryRecord } from "./reconcile/factory.ts";
import { readOutside } from "./secrets/outside.ts";
import type { Vault } from "./secrets/vault.ts";
import { databaseFiles } from "./store/data-folder.ts";

export interface SourceParts {
  config: Config;
  gitFolder: string;
  vault: Pick<Vault, "open">;
  env: Record<string, string | undefined>;
  /** Ends what asks a remote when the server stops. */
  signal: AbortSignal;
}

/**
 * The factories to serve: those named on the command line, else those of the settings, else those that the data folder
 * knows from before.
 * @throws MillraceError `invalid_request` when there is none, or two are the same
 */
export function factorySpecs(
  named: readonly string[],
  known: readonly FactoryRecord[],
  parts: SourceParts,
): FactorySpec[] {
  const settings = named.length > 0 ? named.map((source) => ({ source })) : parts.config.factories;
  const chosen = settings.length > 0 ? settings : known.map(settingOf);
  if (chosen.length === 0) {
    throw new MillraceError(
      "invalid_request",
      "There is nothing to serve: no source was named, and none is known from before.",
      {
        remedy:
          "Name a folder or a repository: `millrace serve SOURCE`, or list factories: in a millrace.yaml and name that with --config.",
      },
    );
  }
  const specs = chosen.map((setting) => factorySpec(setting, locate(setting.source, known), parts));
  const keys = new Set(specs.map((spec) => spec.sourceKey));
  if (keys.size < specs.length) {
    throw new MillraceError("invalid_request", "The same source is named twice.", {
      remedy: "Name each source once.",
    });
  }
  return specs;
}

function settingOf({ source }: FactoryRecord): FactorySetting {
  return "url" in source
    ? { source: source.url, branch: source.branch, path: source.path }
    : { source: source.path };
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

function factorySpec(setting: FactorySetting, location: SourceLocation, parts: SourceParts): FactorySpec {
  const { config, gitFolder, signal } = parts;
  const name = sourceName(location);
  if (location.kind === "folder") {
    const { path } = location;
    const leftOut = leftOutOf(path, ownPaths(path, config));
    return {
      sourceKey: `folder:${path}`,
      name,
      mode: "folder",
      description: { path },
      source: folderSource(path, leftOut),
      secrets: [],
      pollMs: undefined,
      watch: (listener) => watchFolder(path, { leftOut, ...listener }),
    };
  }
  const { url } = location;
  const branch = setting.branch ?? config.branch;
  const path = setting.path ?? config.path;
  const named = [setting.credentials?.token, setting.hookSecret];
  return {
    sourceKey: `git:${url}#${branch}:${path}`,
    name,
    mode: "repository",
    description: { url, branch, path },
    source: repositorySource({ url, branch, path, access: gitAccess(setting, parts), gitFolder, signal }),
    secrets: named.flatMap((place) => (place && "secret" in place ? [place.secret] : [])),
    hookSecret: () => hookSecretOf(setting, parts),
    pollMs: setting.poll === undefined ? config.pollInterval : duration(setting.poll),
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
      `The folder ${folder} cannot hold the definition and be the data folder.`,
      { remedy: "Name another data folder with --data-dir; one inside of it will do." },
    );
  }
  const databases = databaseUrl === undefined ? [] : databaseFiles(databaseUrl);
  return [dataDir, ...databases].map((path) => resolve(path));
}

async function hookSecretOf({ hookSecret }: FactorySetting, parts: SourceParts): Promise<string | undefined> {
  const { config } = parts;
  const ofServer = config.hookSecretFile === undefined ? undefined : { file: config.hookSecretFile };
  const place = hookSecret ?? ofServer;
  return place ? readPlace(place, parts) : config.hookSecret;
}

async function readPlace(
  place: Outside | { secret: string },
  { vault, env }: SourceParts,
): Promise<string | undefined> {
  if ("secret" in place) return (await vault.open([place.secret])).get(place.secret);
  return (await readOutside(place, env))?.trim();
}

/** What a factory's own credentials do not say, the settings of the server do. */
function gitAccess({ credentials = {} }: FactorySetting, parts: SourceParts): GitAccess {
  const { config } = parts;
  const sshKeyFile = credentials.sshKeyFile ?? config.gitSshKeyFile;
  const knownHostsFile = credentials.knownHostsFile ?? config.gitKnownHostsFile;
  const place =
    credentials.token ?? (config.gitTokenFile === undefined ? undefined : { file: config.gitTokenFile });
  return {
    token: async () => (place ? readPlace(place, parts) : config.gitToken),
    ...(sshKeyFile === undefined ? {} : { sshKeyFile: resolve(sshKeyFile) }),
    ...(knownHostsFile === undefined ? {} : { knownHostsFile: resolve(knownHostsFile) }),
  };
}
