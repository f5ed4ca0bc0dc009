import { setImmediate as nextTick } from "node:timers/promises";
import type { Tree, TreeEntry } from "../git/revision.ts";
import { checkFile, checkTree } from "./check.ts";
import type { Definition } from "./definition.ts";
import { type DataPath, parseMarkdown, parseYaml } from "./parse.ts";
import {
  FILE_START,
  hasErrors,
  type Position,
  type Problem,
  type ProblemCode,
  type Severity,
  sortProblems,
  treeProblem,
} from "./problem.ts";
import { resolveTree } from "./resolve.ts";
import { readSkill } from "./skill.ts";
import type { WrittenFile, WrittenTree } from "./tree.ts";
import { classifyPath, type TreePath } from "./tree-path.ts";
import { type DefinitionSchema, validate } from "./validate.ts";

/** What a definition tree may measure at most. */
export const TREE_LIMITS = { files: 10_000, bytes: 64 * 1024 * 1024, fileBytes: 256 * 1024 } as const;

/** A tree that has been read: what it says when it is valid, and everything that is to be said about it. */
export interface Loaded {
  definition: Definition | undefined;
  problems: Problem[];
  /** Where a value stands in a file of the tree, for problems that only the server can see. */
  locate(path: string, at: DataPath): Position;
}

/** What is known of files by path and content, so that an unchanged file is not read again. One per source. */
export type LoadCache = Map<string, LoadedFile>;

interface LoadedFile {
  written: WrittenFile<unknown> | undefined;
  skill: WrittenTree["skills"][number] | undefined;
  problems: Problem[];
}

/** Long work gives way to requests this often. */
const SLICE_MS = 8;

/**
 * Reads, parses, validates and checks a definition tree. All problems are collected; with an error among them there
 * is no definition.
 * @param sourceName names a factory that has no factory.yaml
 */
export async function loadDefinition(
  tree: Tree,
  sourceName: string,
  cache: LoadCache = new Map(),
): Promise<Loaded> {
  const tooLarge = treeSizeProblem(tree.entries);
  if (tooLarge) return { definition: undefined, problems: [tooLarge], locate: () => FILE_START };

  const resources = tree.entries
    .map((entry) => ({ entry, place: classifyPath(entry.path) }))
    .filter(({ entry, place }) => place.kind !== "ignored" || isLinkedFolder(entry));
  const loaded = await loadFiles(tree, resources, cache);

  const written = collect(resources, loaded);
  const problems = sortProblems([...loaded.flatMap((file) => file.problems), ...checkTree(written)]);
  const files = new Map(loaded.flatMap(({ written }) => (written ? [[written.path, written.file]] : [])));
  return {
    definition: hasErrors(problems) ? undefined : resolveTree(written, sourceName),
    problems,
    locate: (path, at) => files.get(path)?.at(at) ?? FILE_START,
  };
}

interface Resource {
  entry: TreeEntry;
  place: TreePath;
}

function treeSizeProblem(entries: readonly TreeEntry[]): Problem | undefined {
  if (entries.length > TREE_LIMITS.files) {
    const message =
      `the tree holds ${entries.length} files; a definition may hold ${TREE_LIMITS.files}: ` +
      "keep it in a folder of its own and name that folder with --path";
    return treeProblem("FF_INVALID_DOCUMENT", message);
  }
  const bytes = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (bytes <= TREE_LIMITS.bytes) return undefined;
  const message =
    `the tree holds ${Math.ceil(bytes / 1024 / 1024)} MiB; a definition may hold ${TREE_LIMITS.bytes / 1024 / 1024}: ` +
    "keep it in a folder of its own and name that folder with --path";
  return treeProblem("FF_INVALID_DOCUMENT", message);
}

async function loadFiles(
  tree: Tree,
  resources: readonly Resource[],
  cache: LoadCache,
): Promise<LoadedFile[]> {
  const keyOf = ({ entry }: Resource) => `${entry.path}\0${entry.id}`;
  const unknown = resources.filter((resource) => !cache.has(keyOf(resource)) && isReadable(resource));
  const blobs = await tree.read(unknown.map(({ entry }) => entry));
  let sliceStart = performance.now();
  const loaded: LoadedFile[] = [];
  for (const resource of resources) {
    const file = cache.get(keyOf(resource)) ?? loadFile(resource, blobs.get(resource.entry.id));
    loaded.push(file);
    if (performance.now() - sliceStart > SLICE_MS) {
      await nextTick();
      sliceStart = performance.now();
    }
  }
  cache.clear();
  resources.forEach((resource, index) => {
    const file = loaded[index];
    if (file) cache.set(keyOf(resource), file);
  });
  return loaded;
}

