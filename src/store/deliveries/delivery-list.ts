import { firstUuidOf, instantOfUuid } from "../../id.ts";
import type { DeliveryFilter, DeliveryOutcome, DeliveryPage, DeliveryQuery } from "../../ingress/delivery.ts";
import { isSearch, keptBy, searchDeliveries } from "../delivery-search/search-deliveries.ts";
import { findOldBefore, findSearchBacklog } from "../delivery-search/search-progress.ts";
import type { Database, SqlValue } from "../sqlite/database.ts";

/** After every id that a delivery can have. */
const NEWEST = "~";

/**
 * The ids of a page, newest first, with the one after which the next page goes on. Ids tell the time, so every index that
 * ends in one is in the order of the list: a page costs what it shows, not what the log has.
 */
export async function listDeliveryIds(
  db: Database,
  query: DeliveryQuery,
): Promise<Omit<DeliveryPage, "deliveries"> & { ids: string[] }> {
  const { limit, since, until, before } = query;
  const range = {
    before: older(before ?? NEWEST, until === undefined ? NEWEST : firstUuidOf(until)),
    from: since === undefined ? "" : firstUuidOf(since),
  };
  if (isSearch(query)) {
    const found = await searchDeliveries(db, query, range, keptBy(db, runConditions(query)));
    return { ...found, ...(await findLag(db)) };
  }
  const sources = deliverySources(query);
  const walked: Walked[] = [];
  for (const source of sources) walked.push(await walk(db, source, range, limit + 1, sources.length));
  // Older than this, a source that had not ended may have what was not seen.
  const seenTo = walked.reduce((newest, each) => newer(newest, each.seenTo ?? ""), "");
  const ids = walked
    .flatMap((each) => each.ids)
    .filter((id) => id >= seenTo)
    .sort((a, b) => (a < b ? 1 : -1));
  if (ids.length <= limit) return { ids, next: seenTo === "" ? null : seenTo };
  const page = ids.slice(0, limit);
  return { ids: page, next: page.at(-1) ?? null };
}

async function findLag(db: Database): Promise<Pick<DeliveryPage, "behindSince" | "searchedFrom">> {
  const { since } = await findSearchBacklog(db);
  const before = await findOldBefore(db);
  return {
    behindSince: since ?? undefined,
    searchedFrom: before === null ? undefined : instantOfUuid(before),
  };
}

const older = (a: string, b: string) => (a < b ? a : b);
const newer = (a: string, b: string) => (a > b ? a : b);

/** So many entries of an index are examined at a time: most pages are full after the first step. */
const STEPS = [500, 4_500, 15_000];

/** The ids between which a source is walked, from the newer one, exclusive, to the older one, inclusive. */
export interface Range {
  before: string;
  from: string;
}

/** What a walk has found, newest first. */
interface Walked {
  ids: string[];
  /** Down to which id everything was seen; nothing when the source has no more. */
  seenTo: string | null;
}

/**
 * Walks a source from its newest entry until it has found enough, or has examined its share of the entries that a page
 * may cost.
 * @param sharedBy how many sources of the page share them
 */
async function walk(
  db: Database,
  source: DeliverySource,
  range: Range,
  limit: number,
  sharedBy: number,
): Promise<Walked> {
  const steps = source.filter.length === 0 ? [undefined] : STEPS.map((step) => Math.ceil(step / sharedBy));
  const ids: string[] = [];
  let { before } = range;
  for (const step of steps) {
    const until = step === undefined ? undefined : await entryAfter(db, source, { ...range, before }, step);
    const asked = { before, from: until ?? range.from };
    ids.push(...(await fitting(db, source, asked, limit - ids.length)));
    const last = ids.at(-1);
    if (ids.length >= limit && last !== undefined) return { ids, seenTo: last };
    if (until === undefined) return { ids, seenTo: null };
    before = until;
  }
  return { ids, seenTo: before };
}

/** The id of the last of so many entries; nothing when there are fewer. */
async function entryAfter(
  db: Database,
  source: DeliverySource,
  range: Range,
  entries: number,
): Promise<string | undefined> {
  // PostgreSQL wants to know the type of every value, and learns it from where the value is used.
  const walked = source.base.includes("$") ? source : { ...source, values: [] };
  const row = await db.first<{ id: string }>(select(walked, [source.base], entries - 1), [
    ...walked.values,
    range.before,
    range.from,
    1,
  ]);
  return row?.id;
}

