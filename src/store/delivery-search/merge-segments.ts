import type { Database } from "../sqlite/database.ts";
import { readPositions, writePostings } from "./postings.ts";
import { byBytes, countOf, ID_BYTES, idAt } from "./segment.ts";
import { blocksFrom } from "./segment-rows.ts";
import { blockWriter, bytesIn, type Entry, entriesOf, type TermBlock } from "./term-blocks.ts";

/** What one step of a merge makes: two tenths of a megabyte. */
const BLOCKS_PER_STEP = 50;

/** A part of a segment that takes the place of others. */
export interface MergeStep {
  segment: number;
  blocks: TermBlock[];
  /** The last term that was read; nothing when all are. */
  upTo: Uint8Array | null;
}

/** Of a merged segment: its ids in order without those that are left out, and where each delivery of the merged ones is. */
export interface MergedIds {
  ids: Uint8Array;
  /** For each merged segment and each position in it; -1 for what is left out. */
  positions: Int32Array[];
}

/** Puts the deliveries of several segments in the order of their ids. */
export function mergeIds(segments: readonly Uint8Array[], leftOut: ReadonlySet<string>): MergedIds {
  const all = segments.flatMap((ids, from) =>
    Array.from({ length: countOf(ids) }, (_, at) => ({ id: idAt(ids, at), from, at })),
  );
  all.sort((a, b) => byBytes(a.id, b.id) || a.from - b.from);
  const positions = segments.map((ids) => new Int32Array(countOf(ids)).fill(-1));
  const kept = all.filter(({ id }) => !leftOut.has(id));
  const ids = new Uint8Array(kept.length * ID_BYTES);
  for (const [position, { from, at }] of kept.entries()) {
    const source = segments[from] ?? new Uint8Array();
    ids.set(source.subarray(at * ID_BYTES, (at + 1) * ID_BYTES), position * ID_BYTES);
    const mapped = positions[from];
    if (mapped) mapped[at] = position;
  }
  return { ids, positions };
}

/** Of the terms of a segment, the next one. */
interface Input {
  positions: Int32Array;
  head: Entry | undefined;
  /** Goes to the next term. @returns what has to be waited for, where a block ends */
  advance(): Promise<void> | undefined;
}

/** Merges some of the terms of a segment that is being made, after those that it has. */
export async function mergeStep(
  db: Database,
  segment: number,
  merged: readonly number[],
  { ids, positions }: MergedIds,
  after: Uint8Array | null,
): Promise<MergeStep> {
  const deliveries = countOf(ids);
  const inputs: Input[] = [];
  for (const [index, each] of merged.entries())
    inputs.push(await openInput(db, each, positions[index] ?? new Int32Array(), after));
  const writer = blockWriter();
  let last = "";
  while (writer.count < BLOCKS_PER_STEP) {
    const term = smallest(inputs);
    if (term === undefined) return { segment, blocks: writer.end(), upTo: null };
    const found: number[] = [];
    for (const input of inputs) {
      if (input.head?.term !== term) continue;
      addPositions(found, input.head, input.positions);
      const loading = input.advance();
      if (loading) await loading;
    }
    found.sort((a, b) => a - b);
    if (found.length > 0) writer.add(term, writePostings(found, deliveries));
    last = term;
  }
  return { segment, blocks: writer.end(), upTo: bytesIn(last) };
}

async function openInput(
  db: Database,
  segment: number,
  positions: Int32Array,
  after: Uint8Array | null,
): Promise<Input> {
  const blocks = blocksFrom(db, segment, after ?? new Uint8Array());
  let entries: Generator<Entry> | undefined;
  const load = async () => {
    const { value } = await blocks.next();
    entries = value && entriesOf(value);
    await (entries ? input.advance() : undefined);
  };
  const input: Input = {
    positions,
    head: undefined,
    advance() {
      const next = entries?.next();
      input.head = next?.done === false ? next.value : undefined;
      return next?.done === true ? load() : undefined;
    },
  };
  await load();
  const last = after === null ? undefined : Buffer.from(after).toString("latin1");
  while (last !== undefined && input.head && input.head.term <= last) await input.advance();
  return input;
}

function smallest(inputs: readonly Input[]): string | undefined {
  let term: string | undefined;
  for (const { head } of inputs) if (head && (term === undefined || head.term < term)) term = head.term;
  return term;
}

function addPositions(found: number[], { kind, postings }: Entry, positions: Int32Array): void {
  for (const at of readPositions(kind, postings, positions.length)) {
    const position = positions[at] ?? -1;
    if (position >= 0) found.push(position);
  }
}