function isReadable({ entry, place }: Resource): boolean {
  return entry.kind === "file" && entry.size <= TREE_LIMITS.fileBytes && place.kind !== "unsupported";
}

function loadFile({ entry, place }: Resource, bytes: Buffer | undefined): LoadedFile {
  const severity = BROKEN[place.kind] ?? "error";
  const broken = (code: ProblemCode, message: string): LoadedFile => ({
    written: undefined,
    skill: undefined,
    problems: [{ code, message, path: entry.path, ...FILE_START, severity }],
  });
  if (entry.kind === "symlink")
    return broken("FF_INVALID_DOCUMENT", "is a symbolic link, which is not followed: put the file here");
  if (entry.kind === "submodule")
    return broken("FF_INVALID_DOCUMENT", "is a submodule, which is not fetched: put the files here");
  if (place.kind === "unsupported") {
    return broken(
      "FF_UNSUPPORTED_PATH",
      `looks like a definition, but not at its place: expected ${place.expected}`,
    );
  }
  if (entry.size > TREE_LIMITS.fileBytes) {
    return broken(
      "FF_INVALID_DOCUMENT",
      `has ${entry.size} bytes; a definition file may have ${TREE_LIMITS.fileBytes}`,
    );
  }
  const text = decodeUtf8(bytes ?? Buffer.alloc(0));
  if (text === undefined) return broken("FF_INVALID_DOCUMENT", "is not UTF-8 text");
  if (text.includes("\0")) return broken("FF_INVALID_DOCUMENT", "holds a NUL character, so it is not text");
  if (place.kind === "ignored") return { written: undefined, skill: undefined, problems: [] };
  if (place.kind === "skill") {
    return { written: undefined, skill: readSkill(entry.path, place, text), problems: [] };
  }
  const read = loadResource(entry.path, place, text);
  return place.kind === "filter_test" ? { ...read, problems: read.problems.map(notRun) } : read;
}

/**
 * How bad it is when a file cannot be read. A skill is content that agents read, and what stands in the place of a test is
 * anybody's in the public format: they are left out, and the rest is none the worse for it.
 */
const BROKEN: Partial<Record<TreePath["kind"], Severity>> = { skill: "warning", filter_test: "notice" };

function notRun(problem: Problem): Problem {
  return { ...problem, message: `is not run as a test: ${problem.message}`, severity: "notice" };
}

function loadResource(
  path: string,
  place: { kind: DefinitionSchema; name: string; suite?: string; automation?: string },
  text: string,
): LoadedFile {
  const parsed = path.endsWith(".md") ? parseMarkdown(path, text) : parseYaml(path, text);
  if ("problems" in parsed) return { written: undefined, skill: undefined, problems: parsed.problems };
  const violations = validate(place.kind, parsed.file);
  if (violations.length > 0) return { written: undefined, skill: undefined, problems: violations };
  const { kind, ...names } = place;
  const written = { ...names, path, data: parsed.file.data, file: parsed.file };
  return { written, skill: undefined, problems: checkFile(kind, written) };
}

function collect(resources: readonly Resource[], loaded: readonly LoadedFile[]): WrittenTree {
  const ofKind = <Data>(kind: DefinitionSchema) =>
    loaded.flatMap(({ written }, index) =>
      written && resources[index]?.place.kind === kind ? [written as WrittenFile<Data>] : [],
    );
  return {
    factory: ofKind<NonNullable<WrittenTree["factory"]>["data"]>("factory")[0],
    agents: ofKind("agent"),
    automations: ofKind("automation"),
    runners: ofKind("runner"),
    webhooks: ofKind("webhook"),
    scorers: ofKind("scorer"),
    suites: ofKind("benchmark_suite"),
    tasks: ofKind("benchmark_suite_task") as WrittenTree["tasks"],
    filterTests: ofKind("filter_test") as WrittenTree["filterTests"],
    skills: loaded.flatMap(({ skill }) => (skill ? [skill] : [])),
    present: resources.flatMap(({ entry, place }) =>
      "name" in place ? [{ kind: place.kind, name: place.name, path: entry.path }] : [],
    ),
  };
}

const DEFINITION_FOLDERS = /^(agents|automations|webhooks|runners|scorers|benchmarks|skills)(\/[^/]+)?$/;

/** A link or submodule where a folder of definitions could be would hide what is meant to be there. */
function isLinkedFolder(entry: TreeEntry): boolean {
  return entry.kind !== "file" && DEFINITION_FOLDERS.test(entry.path);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The text of a file without a leading byte order mark, or nothing when the bytes are not UTF-8. */
function decodeUtf8(bytes: Buffer): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
