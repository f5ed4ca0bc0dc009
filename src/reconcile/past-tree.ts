import {
  type EffectiveChange,
  isEffective,
  planChanges,
  verifiedResource,
} from "../definitions/changes/plan.ts";
import { TREE_LIMITS } from "../definitions/loading/load-file.ts";
import { definitionEntries } from "../definitions/loading/tree-path.ts";
import { MillraceError } from "../errors/error.ts";
import { SourceError, type Tree, type TreeEntry } from "../git/revision.ts";
import type { AppliedFiles, FactoryStore } from "./factory.ts";
import type { ReconcileDeps, Subject } from "./subject.ts";

type StoredFiles = Pick<FactoryStore, "findFiles" | "listContents">;

/**
 * The tree of a revision from before: as it was applied, or from the source where it never was, or was by a version that did
 * not store its files.
 * @throws MillraceError `conflict` that says why it cannot be had
 */
export async function pastTree(
  revision: string,
  { factory, source }: Pick<Subject, "factory" | "source">,
  store: StoredFiles,
): Promise<Tree> {
  // Of a repository that millrace keeps, what is in force is in memory already.
  if (factory.mode !== "managed") {
    const stored = await storedTree(revision, factory.uid, store);
    if (stored) return stored;
  }
  try {
    return await source.past(revision);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    const stored = await storedTree(revision, factory.uid, store);
    if (stored) return factory.mode === "managed" ? { ...stored, mayBeEmpty: true } : stored;
    const isGone = error.code === "GIT_REVISION_MISSING";
    throw new MillraceError("conflict", `The revision is not available: ${error.message}`, {
      retryable: !isGone,
    });
  }
}

async function storedTree(
  revision: string,
  factoryUid: string,
  store: StoredFiles,
): Promise<Tree | undefined> {
  const stored = await store.findFiles(factoryUid, revision);
  return stored && treeOf(stored, store);
}

function treeOf({ revision, files }: AppliedFiles, store: StoredFiles): Tree {
  const hashes = new Map(files.map(({ id, hash }) => [id, hash]));
  return {
    revision,
    entries: files.map(({ hash: _, ...entry }) => entry),
    async read(wanted) {
      const contents = new Map<string, Buffer>();
      for (const batch of batchesOf(wanted)) {
        const found = await store.listContents(batch.flatMap(({ id }) => hashes.get(id) ?? []));
        const byHash = new Map(found.map(({ hash, bytes }) => [hexOf(hash), Buffer.from(bytes)]));
        for (const { id, path } of batch) {
          const hash = hashes.get(id);
          const bytes = hash && byHash.get(hexOf(hash));
          if (!bytes) throw notStored(path);
          contents.set(id, bytes);
        }
      }
      return contents;
    },
  };
}

/** What the store is asked for at once: other readers wait for it, and it is in memory twice. */
const BATCH = { files: 500, bytes: 8 * 1024 * 1024 };

/** Each content once, however many files have it. */
function batchesOf(wanted: readonly TreeEntry[]): TreeEntry[][] {
  const batches: TreeEntry[][] = [];
  let bytes = BATCH.bytes;
  for (const entry of new Map(wanted.map((file) => [file.id, file])).values()) {
    let last = batches.at(-1);
    if (!last || last.length >= BATCH.files || bytes + entry.size > BATCH.bytes) {
      last = [];
      batches.push(last);
      bytes = 0;
    }
    last.push(entry);
    bytes += entry.size;
  }
  return batches;
}

const hexOf = (hash: Uint8Array) => Buffer.from(hash).toString("hex");

function notStored(path: string): MillraceError {
  return new MillraceError(
    "conflict",
    `The content of ${path} is not stored, because the file is too large.`,
    {
      remedy: "Make it smaller than 1 MiB, or use a repository as the source.",
      retryable: false,
    },
  );
}

/**
 * A revision that was tried, by its full hash: whoever may see a factory may not look into every commit of its repository.
 * @throws MillraceError `resource_not_found`
 */
export async function triedRevision(
  revision: string,
  factoryUid: string,
  store: Pick<FactoryStore, "findAttempts">,
): Promise<string> {
  const found = await store.findAttempts(factoryUid, revision, 1);
  if (found.some((attempt) => attempt.revision === revision)) return revision;
  throw new MillraceError(
    "resource_not_found",
    `The revision ${revision} was never attempted by this factory.`,
    {
      remedy: "`millrace history` shows the attempted revisions; specify the full hash.",
    },
  );
}

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

/** A file of a definition, byte for byte. */
export interface DefinitionFile {
  path: string;
  bytes: Buffer;
}

/**
 * The files that a definition consists of, with all that lies beside a skill, as they were committed.
 * @throws MillraceError `conflict` when they are more than a definition may measure
 */
export async function definitionFiles(tree: Tree): Promise<DefinitionFile[]> {
  const entries = definitionEntries(tree.entries);
  const size = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (size > TREE_LIMITS.bytes) {
    throw new MillraceError(
      "conflict",
      `The files total ${size} bytes, which is too large for one response.`,
      {
        remedy: "Clone the repository instead.",
        retryable: false,
      },
    );
  }
  const contents = await tree.read(entries);
  return entries.map(({ path, id }) => ({ path, bytes: contents.get(id) ?? Buffer.alloc(0) }));
}
