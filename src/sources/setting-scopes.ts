import type { Config } from "../config/config.ts";
import { keyVariablesOf } from "../executor/harness/harness.ts";
import type { Log } from "../log.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { NO_FACTORY } from "../secrets/rules/scope.ts";
import type { SecretStore } from "../secrets/secret.ts";
import {
  type KnownScopes,
  mayUse,
  type NamedFactory,
  outsideScopes,
  type SettingScopeStore,
  scopedSettings,
  scopesOfNew,
  settingScopes,
  WORKER_ENVIRONMENT,
} from "../secrets/setting-scopes.ts";
import { nameInSettings } from "./managed-sources.ts";

type Settings = Pick<Config, "secrets" | "forges" | "workerEnvironment">;

interface Store {
  secrets: Pick<SecretStore, "listScopes" | "putScopes" | "listBoundNames" | "bindNames">;
  settingScopes: SettingScopeStore;
}

/** What of the settings is for whom, as it is now. */
export interface SettingAccess {
  /** Where the settings give what a factory may use, or what a run of no factory may. */
  usableBy(factoryUid: string | null): Promise<ReadonlySet<string>>;
}

/** Answers by what the store has: a factory can go on as another record, and be made, while the server runs. */
export function settingAccess(
  config: Pick<Config, "forges" | "workerEnvironment">,
  store: Pick<SettingScopeStore, "list">,
): SettingAccess {
  const settings = Object.entries(scopedSettings(config));
  return {
    async usableBy(factoryUid) {
      const scopes = new Map((await store.list()).map((scope) => [scope.name, scope]));
      const usable = settings.filter(([place, setting]) =>
        mayUse(setting, scopes.get(place) ?? NO_FACTORY, factoryUid),
      );
      return new Set(usable.map(([place]) => place));
    },
  };
}

/** @returns whether the agents of a factory may have the model key in the environment of the server */
export function workerEnvironmentOf(access: SettingAccess): (factoryUid: string | null) => Promise<boolean> {
  return async (factoryUid) => (await access.usableBy(factoryUid)).has(WORKER_ENVIRONMENT);
}

/** Writes down which factories may use what the settings give, and logs what they leave open. */
export async function scopeSettings(
  config: Settings & Pick<Config, "harnesses">,
  factories: Pick<Factories, "list">,
  store: Store,
  { env, log }: { env: Record<string, string | undefined>; log: Log },
): Promise<void> {
  const named = factories.list().map(asNamed);
  const ofSecrets = outsideScopes(config.secrets, named, await knownOfSecrets(store));
  await store.secrets.bindNames(ofSecrets.newNames);
  await store.secrets.putScopes(ofSecrets.scopes);
  const hasKey = keyVariablesOf(config).some((name) => env[name] !== undefined);
  const isIdle = (place: string) => place === WORKER_ENVIRONMENT && !hasKey;
  const others = settingScopes(scopedSettings(config), named, await knownOfSettings(store), isIdle);
  await store.secrets.bindNames(others.newNames);
  await store.settingScopes.put(others.scopes);
  for (const warning of [...ofSecrets.warnings, ...others.warnings]) log.warn(warning);
}

/** Writes down what a factory may use that was made while the server runs. */
export async function scopeForNewFactory(
  config: Settings,
  made: Factory,
  factories: Pick<Factories, "list">,
  store: Store,
): Promise<void> {
  const named = factories.list().map(asNamed);
  const ofSecrets = scopesOfNew(config.secrets, asNamed(made), named, await knownOfSecrets(store));
  const known = await knownOfSettings(store);
  const others = scopesOfNew(scopedSettings(config), asNamed(made), named, known);
  await store.secrets.bindNames([...ofSecrets.newNames, ...others.newNames]);
  await store.secrets.putScopes(ofSecrets.scopes);
  await store.settingScopes.put(others.scopes);
}

async function knownOfSecrets({ secrets }: Store): Promise<KnownScopes> {
  return { scopes: await secrets.listScopes(), names: await secrets.listBoundNames() };
}

async function knownOfSettings({ secrets, settingScopes }: Store): Promise<KnownScopes> {
  return { scopes: await settingScopes.list(), names: await secrets.listBoundNames() };
}

/**
 * A factory with the names that settings can use for it. A definition that millrace keeps can give its factory another name;
 * what the settings call it stays.
 */
export function asNamed({ record, sourceName }: Factory): NamedFactory {
  const called = record.mode === "managed" ? nameInSettings(record) : sourceName;
  return { uid: record.uid, name: record.name, sourceName: called };
}
