import type { ScopedSetting } from "../config/config.ts";
import { includesFactory, onlyFor, type SecretScope, SHARED } from "./rules/scope.ts";
import type { BoundName, NamedScope } from "./secret.ts";

/** A factory as settings can name it. */
export interface NamedFactory {
  uid: string;
  /** What it is called now: as its definition says, once it has one. */
  name: string;
  /** What whoever writes the settings calls it; nothing for one that was made over the API. */
  sourceName: string | undefined;
}

export interface OutsideScopes {
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
export function openTo(place: string): string {
  return (
    `${place} in millrace.yaml does not list the factories that may use it, so none can: ` +
    "add factories: [NAME], or shared: true"
  );
}
