import { createHash } from "node:crypto";
import { isPartOfDefinition } from "../definitions/loading/tree-path.ts";
import { MillraceError } from "../errors/error.ts";
import type { CommitObjects } from "../git/managed/managed-branch.ts";
import type { Tree, TreeEntry } from "../git/revision.ts";
import type { Application, Applied, FactoryStore } from "./factory.ts";
import type { AppliedFiles, FileChanges, FileContent, StoredFile } from "./revision-files.ts";

/** Whoever applies something else to the factory has come first so often that something is wrong. */
const MAX_ATTEMPTS = 5;

/**
 * Applies a revision together with its files, so that it can be had without its source, and with the objects of a commit
 * that millrace has made. Only files that differ from what
 * was applied last are read and sent.
 * @throws SourceError when they cannot be read
 */
export async function applyWithFiles(
  factoryUid: string,
  application: Application,
  { tree, history: reading }: { tree: Tree; history: Promise<CommitObjects | undefined> | undefined },
  store: Pick<FactoryStore, "findFiles" | "apply">,
): Promise<Applied> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const [history, last] = await Promise.all([reading, store.findFiles(factoryUid)]);
    const files = await compareFiles(tree, last);
    const applied = await store.apply(factoryUid, { ...application, files, ...(history && { history }) });
    if (applied !== "files moved") return applied;
  }
  throw new MillraceError("service_unavailable", "Other changes are being applied to the factory.", {
    retryAfter: 5,
  });
}

/** Stores the files of the revision in force, where it was applied by a version that did not store them. */
export async function keepActiveFiles(
  factoryUid: string,
  tree: Tree,
  store: Pick<FactoryStore, "findFiles" | "keepFiles">,
): Promise<void> {
  const last = await store.findFiles(factoryUid);
  if (last?.revision.id === tree.revision.id) return;
  await store.keepFiles(factoryUid, tree.revision.id, await compareFiles(tree, last));
}

/** How the files of a definition differ from those that were applied last, with what is in those that do. */
export async function compareFiles(tree: Tree, last: AppliedFiles | undefined): Promise<FileChanges> {
  const before = new Map(last?.files.map((file) => [file.path, file]));
  const entries = tree.entries.filter(({ path }) => isPartOfDefinition(path));
  const changed = entries.filter((entry) => !isSame(entry, before.get(entry.path)));
  const paths = new Set(entries.map(({ path }) => path));
  const read = await tree.read(changed.filter(({ kind }) => kind === "file"));
  const contents = new Map<string, FileContent>();
  const written = changed.map((entry): StoredFile => {
    const bytes = entry.kind === "file" ? read.get(entry.id) : undefined;
    // A folder does not read what is larger than any file of a definition.
    if (bytes?.length !== entry.size) return { ...entry, hash: null };
    const hash = createHash("sha256").update(bytes).digest();
    contents.set(hash.toString("hex"), { hash, bytes });
    return { ...entry, hash };
  });
  return {
    since: last?.number ?? 0,
    removed: [...before.keys()].filter((path) => !paths.has(path)),
    written,
    contents: [...contents.values()],
  };
}

function isSame(entry: TreeEntry, before: TreeEntry | undefined): boolean {
  return (
    before?.id === entry.id &&
    before.kind === entry.kind &&
    before.size === entry.size &&
    before.executable === entry.executable
  );
}