async function fitting(db: Database, source: DeliverySource, range: Range, limit: number): Promise<string[]> {
  const conditions = [source.base, ...source.filter];
  const rows = await db.all<{ id: string }>(select(source, conditions), [
    ...source.values,
    range.before,
    range.from,
    limit,
  ]);
  return rows.map(({ id }) => id);
}

/** A statement of a walk: the ids within a range for which the conditions hold. */
export function select(
  { id, from, values }: DeliverySource,
  conditions: readonly string[],
  offset = 0,
): string {
  const next = values.length + 1;
  const range = `${id} < $${next} AND ${id} >= $${next + 1}`;
  return `SELECT DISTINCT ${id} AS id FROM ${from} WHERE ${[...conditions, range].join(" AND ")}
    ORDER BY ${id} DESC LIMIT $${next + 2}${offset > 0 ? ` OFFSET ${offset}` : ""}`;
}

const OUTCOMES = Object.keys({
  Accepted: true,
  Duplicate: true,
  "Rejected (auth)": true,
  "Rejected (invalid JSON)": true,
  "Rejected (too large)": true,
} satisfies Record<DeliveryOutcome, true>) as DeliveryOutcome[];

/**
 * A part of the log in the order of an index: `base` is what the index is walked by, `filter` what is asked of each of
 * its entries. Parameters begin with `$1`.
 */
interface DeliverySource {
  /** The column that has the id of the delivery. */
  id: string;
  from: string;
  base: string;
  filter: string[];
  values: SqlValue[];
}

/** The parts of the log that have everything that fits, none of it twice. */
export function deliverySources(asked: DeliveryFilter): DeliverySource[] {
  const { webhooks, outcomes, started, failed } = asked;
  const wanted = outcomes ? OUTCOMES.filter((outcome) => outcomes.includes(outcome)) : OUTCOMES;
  const isAll = wanted.length === OUTCOMES.length;
  if (started === true || failed === true) {
    // Only accepted deliveries start runs.
    if (!wanted.includes("Accepted") || (started === false && failed === true)) return [];
    if (failed === true) return [withFailedRuns(webhooks), amongOthers(failed, webhooks)];
    const filter = runConditions(asked);
    return webhooks ? ofWebhooks(webhooks, filter) : [withRuns(failed), amongOthers(failed, webhooks)];
  }
  if (!wanted.includes("Accepted")) return wanted.map((outcome) => notAccepted(outcome, webhooks));
  const filter = [
    ...(isAll ? [] : [`d.outcome IN (${wanted.map(quoted).join(", ")})`]),
    ...runConditions(asked),
  ];
  return webhooks ? ofWebhooks(webhooks, filter) : [all(filter)];
}

const quoted = (outcome: DeliveryOutcome) => `'${outcome}'`;

/** What is asked of the runs of a delivery `d`, as conditions. */
function runConditions({ started, failed }: DeliveryFilter): string[] {
  const having = (is: boolean, isFailed: boolean) =>
    `${is ? "" : "NOT "}(EXISTS (SELECT 1 FROM runs r WHERE r.delivery_id = d.delivery_id${isFailed ? ` AND ${FAILED}` : ""})
      OR EXISTS (SELECT 1 FROM run_deliveries g JOIN runs r ON r.run_id = g.run_id
                 WHERE g.delivery_id = d.delivery_id${isFailed ? ` AND ${IS_FAILED}` : ""}))`;
  return [
    ...(started === undefined ? [] : [having(started, false)]),
    ...(failed === undefined ? [] : [having(failed, true)]),
  ];
}

/** As the index of these runs has it. */
const FAILED = "r.state IN ('FAILED', 'ERROR')";
/** The same of a run that is found by its id: the planner would look through all that failed. */
const IS_FAILED = `(CASE WHEN ${FAILED} THEN 1 ELSE 0 END) = 1`;

const DELIVERIES = { id: "d.delivery_id", from: "deliveries d" };

function all(filter: string[]): DeliverySource {
  return { ...DELIVERIES, base: "1 = 1", filter, values: [] };
}

