import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { resourcesAfter } from "../definitions/changes/plan.ts";
import { isPartOfDefinition } from "../definitions/loading/tree-path.ts";
import { type Problem, treeProblem } from "../definitions/problem.ts";
import { MillraceError } from "../errors/error.ts";
import type { CommitObjects } from "../git/managed/managed-branch.ts";
import type { Revision, Tree, TreeEntry } from "../git/revision.ts";
import { newUuid } from "../id.ts";
import type { Principal } from "../principals/principal.ts";
import type { Sealer } from "../secrets/seal.ts";
import { type ActiveDefinition, activeDefinition } from "./active-definition.ts";
import type {
  Application,
  Applied,
  AppliedFiles,
  Attempt,
  FactoryRecord,
  FactoryStore,
  FileChanges,
  FileContent,
  StoredFile,
} from "./factory.ts";
import type { Reason } from "./outcome.ts";
import type { Candidate } from "./steps.ts";

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

/** More problems than this are counted, not kept: a person reads the first ones, and the store keeps every attempt. */
const MAX_KEPT_PROBLEMS = 200;

/** What is recorded of an attempt, whatever comes of it. */
export function attemptOf(
  revision: Revision,
  { candidate, problems }: { candidate: Candidate | undefined; problems: readonly Problem[] },
  reason: Reason,
  principal: Principal | null,
  at: Date,
): Attempt {
  const changes = candidate?.changes ?? [];
  return {
    id: newUuid(),
    revision,
    at: at.toISOString(),
    problems: keep(problems),
    changes,
    reason,
    principal,
  };
}

/** What applying a candidate writes beside the attempt. */
export function written({
  definition: { factory },
  generation,
  newUids,
  credentials,
}: Candidate): Pick<Application, "expects" | "factoryName" | "alias" | "newUids" | "credentials"> {
  return { expects: generation, factoryName: factory.name, alias: factory.alias, newUids, credentials };
}

/** What is in force once a candidate was applied, which the store does only on what it was planned on. */
export function definitionAfter(
  { definition, stored, changes, newUids, credentials }: Candidate,
  { generation, at }: { generation: number; at: string },
  sealer: Sealer,
): ActiveDefinition {
  const resources = resourcesAfter(stored, changes, newUids, at);
  return activeDefinition(definition, { generation, resources, credentials }, sealer);
}

export async function restoreStatus(
  { uid, sync }: FactoryRecord,
  problems: Problem[],
  store: FactoryStore,
): Promise<void> {
  if (sync.status === "synced" && isDeepStrictEqual(problems, sync.problems)) return;
  await store.recordSynced(uid, problems);
}

export function keep(problems: readonly Problem[]): Problem[] {
  if (problems.length <= MAX_KEPT_PROBLEMS) return [...problems];
  const rest = `${problems.length - MAX_KEPT_PROBLEMS} more problems: run \`millrace validate\` to see all of them`;
  return [...problems.slice(0, MAX_KEPT_PROBLEMS), treeProblem("FF_INVALID_DOCUMENT", rest, "notice")];
}
