import type { OutsideSecret } from "../config/config.ts";
import { includesFactory, onlyFor, type SecretScope, SHARED } from "./scope.ts";
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

/** Who may use the secrets that are kept outside, as the settings say at the start. */
export function outsideScopes(
  secrets: Readonly<Record<string, OutsideSecret>>,
  factories: readonly NamedFactory[],
  known: KnownScopes,
): OutsideScopes {
  const scopes: NamedScope[] = [];
  const newNames = new Map<string, BoundName>();
  const warnings: string[] = [];
  const put = (name: string, { shared, factories }: SecretScope) => scopes.push({ name, shared, factories });
  for (const [name, secret] of Object.entries(secrets)) {
    const [only, another] = factories;
    if (secret.shared) put(name, SHARED);
    else if (secret.factories) {
      const found = secret.factories.map((wanted) => ({ wanted, ...find(wanted, factories, known.names) }));
      for (const { wanted, uid, isNew } of found)
        if (uid && isNew) newNames.set(wanted, { name: wanted, uid });
      const missing = found.filter(({ uid }) => uid === undefined).map(({ wanted }) => wanted);
      if (missing.length > 0) warnings.push(unknown(name, missing));
      put(name, onlyFor(found.flatMap(({ uid }) => uid ?? [])));
    } else if (known.scopes.some((scope) => scope.name === name)) continue;
    else if (only && !another) put(name, onlyFor([only.uid]));
    else warnings.push(open(name));
  }
  return { scopes, newNames: [...newNames.values()], warnings };
}

/** What a factory that was made just now adds: its own name may stand in the settings already, nobody else's is read. */
export function scopesOfNew(
  secrets: Readonly<Record<string, OutsideSecret>>,
  made: NamedFactory,
  factories: readonly NamedFactory[],
  known: KnownScopes,
): Pick<OutsideScopes, "scopes" | "newNames"> {
  const isMade = find(made.name, factories, known.names).uid === made.uid;
  const naming = Object.entries(secrets).filter(([, secret]) => secret.factories?.includes(made.name));
  if (!isMade || naming.length === 0) return { scopes: [], newNames: [] };
  const scopes = naming.map(([name]): NamedScope => {
    const before = known.scopes.find((scope) => scope.name === name);
    if (before && includesFactory(before, made.uid)) return before;
    return { name, ...onlyFor([...(before?.factories ?? []), made.uid]) };
  });
  return { scopes, newNames: [{ name: made.name, uid: made.uid }] };
}

/** The name of a source comes first: nobody but the server's operator gives that. */
function find(
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

function unknown(secret: string, names: readonly string[]): string {
  return (
    `secrets.${secret} in millrace.yaml names ${names.join(", ")} under factories:, and this server serves no factory that ` +
    "it stands for: a name stays with the factory that had it first, so write the uid of another one"
  );
}

function open(secret: string): string {
  return (
    `secrets.${secret} in millrace.yaml does not say which of the factories may use it, so none of them can: ` +
    "add factories: [NAME], or shared: true"
  );
}
