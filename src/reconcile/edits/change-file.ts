import type { Automation } from "../../definitions/definition.ts";
import type { StoredResource } from "../../definitions/plan.ts";
import { classifyPath } from "../../definitions/tree-path.ts";
import { MillraceError } from "../../error.ts";
import { blobId, editTree } from "../../git/edit-tree.ts";
import type { FileEdit } from "../../git/own-branch.ts";
import type { Tree, TreeEntry } from "../../git/revision.ts";
import type { Editable, Edits } from "../edit.ts";
import type { ServedDefinition } from "../served.ts";
import { checkDefinitionPath, checkPlaceIsFree } from "./new-path.ts";
import { fileTag, findEntry, type Precondition } from "./tag.ts";

/** Writes a file of a definition, a new one or another content of one that is there. */
export function putFile(
  file: { path: string; content: Buffer; executable?: boolean },
  check: Precondition,
  { tree }: Pick<Editable, "tree">,
): Edits | undefined {
  const { path, content } = file;
  checkDefinitionPath(path);
  const before = findEntry(tree, path);
  check(before && fileTag(before));
  if (!before) checkPlaceIsFree(tree, path);
  const executable = file.executable ?? before?.executable ?? false;
  if (before?.id === blobId(content) && (before.executable ?? false) === executable) return undefined;
  const edit: FileEdit = { path, content, ...(executable ? { executable } : {}) };
  return { message: `${before ? "Change" : "Add"} ${path}`, files: [edit] };
}

/** Takes a file away. @throws MillraceError `resource_not_found` */
export function deleteFile(path: string, check: Precondition, { tree, factory }: Editable): Edits {
  const before = findEntry(tree, path);
  if (!before) throw noFile(path, factory.name);
  check(fileTag(before));
  checkDefinitionPath(path);
  return { message: `Delete ${path}`, files: [{ path, content: null }] };
}

/** One of several changes that are made together. */
export interface FileChange {
  path: string;
  /** Null takes the file away. */
  content: Buffer | null;
  executable?: boolean;
  check: Precondition;
}

/** Writes and takes away several files together; each is held against what the ones before it have made. */
export function changeFiles(
  changes: readonly FileChange[],
  message: string | undefined,
  current: Editable,
): Edits | undefined {
  let { tree } = current;
  const files: FileEdit[] = [];
  for (const { path, content, check, ...rest } of changes) {
    const edits =
      content === null
        ? deleteFile(path, check, { ...current, tree })
        : putFile({ path, content, ...rest }, check, { tree });
    if (!edits) continue;
    files.push(...edits.files);
    tree = editTree(tree, edits.files, tree.revision);
  }
  const count = `${files.length} file${files.length === 1 ? "" : "s"}`;
  return files.length === 0 ? undefined : { message: message ?? `Change ${count}`, files };
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
    { remedy: "Its files are listed at /files, by their paths below the root of the definition." },
  );
}

/** An automation in force, by its name or its uid. */
export function findAutomation(
  nameOrUid: string,
  { resources }: Pick<ServedDefinition, "resources">,
): StoredResource | undefined {
  const live = resources.filter(({ kind, deleted }) => kind === "automation" && !deleted);
  return live.find(({ name }) => name === nameOrUid) ?? live.find(({ uid }) => uid === nameOrUid);
}

/** Where the file of an automation is, or where that of a new one goes. @throws MillraceError `invalid_request` */
export function pathOfAutomation(nameOrUid: string, served: Pick<ServedDefinition, "resources">): string {
  const found = findAutomation(nameOrUid, served);
  if (found) return (JSON.parse(found.body) as Automation).path;
  const path = `automations/${nameOrUid}/automation.md`;
  const place = classifyPath(path);
  if (place.kind === "automation" && place.name === nameOrUid) return path;
  throw new MillraceError(
    "invalid_request",
    `name: ${JSON.stringify(nameOrUid.slice(0, 200))} cannot name an automation.`,
    {
      remedy:
        "Use at most 128 characters that a folder can be named by, without / and not beginning with a dot.",
      extra: { field: "name" },
    },
  );
}

/** Takes an automation away, with the tests that are in its folder. @throws MillraceError `resource_not_found` */
export function deleteAutomation(nameOrUid: string, check: Precondition, current: Editable): Edits {
  const { tree, served, factory } = current;
  const found = findAutomation(nameOrUid, served);
  const entry = found && findEntry(tree, found.path);
  if (!found || !entry) {
    throw new MillraceError(
      "resource_not_found",
      `The factory "${factory.name}" has no automation "${nameOrUid}".`,
      {
        remedy: "`millrace automations list` shows those it has.",
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
