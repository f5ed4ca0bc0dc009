import { MillraceError } from "../errors/error.ts";
import { SourceError, type Tree, type TreeEntry } from "../git/revision.ts";
import type { FactoryStore } from "./factory.ts";
import type { AppliedFiles } from "./revision-files.ts";
import type { Subject } from "./subject.ts";

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
