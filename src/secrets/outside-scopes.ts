import type { OutsideSecret } from "../config/config.ts";
import { onlyFor, type SecretScope, SHARED } from "./scope.ts";
import type { NamedScope } from "./secret.ts";

/** A factory as settings can name it. */
export interface NamedFactory {
  uid: string;
  /** What it is called now: as its definition says, once it has one. */
  name: string;
  /** What its source is called, which whoever writes the settings has chosen. */
  sourceName: string;
}

export interface OutsideScopes {
  /** What the settings say, for the store. */
  scopes: NamedScope[];
  /** What they leave open, in sentences. */
  warnings: string[];
}

/**
 * Who may use the secrets that are kept outside. Names are looked up once, at the start: a definition that takes another
 * name while the server runs gets nothing by it.
 * @param known the scopes that the store has already: what nobody speaks of stays as it is
 */
export function outsideScopes(
  secrets: Readonly<Record<string, OutsideSecret>>,
  factories: readonly NamedFactory[],
  known: readonly NamedScope[],
): OutsideScopes {
  const scopes: NamedScope[] = [];
  const warnings: string[] = [];
  const put = (name: string, { shared, factories }: SecretScope) => scopes.push({ name, shared, factories });
  for (const [name, secret] of Object.entries(secrets)) {
    const [only, another] = factories;
    if (secret.shared) put(name, SHARED);
    else if (secret.factories) {
      const missing = secret.factories.filter((each) => !find(each, factories));
      if (missing.length > 0) warnings.push(unknown(name, missing));
      put(name, onlyFor(secret.factories.flatMap((each) => find(each, factories)?.uid ?? [])));
    } else if (known.some((scope) => scope.name === name)) continue;
    else if (only && !another) put(name, onlyFor([only.uid]));
    else warnings.push(open(name));
  }
  return { scopes, warnings };
}

/** The name of a source comes first: nobody but the server's operator gives that. */
function find(wanted: string, factories: readonly NamedFactory[]): NamedFactory | undefined {
  return (
    factories.find(({ uid }) => uid === wanted) ??
    factories.find(({ sourceName }) => sourceName === wanted) ??
    factories.find(({ name }) => name === wanted)
  );
}

function unknown(secret: string, names: readonly string[]): string {
  return `secrets.${secret} in millrace.yaml names ${names.join(", ")} under factories:, and no factory of this server is called that`;
}

function open(secret: string): string {
  return (
    `secrets.${secret} in millrace.yaml does not say which of the factories may use it, so none of them can: ` +
    "add factories: [NAME], or shared: true"
  );
}
