import type { ListingBacklog } from "../../changes/log.ts";
import { type Database, placeholders } from "../sqlite/database.ts";
import {
  addAgain,
  addNew,
  addOld,
  findSearchBacklog,
  type NewBatch,
  type OldBatch,
  readNew,
  readOld,
} from "./search-progress.ts";
import {
  blockWriter,
  byBytes,
  bytesIn,
  countOf,
  type Entry,
  entriesOf,
  ID_BYTES,
  idAt,
  readPositions,
  type TermBlock,
  writePostings,
} from "./segment.ts";
import {
  blocksFrom,
  type GoneWork,
  goneDue,
  goneWithin,
  idsIn,
  insertBlocks,
  insertRow,
  type Part,
  readySegments,
  type SegmentRow,
} from "./segment-rows.ts";

/**
 * Makes deliveries findable after they were committed: what is to be written is prepared by reading, so that the thread
 * that accepts deliveries spends no time on their words.
 */
export interface DeliverySearchStore {
  listUnsearched(limit: number): Promise<NewBatch>;
  /** @returns what is left */
  addSearched(batch: NewBatch): Promise<ListingBacklog>;
  findBacklog(): Promise<ListingBacklog>;
  /** The next step that keeps the search small and fast; nothing when all is done. */
  listUpkeep(now: string): Promise<Upkeep | undefined>;
  keepUp(upkeep: Upkeep): Promise<void>;
}

export function deliverySearchStore(db: Database): DeliverySearchStore {
  return {
    listUnsearched: (limit) => readNew(db, limit),
    addSearched: (batch) => addNew(db, batch),
    findBacklog: () => findSearchBacklog(db),
    listUpkeep: upkeepReader(db),
    keepUp: (upkeep) => keepUp(db, upkeep),
  };
}

/** So many deliveries a step, of those from before the search existed. */
const OLD_PER_STEP = 256;
/** From how many deliveries on a segment is of the next size. The largest are merged no more. */
const SIZES = [256, 4_096, 16_384];
/** So many of one size are merged, also when they are small. */
const MAX_OF_A_SIZE = 16;
const SWEPT_PER_STEP = 200;

/** A step that keeps the search small and fast, prepared by reading. */
type Upkeep = UpkeepStep & {
  /** How many steps there were before it: servers that share a store may prepare the same one. */
  before: number;
};

type UpkeepStep =
  | { kind: "sweep"; segment: number }
  | { kind: "begin"; part: Part; merged: number[]; ids: Uint8Array; gone: string[] }
  | { kind: "merge"; step: MergeStep; part: Part }
  | GoneWork
  | { kind: "old"; batch: OldBatch };

/** Reads what is to be done next; each step takes some milliseconds. */
function upkeepReader(db: Database): (now: string) => Promise<Upkeep | undefined> {
  const findStep = stepReader(db);
  return async (now) => {
    const progress = await db.first<{ steps: number }>("SELECT steps FROM delivery_search_progress");
    const step = await findStep(now);
    return step && { ...step, before: progress?.steps ?? 0 };
  };
}

