import { setImmediate as nextTick } from "node:timers/promises";
import type { TreeEntry } from "../../git/revision.ts";
import type { Definition } from "../definition.ts";
import type { Problem } from "../problem.ts";
import { lookupIn } from "./load.ts";
import type { Loaded } from "./loaded.ts";
import { type ParsedFile, type Places, placeAt } from "./parse.ts";

/** What the thread is asked: to load a tree, and then, each time that it wants the bytes of files, those. */
export type ToLoad =
  | { entries: TreeEntry[]; mayBeEmpty: boolean; sourceName: string; cacheName: string | undefined }
  | { sizes: readonly number[]; bytes: ArrayBuffer };

/** What it answers: the places in the list of those entries whose bytes it wants, or what has come of the tree. */
export type FromLoad = { wants: number[] } | PackedTree;

/**
 * A tree that has been loaded, in a few blocks of bytes and numbers: to receive those costs nothing, and they are read piece by
 * piece, so that whoever receives them answers others in between.
 */
interface PackedTree {
  problems: Problem[];
  /** How many there are of each kind of resource; nothing for a tree that is not valid. */
  kinds: [kind: string, count: number][] | undefined;
  /** Files that places are known of. */
  paths: string[];
  /** JSON: the factory, each resource in the order of `kinds`, what each file says in the order of `paths`. */
  texts: { bytes: ArrayBuffer; ends: number[] };
  /** Of each file in the order of `paths`: its entries, then its lines (Places). */
  numbers: { values: Uint32Array<ArrayBuffer>; ends: number[] };
}

/** Puts what was loaded into blocks. @returns these too, since they can be moved */
export function packTree({ definition, problems, files }: Loaded): {
  tree: PackedTree;
  moved: ArrayBuffer[];
} {
  // Nobody asks where something stands in a tree that is not valid: its problems have said so.
  const shown = definition ? files : [];
  const { factory, ...resources } = definition ?? { factory: undefined };
  const lists = Object.entries(resources as Omit<Definition, "factory">);
  const texts = packTexts([
    ...(factory ? [factory] : []),
    ...lists.flatMap(([, list]) => list as unknown[]),
    ...shown.map(({ data }) => data),
  ]);
  const numbers = packNumbers(shown.flatMap(({ places }) => [places.entries, places.lines]));
  const tree: PackedTree = {
    problems,
    kinds: definition && lists.map(([kind, list]) => [kind, list.length]),
    paths: shown.map(({ path }) => path),
    texts,
    numbers,
  };
  return { tree, moved: [texts.bytes, numbers.values.buffer] };
}

function packTexts(values: readonly unknown[]): PackedTree["texts"] {
  const ends: number[] = [];
  const parts: Buffer[] = [];
  let size = 0;
  for (const value of values) {
    const part = Buffer.from(JSON.stringify(value));
    size += part.length;
    parts.push(part);
    ends.push(size);
  }
  const bytes = new ArrayBuffer(size);
  const all = Buffer.from(bytes);
  let at = 0;
  for (const part of parts) at += part.copy(all, at);
  return { bytes, ends };
}

function packNumbers(lists: readonly Uint32Array[]): PackedTree["numbers"] {
  const values = new Uint32Array(lists.reduce((sum, list) => sum + list.length, 0));
  const ends: number[] = [];
  let at = 0;
  for (const list of lists) {
    values.set(list, at);
    at += list.length;
    ends.push(at);
  }
  return { values, ends };
}

/** Reading gives way to requests this often. */
const SLICE_MS = 8;

/** Makes of the blocks of a thread what was loaded there. What files say is read when somebody asks for it. */
export async function unpackTree({
  problems,
  kinds,
  paths,
  texts,
  numbers,
}: PackedTree): Promise<Omit<Loaded, "files">> {
  const textAt = (index: number): string =>
    Buffer.from(texts.bytes).toString("utf8", texts.ends[index - 1] ?? 0, texts.ends[index]);
  const listAt = (index: number): Uint32Array =>
    numbers.values.subarray(numbers.ends[index - 1] ?? 0, numbers.ends[index]);
  const definition = kinds && (await readDefinition(kinds, textAt));
  const firstFile = texts.ends.length - paths.length;
  const indexes = new Map(paths.map((path, index) => [path, index]));
  const files = new Map<string, Pick<ParsedFile, "data" | "at">>();
  const fileAt = (path: string) => {
    const index = indexes.get(path);
    if (index === undefined) return undefined;
    const places: Places = { entries: listAt(2 * index), lines: listAt(2 * index + 1) };
    const file = files.get(path) ?? readFile(textAt(firstFile + index), places);
    files.set(path, file);
    return file;
  };
  return { definition, problems, ...lookupIn({ get: fileAt }) };
}

async function readDefinition(
  kinds: NonNullable<PackedTree["kinds"]>,
  textAt: (index: number) => string,
): Promise<Definition> {
  const definition: Record<string, unknown> = { factory: JSON.parse(textAt(0)) };
  let next = 1;
  let sliceStart = performance.now();
  for (const [kind, count] of kinds) {
    const list: unknown[] = [];
    for (const end = next + count; next < end; next += 1) {
      list.push(JSON.parse(textAt(next)));
      if (performance.now() - sliceStart <= SLICE_MS) continue;
      await nextTick();
      sliceStart = performance.now();
    }
    definition[kind] = list;
  }
  return definition as unknown as Definition;
}

function readFile(text: string, places: Places): Pick<ParsedFile, "data" | "at"> {
  const data = JSON.parse(text) as ParsedFile["data"];
  return { data, at: (path) => placeAt(places, data, path) };
}
