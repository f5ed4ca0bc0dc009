import type { Definition } from "../definitions/definition.ts";
import type { Loaded } from "../definitions/loading/loaded.ts";
import type { Problem } from "../definitions/problem.ts";
import { inShell, MillraceError } from "../errors/error.ts";
import { lookOf } from "../id.ts";
import type { FactoryRecord, NotApplied } from "./factory.ts";
import type { ReconcileDeps, Subject } from "./subject.ts";

/**
 * The recorded factory that a new source goes on with: it has the name, and no source of this start serves it. So a
 * moved folder or a renamed repository keeps its uids. A source that was applied before has uids of its own to keep.
 * With one that millrace keeps, a source goes on only where the settings say so: a name in a definition is no proof that
 * its author may have what the factory has.
 */
export async function findPredecessor(
  name: string,
  { factory: { uid, mode, sync }, goesOnWith }: Pick<Subject, "factory" | "goesOnWith">,
  { store, isServed }: Pick<ReconcileDeps, "store" | "isServed">,
): Promise<FactoryRecord | undefined> {
  if (!canGoOnWithAnother({ mode, sync })) return undefined;
  const named = await store.findByName(name);
  if (!named || named.uid === uid) return undefined;
  const isFree = named.mode === "managed" ? isHandedOver(named, goesOnWith) : !isServed(named.uid);
  return isFree ? named : undefined;
}

/** A new factory that millrace keeps holds nothing: going on with another would delete all that this has. */
function canGoOnWithAnother({ mode, sync }: Pick<FactoryRecord, "mode" | "sync">): boolean {
  return mode !== "managed" && sync.appliedRevision === null;
}

/** Who reaches the factory suspends it; who writes the settings names it at the source that goes on with it. */
function isHandedOver({ uid, name, sync }: FactoryRecord, goesOnWith: string | undefined): boolean {
  return sync.status === "suspended" && (goesOnWith === uid || goesOnWith === name);
}

/** The name of a factory whose definition gives it none: that of its record, or of one that it can go on with. */
export async function nameOfSource(subject: Subject, deps: ReconcileDeps): Promise<string> {
  const { factory, sourceName } = subject;
  return (await findPredecessor(sourceName, subject, deps)) ? sourceName : factory.name;
}

/** What of the name and the alias of a valid definition is another factory's now; the store has the last word. */
export async function claimNames(
  definition: Definition,
  loaded: Loaded,
  factory: FactoryRecord,
  deps: ReconcileDeps,
): Promise<Problem[]> {
  const { name, alias } = definition.factory;
  const taken = await deps.store.findTakenNames(factory.uid, { name, alias: alias || undefined });
  return [
    ...(taken.name ? [nameTaken(taken.name, definition, loaded, factory, deps)] : []),
    ...(taken.alias ? [aliasTaken(taken.alias, definition, loaded)] : []),
  ];
}

/** Why the store has not applied a valid definition: its name or its alias became another factory's meanwhile. */
export async function takenMeanwhile(
  what: NotApplied,
  definition: Definition,
  loaded: Loaded,
  factory: FactoryRecord,
  deps: ReconcileDeps,
): Promise<Problem> {
  const { name, alias } = definition.factory;
  const taken = await deps.store.findTakenNames(factory.uid, { name, alias: alias || undefined });
  return what === "alias taken"
    ? aliasTaken(taken.alias, definition, loaded)
    : nameTaken(taken.name, definition, loaded, factory, deps);
}

function nameTaken(
  other: FactoryRecord | undefined,
  definition: Definition,
  loaded: Loaded,
  factory: FactoryRecord,
  { isServed }: ReconcileDeps,
): Problem {
  const { name, path } = definition.factory;
  if (other && other.name !== name) {
    const message =
      `${JSON.stringify(name)} ${looksLikeOf(name, other)} of the factory "${other.name}" on this server: ` +
      "a name must not look like another factory's name, alias or uid, so give this factory another name";
    return { code: "FF_INVALID_VALUE", message, path, ...loaded.locate(path, ["name"]), severity: "error" };
  }
  const silent =
    other && !isServed(other.uid)
      ? `; its source (${"url" in other.source ? other.source.url : other.source.path}) is no longer configured`
      : other?.mode === "managed" && canGoOnWithAnother(factory)
        ? `; that factory is managed by millrace. To continue it with this source, set \`goesOnWith: ${name}\` for the source in millrace.yaml and suspend that factory (\`millrace suspend ${inShell(name)}\`)`
        : "";
  const message =
    `another factory on this server is already named "${name}"${silent}: ` +
    "names are unique on a server, so give this factory another name";
  return { code: "FF_INVALID_VALUE", message, path, ...loaded.locate(path, ["name"]), severity: "error" };
}

/** What of a factory another name stands for in the eyes of people. */
export function looksLikeOf(wanted: string, { uid, name }: Pick<FactoryRecord, "uid" | "name">): string {
  const look = lookOf(wanted);
  if (look === lookOf(name)) return "looks like the name";
  return look === lookOf(uid) ? "is the uid" : "is the alias";
}

/** An alias tells factories apart for people, so case does not count. */
function aliasTaken(
  other: FactoryRecord | undefined,
  { factory: { alias, path } }: Definition,
  loaded: Loaded,
): Problem {
  const message =
    other && looksLikeOf(alias ?? "", other) !== "is the alias"
      ? `another factory on this server is named "${other.name}": an alias must not be another factory's name or uid, so choose another alias`
      : `another factory on this server already has the alias "${alias}": aliases are unique, regardless of case`;
  return { code: "FF_INVALID_VALUE", message, path, ...loaded.locate(path, ["alias"]), severity: "error" };
}

/** What a name of a factory that is made here may be: it stands in paths of the API, in commands and in the log. */
const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9 ._-]{0,58}[A-Za-z0-9])?$/;

/** @throws MillraceError `invalid_request` */
export function checkFactoryName(name: string): void {
  if (NAME.test(name)) return;
  throw new MillraceError(
    "invalid_request",
    `${JSON.stringify(name.slice(0, 100))} is not a valid factory name.`,
    {
      remedy: "Use at most 60 letters, digits, spaces, . _ or -, starting and ending with a letter or digit.",
      extra: { field: "name" },
    },
  );
}
