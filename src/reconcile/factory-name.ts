import type { Definition } from "../definitions/definition.ts";
import type { Loaded } from "../definitions/load.ts";
import type { Problem } from "../definitions/problem.ts";
import { MillraceError } from "../error.ts";
import { inShell } from "../in-shell.ts";
import type { Applied, FactoryRecord } from "./factory.ts";
import type { ReconcileParts, Subject } from "./subject.ts";

/**
 * The recorded factory that a new source goes on with: it has the name, and no source of this start serves it. So a
 * moved folder or a renamed repository keeps its uids. A source that was applied before has uids of its own to keep.
 * A factory that millrace keeps is always served: whoever suspends it lets a source of its name go on with it.
 */
export async function formerOf(
  name: string,
  { uid, mode, sync }: FactoryRecord,
  { store, isServed }: ReconcileParts,
): Promise<FactoryRecord | undefined> {
  if (!canGoOnWithAnother({ mode, sync })) return undefined;
  const named = await store.findByName(name);
  const isFree = named && (!isServed(named.uid) || isHandedOver(named));
  return isFree && named.uid !== uid ? named : undefined;
}

/** A new factory that millrace keeps holds nothing: going on with another would delete all that this has. */
function canGoOnWithAnother({ mode, sync }: Pick<FactoryRecord, "mode" | "sync">): boolean {
  return mode !== "managed" && sync.appliedRevision === null;
}

function isHandedOver({ mode, sync }: FactoryRecord): boolean {
  return mode === "managed" && sync.status === "suspended";
}

/** The name of a factory whose definition gives it none: that of its record, or of one that it can go on with. */
export async function nameOfSource({ factory, sourceName }: Subject, parts: ReconcileParts): Promise<string> {
  return (await formerOf(sourceName, factory, parts)) ? sourceName : factory.name;
}

/** What of the name and the alias of a valid definition is another factory's now; the store has the last word. */
export async function findTaken(
  definition: Definition,
  loaded: Loaded,
  factory: FactoryRecord,
  parts: ReconcileParts,
): Promise<Problem[]> {
  const { name, alias } = definition.factory;
  const taken = await parts.store.findTakenNames(factory.uid, { name, alias: alias || undefined });
  return [
    ...(taken.name ? [nameTaken(taken.name, definition, loaded, factory, parts)] : []),
    ...(taken.alias ? [aliasTaken(taken.alias, definition, loaded)] : []),
  ];
}

/** Why the store has not applied a valid definition: its name or its alias became another factory's meanwhile. */
export async function takenMeanwhile(
  what: Applied,
  definition: Definition,
  loaded: Loaded,
  factory: FactoryRecord,
  parts: ReconcileParts,
): Promise<Problem> {
  const { name, alias } = definition.factory;
  const taken = await parts.store.findTakenNames(factory.uid, { name, alias: alias || undefined });
  return what === "alias taken"
    ? aliasTaken(taken.alias, definition, loaded)
    : nameTaken(taken.name, definition, loaded, factory, parts);
}

function nameTaken(
  other: FactoryRecord | undefined,
  definition: Definition,
  loaded: Loaded,
  factory: FactoryRecord,
  { isServed }: ReconcileParts,
): Problem {
  const { name, path } = definition.factory;
  if (other && other.name !== name) {
    const message =
      `"${name}" is the alias of the factory "${other.name}" of this server: ` +
      "a name may not be another factory's alias, so give this one another name";
    return { code: "FF_INVALID_VALUE", message, path, ...loaded.locate(path, ["name"]), severity: "error" };
  }
  const silent =
    other && !isServed(other.uid)
      ? `; that one (${"url" in other.source ? other.source.url : other.source.path}) is not served now`
      : other?.mode === "managed" && canGoOnWithAnother(factory)
        ? `; that one is kept by millrace, and this one goes on with it once it is suspended (\`millrace suspend ${inShell(name)}\`)`
        : "";
  const message =
    `another factory of this server is named "${name}" already${silent}: ` +
    "names are unique on a server, so give this one another name";
  return { code: "FF_INVALID_VALUE", message, path, ...loaded.locate(path, ["name"]), severity: "error" };
}

/** An alias tells factories apart for people, so case does not count. */
function aliasTaken(
  other: FactoryRecord | undefined,
  { factory: { alias, path } }: Definition,
  loaded: Loaded,
): Problem {
  const message =
    other && other.name.toLowerCase() === alias?.toLowerCase()
      ? `another factory of this server is named "${other.name}": an alias may not be another factory's name, so choose another alias`
      : `another factory of this server has the alias "${alias}" already: aliases are unique, in letters of any case`;
  return { code: "FF_INVALID_VALUE", message, path, ...loaded.locate(path, ["alias"]), severity: "error" };
}

/** What a name of a factory that is made here may be: it stands in paths of the API, in commands and in the log. */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,58}[A-Za-z0-9])?$/;

/** @throws MillraceError `invalid_request` */
export function checkFactoryName(name: string): void {
  if (NAME.test(name)) return;
  throw new MillraceError("invalid_request", `${JSON.stringify(name.slice(0, 100))} cannot name a factory.`, {
    remedy: "Use at most 60 letters, digits, spaces, . _ or -, with a letter or digit at both ends.",
    extra: { field: "name" },
  });
}
