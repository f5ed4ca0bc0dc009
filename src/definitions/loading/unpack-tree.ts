import { setImmediate as nextTick } from "node:timers/promises";
import type { Definition } from "../definition.ts";
import { lookupIn } from "./load.ts";
import type { PackedTree } from "./load-messages.ts";
import type { Loaded } from "./loaded.ts";
import type { ParsedFile } from "./parse.ts";
import { type Places, placeAt } from "./places.ts";

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
