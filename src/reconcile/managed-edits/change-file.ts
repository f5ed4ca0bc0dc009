import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { Automation } from "../../definitions/definition.ts";
import { classifyPath } from "../../definitions/loading/tree-path.ts";
import { MillraceError } from "../../errors/error.ts";
import type { FileEdit } from "../../git/managed/managed-branch.ts";
import { blobId } from "../../git/managed/write-commit.ts";
import type { Tree, TreeEntry } from "../../git/revision.ts";
import type { ActiveDefinition } from "../active-definition.ts";
import type { Editable, Edits } from "./edit.ts";
import { checkDefinitionPath, placesIn } from "./new-path.ts";

/** A file of a definition that is to be another, or none. */
export interface FileChange {
  path: string;
  /** Null takes the file away. */
  content: Buffer | null;
  /** Left out, the file stays what it is. */
  executable?: boolean;
  check: Precondition;
}

/**
 * Writes files of a definition and takes some away, together; each is held against what those before it have made.
 * @param message what the commit says, unless there is but one file, whose path says enough
 */
export function changeFiles(
  changes: readonly FileChange[],
  message: string | undefined,
  { tree, factory }: Pick<Editable, "tree" | "factory">,
): Edits | undefined {
  const places = placesIn(tree);
  const titles: string[] = [];
  const files: FileEdit[] = [];
  for (const change of changes) {
    const before = places.find(change.path);
    const edit = change.content === null ? removal(change, before, factory.name) : writing(change, before);
    if (!edit) continue;
    titles.push(`${edit.content === null ? "Delete" : before ? "Change" : "Add"} ${edit.path}`);
    files.push(edit);
    if (edit.content === null) places.remove(edit.path);
    else places.put(entryOf(edit.path, edit.content, edit.executable));
  }
  const [title] = titles;
  if (title === undefined) return undefined;
  return { message: message ?? (titles.length > 1 ? `Change ${titles.length} files` : title), files };
}

function writing(
  { path, content, check, ...rest }: FileChange,
  before: TreeEntry | undefined,
): FileEdit | undefined {
  const executable = rest.executable ?? before?.executable ?? false;
  checkDefinitionPath(path);
  check(before && fileTag(before));
  const edit = { path, content: content ?? Buffer.alloc(0), ...(executable ? { executable } : {}) };
  const isSame = before && fileTag(before) === fileTag(entryOf(path, edit.content, executable));
  return isSame ? undefined : edit;
}

function removal({ path, check }: FileChange, before: TreeEntry | undefined, factory: string): FileEdit {
  if (!before) throw noFile(path, factory);
  check(fileTag(before));
  checkDefinitionPath(path);
  return { path, content: null };
}

function entryOf(path: string, content: Buffer, executable = false): TreeEntry {
  const id = blobId(content);
  return { path, kind: "file", size: content.length, id, ...(executable ? { executable } : {}) };
}

/** A file of the revision in force. @throws MillraceError `resource_not_found` */
export function fileOf(path: string, tree: Tree, factory: string): TreeEntry {
  const found = findEntry(tree, path);
  if (found) return found;
  throw noFile(path, factory);
}

function noFile(path: string, factory: string): MillraceError {
  return new MillraceError(
    "resource_not_found",
    `The definition of "${factory}" has no file ${JSON.stringify(path.slice(0, 200))}.`,
    { remedy: "Its files are listed at /files, with paths relative to the root of the definition." },
  );
}

/** An automation in force, by its name or its uid. */
export function findAutomation(
  nameOrUid: string,
  { resources }: Pick<ActiveDefinition, "resources">,
): StoredResource | undefined {
  const live = resources.filter(({ kind, deleted }) => kind === "automation" && !deleted);
  return live.find(({ name }) => name === nameOrUid) ?? live.find(({ uid }) => uid === nameOrUid);
}

/** Where the file of an automation is, or where that of a new one goes. @throws MillraceError `invalid_request` */
export function pathOfAutomation(nameOrUid: string, active: Pick<ActiveDefinition, "resources">): string {
  const found = findAutomation(nameOrUid, active);
  if (found) return (JSON.parse(found.body) as Automation).path;
  const path = `automations/${nameOrUid}/automation.md`;
  const place = classifyPath(path);
  if (place.kind === "automation" && place.name === nameOrUid) return path;
  throw new MillraceError(
    "invalid_request",
    `name: ${JSON.stringify(nameOrUid.slice(0, 200))} is not a valid automation name.`,
    {
      remedy:
        "Use at most 128 characters that are valid in a folder name, without / and not starting with a dot.",
      extra: { field: "name" },
    },
  );
}

/** Takes an automation away, with the tests that are in its folder. @throws MillraceError `resource_not_found` */
export function deleteAutomation(nameOrUid: string, check: Precondition, current: Editable): Edits {
  const { tree, active, factory } = current;
  const found = findAutomation(nameOrUid, active);
  const entry = found && findEntry(tree, found.path);
  if (!found || !entry) {
    throw new MillraceError(
      "resource_not_found",
      `The factory "${factory.name}" has no automation "${nameOrUid}".`,
      {
        remedy: "`millrace automations list` shows its automations.",
      },
    );
  }
  check(fileTag(entry));
  const tests = tree.entries.filter(({ path }) => path.startsWith(`automations/${found.name}/tests/`));
  return {
    message: `Delete the automation ${found.name}`,
    files: [entry, ...tests].map(({ path }) => ({ path, content: null })),
  };
}

/** Refuses an edit that was made of something else than what is there now. @throws MillraceError `precondition_failed` */
export type Precondition = (tag: string | undefined) => void;

/** Tells one state of a resource from another, as an entity tag (RFC 9110, 8.8.3). */
export function resourceTag({ fingerprint }: Pick<StoredResource, "fingerprint">): string {
  return `"${fingerprint}"`;
}

/** Tells one content of a file from another. */
export function fileTag({ id, executable }: Pick<TreeEntry, "id" | "executable">): string {
  return `"${id}${executable ? "-x" : ""}"`;
}

export function findEntry({ entries }: Tree, path: string): TreeEntry | undefined {
  return entries.find((entry) => entry.path === path && entry.kind === "file");
}
