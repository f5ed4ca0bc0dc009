import { join } from "node:path";
import { MillraceError } from "../errors/error.ts";
import type { GitObjectStore } from "../git/managed/managed-branch.ts";
import { managedRepository } from "../git/managed/managed-repository.ts";
import { MANAGED_BRANCH } from "../git/managed/place-repository.ts";
import { storedObjects } from "../git/managed/stored-objects.ts";
import { newUid } from "../id.ts";
import type { Log } from "../log.ts";
import type { FactoryRecord, FactorySpec, FactoryStore } from "../reconcile/factory.ts";
import { checkFactoryName } from "../reconcile/factory-name.ts";

export interface ManagedDeps {
  /** Where the repositories are that millrace keeps. */
  data: { factories: string };
  /** Where their objects are stored. */
  objects: GitObjectStore;
  log: Pick<Log, "warn">;
  /** Ends git processes when the server stops. */
  signal: AbortSignal;
  now: () => Date;
}

/**
 * A factory whose definition millrace keeps: the one that is known by this name, or a new one.
 * @throws MillraceError `invalid_request` for a name that it cannot have
 */
export function managedSpec(name: string, known: readonly FactoryRecord[], deps: ManagedDeps): FactorySpec {
  checkFactoryName(name);
  // What the settings call it stays the way to it, also when its definition gives it another name, and whatever else has
  // got its first name since.
  const sourceKey = `managed:${name}`;
  const renamed = known.find((record) => record.sourceKey === sourceKey);
  if (renamed) return specOf(renamed, deps);
  const found = known.find((record) => record.mode === "managed" && record.name === name);
  if (found) return specOf({ ...found, sourceKey }, deps);
  const other = known.find((record) => record.name === name);
  if (other) throw nameTaken(other);
  return specOf({ uid: newUid(), sourceKey, name }, deps);
}

function nameTaken({ name, source }: FactoryRecord): MillraceError {
  const place = "url" in source ? source.url : source.path;
  return new MillraceError(
    "invalid_request",
    `The settings declare factory "${name}" as managed, but its definition comes from ${place}.`,
    { remedy: "Use another name for `managed:`, or specify that source instead." },
  );
}

/** A new factory whose definition millrace keeps. @throws MillraceError `invalid_request` for a name that it cannot have */
export function newManagedSpec(name: string, deps: ManagedDeps): FactorySpec {
  checkFactoryName(name);
  const uid = newUid();
  return specOf({ uid, sourceKey: `managed:${uid}`, name }, deps);
}

/** The place of its repository goes by its uid, so a factory can be renamed; and by where the data folder is now. */
export function managedRepositoryPath(uid: string, data: ManagedDeps["data"]): string {
  return join(data.factories, `${uid}.git`);
}

/** What the settings call a factory is the way to it from now on, also once its definition gives it another name. */
export async function keepSourceKeys(
  specs: readonly FactorySpec[],
  store: Pick<FactoryStore, "moveSource">,
): Promise<void> {
  for (const { uid, sourceKey } of specs) if (uid !== undefined) await store.moveSource(uid, sourceKey);
}

/** What the settings call, or called, a factory that millrace keeps; nothing for one that was made over the API. */
export function nameInSettings({
  uid,
  sourceKey,
}: Pick<FactoryRecord, "uid" | "sourceKey">): string | undefined {
  const name = sourceKey.replace(/^managed:/, "");
  return name === uid ? undefined : name;
}

const RESTORED = "the repository of a factory was missing or damaged, and was restored from the store";

/** A factory whose definition millrace keeps, which it knows. */
export function specOf(
  { uid, sourceKey, name }: Pick<FactoryRecord, "uid" | "sourceKey" | "name">,
  { data, objects, log, signal, now }: ManagedDeps,
): FactorySpec {
  const path = managedRepositoryPath(uid, data);
  return {
    uid,
    sourceKey,
    name,
    mode: "managed",
    description: { url: path, branch: MANAGED_BRANCH, path: "." },
    source: managedRepository({
      path,
      firstMessage: `Create factory ${name}`,
      now,
      signal,
      objects: storedObjects(uid, objects),
      onRestored: () => log.warn({ factory: name, uid, path }, RESTORED),
    }),
    secrets: [],
    // Whatever changes here changes by edits.
    pollMs: undefined,
  };
}
