import type { Config, ScopedSetting } from "../config/config.ts";
import {
  type KnownScopes,
  type NamedFactory,
  type OutsideScopes,
  openTo,
  outsideScopes,
} from "./outside-scopes.ts";
import { includesFactory, NO_FACTORY, onlyFor, type SecretScope } from "./rules/scope.ts";
import type { NamedScope } from "./secret.ts";

/**
 * Which factories may use what the settings give beside secrets, by where they give it: a forge, or the model key in the
 * environment of the server. `list` reads, `put` writes; each call is one transaction.
 */
export interface SettingScopeStore {
  list(): Promise<NamedScope[]>;
  /** Gives names their scopes. */
  put(scopes: readonly NamedScope[]): Promise<void>;
}

/** What is given to `auth: {source: workerEnvironment}`. */
export const WORKER_ENVIRONMENT = "workerEnvironment";

/** In the place of each name: those that were there before there were scopes. */
const UPGRADED = "*";

/** Where the settings have a forge. */
export function placeOfForge(name: string): string {
  return `forges.${name}`;
}

/** All that the settings give to some factories alone, by where they give it; secrets are kept apart from it. */
export function scopedSettings({
  forges,
  workerEnvironment,
}: Pick<Config, "forges" | "workerEnvironment">): Record<string, ScopedSetting> {
  const ofForges = Object.entries(forges).map(([name, forge]) => [placeOfForge(name), forge] as const);
  return { ...Object.fromEntries(ofForges), [WORKER_ENVIRONMENT]: workerEnvironment };
}

/**
 * Who may use it, as the settings say at the start. What they do not speak of stays with the factories that were there before
 * there were scopes.
 * @param isIdle whether nobody needs to hear that the settings do not speak of something
 */
export function settingScopes(
  settings: Readonly<Record<string, ScopedSetting>>,
  factories: readonly NamedFactory[],
  known: KnownScopes,
  isIdle: (place: string) => boolean,
): OutsideScopes {
  const scopes: NamedScope[] = [];
  const all: OutsideScopes = { scopes, newNames: [], warnings: [] };
  const upgraded = known.scopes.find(({ name }) => name === UPGRADED);
  if (upgraded) scopes.push({ name: UPGRADED, ...NO_FACTORY });
  for (const [place, setting] of Object.entries(settings)) {
    const before = known.scopes.find(({ name }) => name === place);
    const kept = before ?? (upgraded && { name: place, ...onlyFor(upgraded.factories) });
    const knownOfIt = { scopes: kept ? [kept] : [], names: known.names };
    const found = outsideScopes({ [place]: setting }, factories, knownOfIt, () => place);
    const [scope = kept] = found.scopes;
    if (scope) scopes.push(scope);
    all.newNames.push(...found.newNames);
    if (isSaid(setting)) all.warnings.push(...found.warnings);
    else if (!isIdle(place)) all.warnings.push(...unsaid(place, scope, factories));
  }
  return all;
}

/**
 * Whether a factory may use something. A run of no factory is asked for by a key for the whole server: it has what is for
 * all, and what the settings have not given to some factories.
 */
export function mayUse(setting: ScopedSetting, scope: SecretScope, factoryUid: string | null): boolean {
  if (factoryUid !== null) return includesFactory(scope, factoryUid);
  return scope.shared || (!isSaid(setting) && scope.factories.length > 0);
}

function isSaid({ factories, shared }: ScopedSetting): boolean {
  return factories !== undefined || shared === true;
}

function unsaid(place: string, scope: SecretScope | undefined, served: readonly NamedFactory[]): string[] {
  if (!scope) return [openTo(place)];
  if (!served.some(({ uid }) => includesFactory(scope, uid))) return [ofOthers(place)];
  const isOfOne = !scope.shared && scope.factories.length === 1;
  if (isOfOne) return [];
  const nameOf = (wanted: string) => served.find(({ uid }) => uid === wanted)?.name ?? wanted;
  const those = scope.shared ? "every factory" : scope.factories.map(nameOf).join(", ");
  return [
    `${place} in millrace.yaml does not list the factories that may use it, so the factories that could use it before still can: ` +
      `${those}. Add factories: [NAME], or shared: true`,
  ];
}

function ofOthers(place: string): string {
  return (
    `${place} in millrace.yaml does not list the factories that may use it, and the factories that could use it before are no longer configured: ` +
    "add factories: [NAME], or shared: true"
  );
}

/** What millrace.yaml has to say for a factory, or for runs of no factory, to have the model key of the server. */
export function workerEnvironmentFor(factoryUid: string | null): string {
  return `workerEnvironment: { ${factoryUid === null ? "shared: true" : `factories: [${factoryUid}]`} }`;
}