function stepReader(db: Database): (now: string) => Promise<UpkeepStep | undefined> {
  /** The order of a merge is the same for all of its steps. */
  let remembered: { key: string; ids: MergedIds } | undefined;

  async function nextStep(): Promise<UpkeepStep | undefined> {
    const building = await db.first<
      Pick<SegmentRow, "segment" | "part" | "first_id" | "last_id"> & { made_up_to: Uint8Array | null }
    >(
      "SELECT segment, part, first_id, last_id, made_up_to FROM delivery_segments WHERE state = 'building' LIMIT 1",
    );
    if (!building) return undefined;
    const { segment, part, first_id, last_id, made_up_to: after } = building;
    const merged = await mergedInto(db, segment);
    const leftOut = await db.all<{ id: string }>(
      "SELECT delivery_id AS id FROM delivery_search_gone WHERE segment = $1",
      [segment],
    );
    // Numbers of segments come again once all that had higher ones are gone; ids of deliveries do not.
    const key = [segment, first_id, last_id, leftOut.length, ...merged].join(" ");
    if (remembered?.key !== key) {
      remembered = { key, ids: mergeIds(await allIds(db, merged), new Set(leftOut.map(({ id }) => id))) };
    }
    return { kind: "merge", part, step: await mergeStep(db, segment, merged, remembered.ids, after) };
  }

  return async (now) => {
    const dropped = await db.first<{ segment: number }>(
      "SELECT segment FROM delivery_segments WHERE state = 'dropped' LIMIT 1",
    );
    if (dropped) return { kind: "sweep", ...dropped };
    const step = await nextStep();
    if (step) return step;
    const segments = await readySegments(db);
    const gone = await goneDue(db, segments, now);
    if (gone) return gone.kind === "rewrite" ? beginOf(db, [gone.segment]) : gone;
    const small = smallSegments(segments, 0) ?? smallSegments(segments, 1);
    if (small) return beginOf(db, small);
    const batch = await readOld(db, OLD_PER_STEP);
    return batch && { kind: "old", batch };
  };
}

/** Carries out a step that was prepared, unless another one came in between. Each leaves the search whole. */
async function keepUp(db: Database, { before, ...upkeep }: Upkeep): Promise<void> {
  const isNext = await db.run("UPDATE delivery_search_progress SET steps = steps + 1 WHERE steps = $1", [
    before,
  ]);
  if (isNext === 1) await carryOut(db, upkeep);
}

async function carryOut(db: Database, upkeep: UpkeepStep): Promise<void> {
  if (upkeep.kind === "sweep") return sweep(db, upkeep.segment);
  if (upkeep.kind === "old") return addOld(db, upkeep.batch);
  if (upkeep.kind === "merge") return addStep(db, upkeep.part, upkeep.step);
  if (upkeep.kind === "begin") return begin(db, upkeep);
  if (upkeep.kind === "forget") return forgetGone(db, upkeep.gone);
  await drop(db, "segment = $1", upkeep.segment);
  await leave(db, upkeep.part, upkeep.gone);
}

async function beginOf(db: Database, rows: readonly SegmentRow[]): Promise<UpkeepStep> {
  const merged = rows.map(({ segment }) => segment);
  const parts = await allIds(db, merged);
  const gone = await goneWithin(db, parts);
  const { ids } = mergeIds(parts, new Set(gone));
  return { kind: "begin", part: rows[0]?.part ?? 0, merged, ids, gone };
}

async function begin(
  db: Database,
  { part, merged, ids, gone }: Extract<UpkeepStep, { kind: "begin" }>,
): Promise<void> {
  if (ids.length === 0) {
    for (const segment of merged) await drop(db, "segment = $1", segment);
    return leave(db, part, gone);
  }
  const made = await insertRow(db, part, "building", ids);
  await db.run(
    `UPDATE delivery_segments SET replaced_by = $1 WHERE segment IN (${placeholders(merged.length, 1)})`,
    [made, ...merged],
  );
  await inChunks(gone, (some) =>
    db.run(
      `UPDATE delivery_search_gone SET segment = $1 WHERE delivery_id IN (${placeholders(some.length, 1)})`,
      [made, ...some],
    ),
  );
}

/** The last step puts what was made in the place of what it was made of. */
async function addStep(db: Database, part: Part, { segment, blocks, upTo }: MergeStep): Promise<void> {
  await insertBlocks(db, segment, blocks);
  if (upTo) {
    await db.run("UPDATE delivery_segments SET made_up_to = $1 WHERE segment = $2", [upTo, segment]);
    return;
  }
  await drop(db, "replaced_by = $1", segment);
  await db.run("UPDATE delivery_segments SET state = 'ready', made_up_to = NULL WHERE segment = $1", [
    segment,
  ]);
  const gone = await db.all<{ id: string }>(
    "SELECT delivery_id AS id FROM delivery_search_gone WHERE segment = $1",
    [segment],
  );
  await leave(
    db,
    part,
    gone.map(({ id }) => id),
  );
}

