import { type Database, placeholders } from "../sqlite/database.ts";
import { type MergedIds, type MergeStep, mergeIds, mergeStep } from "./merge-segments.ts";
import { type GoneWork, goneDue, goneWithin } from "./search-gone.ts";
import { addAgain, addOld, type OldBatch, readOld } from "./search-progress.ts";
import { idsIn, insertBlocks, insertRow, type Part, readySegments, type SegmentRow } from "./segment-rows.ts";

/** So many deliveries a step, of those from before the search existed. */
const OLD_PER_STEP = 256;
/** From how many deliveries on a segment is of the next size. The largest are merged no more. */
const SIZES = [256, 4_096, 16_384];
/** So many of one size are merged, also when they are small. */
const MAX_OF_A_SIZE = 16;
const SWEPT_PER_STEP = 200;

/** A step that keeps the search small and fast, prepared by reading. */
export type Upkeep = UpkeepStep & {
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
export function upkeepReader(db: Database): (now: string) => Promise<Upkeep | undefined> {
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
export async function keepUp(db: Database, { before, ...upkeep }: Upkeep): Promise<void> {
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
