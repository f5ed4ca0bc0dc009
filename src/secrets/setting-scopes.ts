import type { Config, ScopedSetting } from "../config/config.ts";
import { includesFactory, NO_FACTORY, onlyFor, type SecretScope, SHARED } from "./rules/scope.ts";
import type { BoundName, NamedScope } from "./secret.ts";

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

/** A factory as settings can name it. */
export interface NamedFactory {
  uid: string;
  /** What it is called now: as its definition says, once it has one. */
  name: string;
  /** What whoever writes the settings calls it; nothing for one that was made over the API. */
  sourceName: string | undefined;
}

interface OutsideScopes {
  /** What the settings say, for the store. */
  scopes: NamedScope[];
  /** Names that are looked up for the first time, and stay with these factories from now on. */
  newNames: BoundName[];
  /** What they leave open, in sentences. */
  warnings: string[];
}

/** What the store has already. */
export interface KnownScopes {
  /** What nobody speaks of stays as it is. */
  scopes: readonly NamedScope[];
  /** A name that a definition gives can be given up and taken by another: it leads to whoever had it first. */
  names: readonly BoundName[];
}

/** Where the settings have a secret. */
const ofSecret = (name: string) => `secrets.${name}`;

/**
 * Who may use what the settings give, such as the secrets that are kept outside, as they say at the start.
 * @param placeOf where the settings have what is called so, for messages
 */
export function outsideScopes(
  settings: Readonly<Record<string, ScopedSetting>>,
  factories: readonly NamedFactory[],
  known: KnownScopes,
  placeOf = ofSecret,
): OutsideScopes {
  const scopes: NamedScope[] = [];
  const newNames = new Map<string, BoundName>();
  const warnings: string[] = [];
  const put = (name: string, { shared, factories }: SecretScope) => scopes.push({ name, shared, factories });
  for (const [name, setting] of Object.entries(settings)) {
    const [only, another] = factories;
    if (setting.shared) put(name, SHARED);
    else if (setting.factories) {
      const found = setting.factories.map((wanted) => ({
        wanted,
        ...findNamed(wanted, factories, known.names),
      }));
      for (const { wanted, uid, isNew } of found)
        if (uid && isNew) newNames.set(wanted, { name: wanted, uid });
      const missing = found.filter(({ uid }) => uid === undefined).map(({ wanted }) => wanted);
      if (missing.length > 0) warnings.push(unknown(placeOf(name), missing, factories));
      put(name, onlyFor(found.flatMap(({ uid }) => uid ?? [])));
    } else if (known.scopes.some((scope) => scope.name === name)) continue;
    else if (only && !another) put(name, onlyFor([only.uid]));
    else warnings.push(openTo(placeOf(name)));
  }
  return { scopes, newNames: [...newNames.values()], warnings };
}

/** What a factory that was made just now adds: its own name may stand in the settings already, nobody else's is read. */
export function scopesOfNew(
  settings: Readonly<Record<string, ScopedSetting>>,
  made: NamedFactory,
  factories: readonly NamedFactory[],
  known: KnownScopes,
): Pick<OutsideScopes, "scopes" | "newNames"> {
  const isMade = findNamed(made.name, factories, known.names).uid === made.uid;
  const naming = Object.entries(settings).filter(([, setting]) => setting.factories?.includes(made.name));
  if (!isMade || naming.length === 0) return { scopes: [], newNames: [] };
  const scopes = naming.map(([name]): NamedScope => {
    const before = known.scopes.find((scope) => scope.name === name);
    if (before && includesFactory(before, made.uid)) return before;
    return { name, ...onlyFor([...(before?.factories ?? []), made.uid]) };
  });
  return { scopes, newNames: [{ name: made.name, uid: made.uid }] };
}

/**
 * The factory that the settings mean by a uid or a name. The name of a source comes before that of a definition: nobody but the
 * server's operator gives it.
 * @returns its uid, and whether its name has to be bound to it
 */
export function findNamed(
  wanted: string,
  factories: readonly NamedFactory[],
  names: readonly BoundName[],
): { uid?: string; isNew?: boolean } {
  const named =
    factories.find(({ uid }) => uid === wanted) ?? factories.find(({ sourceName }) => sourceName === wanted);
  if (named) return { uid: named.uid };
  const bound = names.find(({ name }) => name === wanted);
  const found = factories.find(({ uid, name }) => (bound ? uid === bound.uid : name === wanted));
  return found ? { uid: found.uid, isNew: bound === undefined } : {};
}

function unknown(place: string, names: readonly string[], served: readonly NamedFactory[]): string {
  const said = `${place} in millrace.yaml lists ${names.join(", ")} under factories:, but this server has no such factory`;
  const known = served.map(({ sourceName, name }) => sourceName ?? name);
  if (names.some((name) => served.some((factory) => factory.name === name)))
    return `${said}: a name always refers to the first factory that had it, so use the UID of another factory`;
  return `${said}. Its factories: ${known.join(", ") || "none"}. Use one of these names`;
}

/** What is said of something that no factory may use, because the settings do not say which. */
function openTo(place: string): string {
  return (
    `${place} in millrace.yaml does not list the factories that may use it, so none can: ` +
    "add factories: [NAME], or shared: true"
  );
}