/** The words of these deliveries have left. Of one whose payload alone was deleted, the rest is still to be found. */
async function leave(db: Database, part: Part, gone: readonly string[]): Promise<void> {
  await forgetGone(db, gone);
  await inChunks(gone, (some) => addAgain(db, part, some));
}

async function drop(db: Database, which: string, segment: number): Promise<void> {
  await db.run(`UPDATE delivery_segments SET state = 'dropped', replaced_by = NULL WHERE ${which}`, [
    segment,
  ]);
}

async function sweep(db: Database, segment: number): Promise<void> {
  const swept = await db.run(
    `DELETE FROM delivery_terms WHERE segment = $1 AND first <= (
       SELECT first FROM (SELECT first FROM delivery_terms WHERE segment = $1 ORDER BY first LIMIT $2) AS firsts
       ORDER BY first DESC LIMIT 1)`,
    [segment, SWEPT_PER_STEP],
  );
  if (swept === SWEPT_PER_STEP) return;
  await db.run("DELETE FROM delivery_segment_ids WHERE segment = $1", [segment]);
  await db.run("DELETE FROM delivery_segments WHERE segment = $1", [segment]);
}

function forgetGone(db: Database, ids: readonly string[]): Promise<void> {
  return inChunks(ids, (some) =>
    db.run(`DELETE FROM delivery_search_gone WHERE delivery_id IN (${placeholders(some.length)})`, [...some]),
  );
}

async function inChunks(ids: readonly string[], work: (some: string[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < ids.length; from += 500) await work(ids.slice(from, from + 500));
}

async function mergedInto(db: Database, segment: number): Promise<number[]> {
  const rows = await db.all<{ segment: number }>(
    "SELECT segment FROM delivery_segments WHERE replaced_by = $1 ORDER BY segment",
    [segment],
  );
  return rows.map((row) => row.segment);
}

async function allIds(db: Database, segments: readonly number[]): Promise<Uint8Array[]> {
  const ids: Uint8Array[] = [];
  for (const segment of segments) ids.push(await idsIn(db, segment));
  return ids;
}

/** Segments of one size and part that follow each other, and are due to become one. */
function smallSegments(segments: readonly SegmentRow[], part: Part): SegmentRow[] | undefined {
  for (const [index, size] of SIZES.entries()) {
    const least = SIZES[index - 1] ?? 0;
    const group = segments.filter(
      (each) => each.part === part && each.deliveries >= least && each.deliveries < size,
    );
    const chosen: SegmentRow[] = [];
    let sum = 0;
    for (const each of group) {
      if (sum >= size || chosen.length === MAX_OF_A_SIZE) break;
      chosen.push(each);
      sum += each.deliveries;
    }
    if (chosen.length > 1 && (sum >= size || chosen.length === MAX_OF_A_SIZE)) return chosen;
  }
  return undefined;
}

/** What one step of a merge makes: two tenths of a megabyte. */
const BLOCKS_PER_STEP = 50;

/** A part of a segment that takes the place of others. */
interface MergeStep {
  segment: number;
  blocks: TermBlock[];
  /** The last term that was read; nothing when all are. */
  upTo: Uint8Array | null;
}

/** Of a merged segment: its ids in order without those that are left out, and where each delivery of the merged ones is. */
interface MergedIds {
  ids: Uint8Array;
  /** For each merged segment and each position in it; -1 for what is left out. */
  positions: Int32Array[];
}

/** Puts the deliveries of several segments in the order of their ids. */
function mergeIds(segments: readonly Uint8Array[], leftOut: ReadonlySet<string>): MergedIds {
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
async function mergeStep(
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
