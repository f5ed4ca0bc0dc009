import { setImmediate as nextTick } from "node:timers/promises";
import type { Tree, TreeEntry } from "../../git/revision.ts";
import { checkTree } from "../check.ts";
import type { Skill, SkillFile } from "../definition.ts";
import {
  FILE_START,
  hasErrors,
  MAX_PROBLEMS_OF_TREE,
  type Problem,
  sortProblems,
  treeProblem,
} from "../problem.ts";
import { resolveTree } from "../resolve.ts";
import { skillFile, skillFolders } from "../skill.ts";
import type { WrittenFile, WrittenTree } from "../tree.ts";
import { isReadable, type LoadedFile, loadFile, type Resource, TREE_LIMITS } from "./load-file.ts";
import type { FilesLookup, Loaded } from "./loaded.ts";
import type { DataPath, ParsedFile } from "./parse.ts";
import { classifyPath, possiblePaths, strayFiles } from "./tree-path.ts";
import type { DefinitionSchema } from "./validate.ts";

/**
 * Reads, parses, validates and checks a tree, wherever that is done.
 * @param cacheName names what is remembered of the same source, so that an unchanged file is not read again; without it,
 * nothing is
 */
export type LoadTree = (tree: Tree, sourceName: string, cacheName?: string) => Promise<Loaded>;

/** What is known of files by path and content, so that an unchanged file is not read again. One per source. */
export type LoadCache = Map<string, LoadedFile>;

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
  if (tooLarge)
    return {
      definition: undefined,
      problems: [tooLarge],
      files: [],
      ...lookupIn(new Map()),
    };

  const { resources, problems: besideProblems } = resourcesIn(tree.entries);
  const loaded = await loadFiles(tree, resources, cache);

  const written: WrittenTree = {
    ...collect(resources, loaded),
    ...(tree.mayBeEmpty ? { mayBeEmpty: true } : {}),
  };
  const problems = sortProblems([
    ...loaded.flatMap((file) => file.problems),
    ...besideProblems,
    ...checkTree(written),
  ]);
  const files = loaded.flatMap(({ written }) => written?.file ?? []);
  return {
    definition: hasErrors(problems) ? undefined : resolveTree(written, sourceName),
    problems: theFirst(problems),
    files,
    ...lookupIn(new Map(files.map((file) => [file.path, file]))),
  };
}

/** Of a tree that has no end of problems, the first are enough, as long as that is said. */
function theFirst(problems: readonly Problem[]): Problem[] {
  if (problems.length <= MAX_PROBLEMS_OF_TREE) return [...problems];
  const left = problems.length - MAX_PROBLEMS_OF_TREE;
  const message = `${left} more problems are not listed: fix these first`;
  const severity = problems[MAX_PROBLEMS_OF_TREE]?.severity;
  return [...problems.slice(0, MAX_PROBLEMS_OF_TREE), treeProblem("FF_INVALID_DOCUMENT", message, severity)];
}

/** Answers questions about files, by their paths. */
export function lookupIn(
  files: Pick<ReadonlyMap<string, Pick<ParsedFile, "data" | "at">>, "get">,
): FilesLookup {
  return {
    locate: (path, at) => files.get(path)?.at(at) ?? FILE_START,
    valueAt: (path, at) => valueIn(files.get(path)?.data, at),
  };
}

function valueIn(data: unknown, at: DataPath): unknown {
  let value = data;
  for (const step of at) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
    value = (value as Record<string | number, unknown>)[step];
  }
  return value;
}

/** The files of a tree that loading reads; whatever else is there makes no difference to it. */
export function filesRead(entries: readonly TreeEntry[]): TreeEntry[] {
  return resourcesIn(entries)
    .resources.filter(isReadable)
    .map(({ entry }) => entry);
}

function resourcesIn(all: readonly TreeEntry[]) {
  const { entries, problems: pathProblems } = possiblePaths(all);
  const resources = entries
    .map((entry): Resource => ({ entry, place: classifyPath(entry.path) }))
    .filter(({ entry, place }) => place.kind !== "ignored" || isLinkedFolder(entry));
  const beside = besideSkills(entries, resources);
  const problems = [...pathProblems, ...beside.problems, ...strayFiles(entries)];
  return { resources: [...resources, ...beside.files], problems };
}

/** The files beside each SKILL.md, as far as they are taken. */
function besideSkills(entries: readonly TreeEntry[], resources: readonly Resource[]) {
  const skills = resources.filter(({ place }) => place.kind === "skill").map(({ entry }) => entry.path);
  const folders = [...skillFolders(entries, skills)];
  const files = folders.flatMap(([skill, { taken }]) =>
    taken.map((entry): Resource => ({ entry, place: { kind: "beside_skill", skill } })),
  );
  const problems = folders.flatMap(([path, { omission }]): Problem[] =>
    omission === undefined
      ? []
      : [{ code: "FF_INVALID_DOCUMENT", message: omission, path, ...FILE_START, severity: "warning" }],
  );
  return { files, problems };
}

function treeSizeProblem(entries: readonly TreeEntry[]): Problem | undefined {
  if (entries.length > TREE_LIMITS.files) {
    const message =
      `there are more than ${TREE_LIMITS.files} files, which is the limit for a definition: ` +
      "put the definition in a separate folder and set that folder with --path";
    return treeProblem("FF_INVALID_DOCUMENT", message);
  }
  const bytes = entries.reduce((sum, entry) => sum + entry.size, 0);
  if (bytes <= TREE_LIMITS.bytes) return undefined;
  const message =
    `the files total ${Math.ceil(bytes / 1024 / 1024)} MiB; the limit for a definition is ${TREE_LIMITS.bytes / 1024 / 1024} MiB: ` +
    "put the definition in a separate folder and set that folder with --path";
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
    outbound: ofKind("outbound"),
    scorers: ofKind("scorer"),
    suites: ofKind("benchmark_suite"),
    tasks: ofKind("benchmark_suite_task") as WrittenTree["tasks"],
    filterTests: ofKind("filter_test") as WrittenTree["filterTests"],
    skills: collectSkills(resources, loaded),
    outputSchemas: loaded.flatMap(({ outputSchema }) => outputSchema ?? []),
    present: resources.flatMap(({ entry, place }) =>
      "name" in place ? [{ kind: place.kind, name: place.name, path: entry.path }] : [],
    ),
  };
}

/** The skills that could be read, each with what lies beside it. */
function collectSkills(resources: readonly Resource[], loaded: readonly LoadedFile[]): Skill[] {
  const files = new Map<string, SkillFile[]>();
  for (const [index, { beside }] of loaded.entries()) {
    const { entry, place } = resources[index] ?? {};
    if (!beside || !entry || place?.kind !== "beside_skill") continue;
    files.set(place.skill, [...(files.get(place.skill) ?? []), skillFile(entry, place.skill, beside)]);
  }
  return loaded.flatMap(({ skill }) => {
    if (!skill) return [];
    const beside = files.get(skill.path);
    return [beside ? { ...skill, files: beside } : skill];
  });
}

const DEFINITION_FOLDERS =
  /^(agents|automations|webhooks|outbound|runners|scorers|benchmarks|skills)(\/[^/]+)?$/;

/** A link or submodule where a folder of definitions could be would hide what is meant to be there. */
function isLinkedFolder(entry: TreeEntry): boolean {
  return entry.kind !== "file" && DEFINITION_FOLDERS.test(entry.path);
}
