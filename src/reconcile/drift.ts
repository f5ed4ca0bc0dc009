import {
  type EffectiveChange,
  isEffective,
  planChanges,
  verifiedResource,
} from "../definitions/changes/plan.ts";
import { MillraceError } from "../errors/error.ts";
import { pastTree } from "./past-tree.ts";
import type { ReconcileDeps, Subject } from "./subject.ts";

/** How what is stored differs from the revision that it is said to be. */
export interface Drift {
  revision: string;
  /** The changes that would make stored state match the revision. */
  changes: EffectiveChange[];
  /** Names of webhooks whose credential is missing from the store. */
  withoutCredential: string[];
}

/**
 * Holds the store against the applied revision, read anew. Nothing is written: the next start puts it right.
 * @throws MillraceError `conflict` when nothing is in force, or the revision cannot be had
 */
export async function findDrift(
  subject: Subject,
  { store, load }: Pick<ReconcileDeps, "store" | "load">,
): Promise<Drift> {
  const { uid, name } = subject.factory;
  const tree = await pastTree(appliedRevisionOf(subject), subject, store);
  const { definition } = await load(tree, name);
  if (!definition) {
    throw new MillraceError("conflict", "The applied revision is not valid in this version of millrace.", {
      remedy: "Run `millrace validate` on it; the active definition was stored by an earlier version.",
      retryable: false,
    });
  }
  const stored = (await store.listResources(uid)).map(verifiedResource);
  const changes = planChanges(stored, definition).changes.filter(isEffective);
  const sealed = new Set((await store.listCredentials(uid)).map(({ webhookUid }) => webhookUid));
  const withoutCredential = stored
    .filter((resource) => resource.kind === "webhook" && !resource.deleted && !sealed.has(resource.uid))
    .map((resource) => resource.name);
  return { revision: tree.revision.id, changes, withoutCredential };
}

/** @throws MillraceError `conflict` when nothing is in force */
export function appliedRevisionOf({ factory: { name, sync } }: Subject): string {
  if (sync.appliedRevision !== null) return sync.appliedRevision;
  throw new MillraceError("conflict", `The factory "${name}" has no applied revision yet.`, {
    remedy: "Run `millrace status` to see its problems.",
  });
}