function ofWebhooks(webhooks: NonNullable<DeliveryFilter["webhooks"]>, filter: string[]): DeliverySource[] {
  return webhooks.map(({ uid, factoryUid }) => ({
    ...DELIVERIES,
    base: "d.webhook_uid = $1 AND d.factory_uid = $2",
    filter,
    values: [uid, factoryUid],
  }));
}

/** Runs outlive the log: those whose delivery has left it are passed over. */
function withRuns(failed: boolean | undefined): DeliverySource {
  const whole = `NOT EXISTS (SELECT 1 FROM runs f WHERE f.delivery_id = r.delivery_id AND f.state IN ('FAILED', 'ERROR'))`;
  return {
    id: "r.delivery_id",
    from: "runs r",
    base: "r.delivery_id IS NOT NULL",
    filter: [
      "EXISTS (SELECT 1 FROM deliveries d WHERE d.delivery_id = r.delivery_id)",
      ...(failed === false ? [whole] : []),
    ],
    values: [],
  };
}

/**
 * An index leads to runs that failed, in the order of their deliveries; their webhooks are asked of each. It is named: the
 * planner prefers an index of states, and would sort all that ever failed for a page.
 */
function withFailedRuns(webhooks: DeliveryFilter["webhooks"]): DeliverySource {
  const values = (webhooks ?? []).map(({ uid, factoryUid }) => `${uid} ${factoryUid}`);
  const listed = values.map((_, index) => `$${index + 1}`).join(", ");
  const ofThese = webhooks ? ` AND d.webhook_uid || ' ' || d.factory_uid IN (${listed || "''"})` : "";
  return {
    id: "r.delivery_id",
    from: "runs r INDEXED BY runs_failed_of_deliveries",
    base: `${FAILED} AND r.delivery_id IS NOT NULL`,
    filter: [`EXISTS (SELECT 1 FROM deliveries d WHERE d.delivery_id = r.delivery_id${ofThese})`],
    values,
  };
}

/** Deliveries of runs that have got newer ones since. There are as many as automations with keys have had. */
function amongOthers(failed: boolean | undefined, webhooks: DeliveryFilter["webhooks"]): DeliverySource {
  const values = (webhooks ?? []).map(({ uid, factoryUid }) => `${uid} ${factoryUid}`);
  const listed = values.map((_, index) => `$${index + 1}`).join(", ");
  const ofThese = webhooks ? ` AND d.webhook_uid || ' ' || d.factory_uid IN (${listed || "''"})` : "";
  const ofRun = (which: string) =>
    `(SELECT 1 FROM runs r WHERE r.run_id = g.run_id AND r.delivery_id <> g.delivery_id${which})`;
  return {
    id: "g.delivery_id",
    from: "run_deliveries g",
    base: "1 = 1",
    filter: [
      `EXISTS ${ofRun(failed === true ? ` AND ${IS_FAILED}` : "")}`,
      // Those stand in the other part.
      `NOT EXISTS (SELECT 1 FROM runs r WHERE r.delivery_id = g.delivery_id${failed === true ? ` AND ${FAILED}` : ""})`,
      ...(failed === false ? [`NOT EXISTS ${ofRun(` AND ${IS_FAILED}`)}`] : []),
      `EXISTS (SELECT 1 FROM deliveries d WHERE d.delivery_id = g.delivery_id${ofThese})`,
    ],
    values,
  };
}

/** The outcome is written out: with a parameter, neither database sees that the index of the refused has what is asked. */
function notAccepted(outcome: DeliveryOutcome, webhooks: DeliveryFilter["webhooks"]): DeliverySource {
  const base = `d.outcome = ${quoted(outcome)} AND d.outcome <> 'Accepted'`;
  if (!webhooks) return { ...DELIVERIES, base, filter: [], values: [] };
  const values = webhooks.map(({ uid, factoryUid }) => `${uid} ${factoryUid}`);
  // Of the two together, no index knows: this one is walked by the outcome, whatever is asked of the webhooks.
  const listed = values.map((_, index) => `$${index + 1}`).join(", ");
  return {
    ...DELIVERIES,
    base,
    filter: [`d.webhook_uid || ' ' || d.factory_uid IN (${listed || "''"})`],
    values,
  };
}
