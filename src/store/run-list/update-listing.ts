import type { ListingBacklog } from "../../changes/log.ts";
import { MAX_UNRECORDED } from "../../changes/log.ts";
import { skillReference } from "../../runs/rules/skill-reference.ts";
import type { Run } from "../../runs/run.ts";
import { allDone } from "../all-done.ts";
import { backlogOf, newestChange } from "../changes/change-store.ts";
import { internTexts, NONE, ownAudience, tagText, webhookFacet } from "../runs/facets.ts";
import { SEARCHED_PROMPT_CHARACTERS, searchText } from "../search-text.ts";
import { type Database, placeholders } from "../sqlite/database.ts";

const UNLISTED = `FROM changes WHERE kind = 'run' AND seq > (SELECT seq FROM listing_progress)`;

/**
 * Lists what has happened to runs since the last time, the oldest changes first. A run that has changed several times is
 * written once, as it is now. One that was deleted since is not listed.
 * @returns what is left
 */
export async function updateListing(db: Database, limit: number): Promise<ListingBacklog> {
  const [newest, changes] = await allDone([
    newestChange(db),
    db.all<{ seq: number; subject: string }>(`SELECT seq, subject ${UNLISTED} ORDER BY seq LIMIT $1`, [
      limit,
    ]),
  ] as const);
  await listRuns(db, [...new Set(changes.map(({ subject }) => subject))]);
  const last = changes.length < limit ? newest : (changes.at(-1)?.seq ?? newest);
  await recordProgress(db, last, changes.length > 0);
  return changes.length < limit ? { changes: 0, since: null } : findListingBacklog(db);
}

/** How far the list of runs is behind. */
export function findListingBacklog(db: Database): Promise<ListingBacklog> {
  return backlogOf(db, UNLISTED);
}

/** Whether an update of the list has something to write: most of what is committed concerns no run. */
export async function findListingDue(db: Database): Promise<boolean> {
  if ((await findListingBacklog(db)).changes > 0) return true;
  const progress = await db.first<{ seq: number }>("SELECT seq FROM listing_progress");
  return (await newestChange(db)) - (progress?.seq ?? 0) >= MAX_UNRECORDED;
}

async function recordProgress(db: Database, seq: number, hasListed: boolean): Promise<void> {
  const least = hasListed ? seq : seq - MAX_UNRECORDED;
  await db.run("UPDATE listing_progress SET seq = $1 WHERE seq < $2", [seq, least]);
}

/** Of artifacts that were made before their runs were listed. */
async function artifactTypes(db: Database, ids: readonly string[]): Promise<Map<string, string[]>> {
  const rows = await db.all<{ run_id: string; artifact_type: string }>(
    `SELECT DISTINCT run_id, artifact_type FROM run_artifacts WHERE run_id IN (${placeholders(ids.length)})`,
    ids,
  );
  const types = new Map<string, string[]>();
  for (const { run_id, artifact_type } of rows)
    types.set(run_id, [...(types.get(run_id) ?? []), artifact_type]);
  return types;
}

async function listRuns(db: Database, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const [rows, listed, made] = await allDone([
    db.all<ListedRow>(
      `SELECT ${LISTED_COLUMNS} FROM runs WHERE run_id IN (${placeholders(ids.length)})`,
      ids,
    ),
    db.all<{ run_id: string }>(
      `SELECT run_id FROM run_listing WHERE run_id IN (${placeholders(ids.length)})`,
      ids,
    ),
    artifactTypes(db, ids),
  ] as const);
  const isListed = new Set(listed.map(({ run_id }) => run_id));
  const byId = new Map(rows.map((row) => [row.run_id, row]));
  const found = ids.flatMap((id) => byId.get(id) ?? []);
  await insertListings(
    db,
    found
      .filter(({ run_id }) => !isListed.has(run_id))
      .map((row) => ({ row, artifactTypes: made.get(row.run_id) ?? [] })),
  );
  for (const row of found) if (isListed.has(row.run_id)) await moveListing(db, row);
}

/** A run as far as the list of runs needs it. */
interface ListedRow {
  run_id: string;
  factory_uid: string | null;
  automation_uid: string | null;
  webhook_uid: string | null;
  title: string;
  prompt: string;
  source: string;
  creator_uid: string;
  executor: string | null;
  ancestors: string;
  schedule_id: string | null;
  config: string;
  config_name: string | null;
  model_id: string | null;
  metadata: string;
  state: Run["state"];
  created_at: string;
  updated_at: string;
  rerun_of: string | null;
}

const LISTED_COLUMNS = `
  run_id, factory_uid, automation_uid, webhook_uid, title, SUBSTR(prompt, 1, ${SEARCHED_PROMPT_CHARACTERS}) AS prompt, source,
  creator_uid, executor, ancestors, schedule_id, config, config_name, model_id, metadata, state, created_at, updated_at, rerun_of`;

/** A run that is not listed yet, with the types of the artifacts that were made before that. */
export interface UnlistedRun {
  row: ListedRow;
  artifactTypes: readonly string[];
}

/** Makes runs findable: by their facets, their tags and their words. */
async function insertListings(db: Database, runs: readonly UnlistedRun[]): Promise<void> {
  if (runs.length === 0) return;
  const described = runs.map(describe);
  const ids = await internTexts(
    db,
    described.flatMap(({ facets, tags }) => [
      ...Object.values(facets).filter((text) => text !== null),
      ...tags,
    ]),
  );
  const idOf = (text: string | null) => (text === null ? NONE : (ids.get(text) ?? NONE));
  await allDone(described.map((run) => insertRow(db, run, idOf)));
  // SQLite makes an INSERT that returns something several times as dear as one that does not.
  const numbers = await listNumbers(
    db,
    runs.map(({ row }) => row.run_id),
  );
  await allDone(
    described.flatMap(({ row, tags, words }) => {
      const number = numbers.get(row.run_id) ?? NONE;
      return [
        ...tags.map((tag) =>
          db.run("INSERT INTO run_tags (tag, number) VALUES ($1, $2)", [idOf(tag), number]),
        ),
        db.run("INSERT INTO run_search (number, text) VALUES ($1, $2)", [number, words]),
      ];
    }),
  );
}

type DescribedRun = ReturnType<typeof describe>;

function describe({ row, artifactTypes }: UnlistedRun) {
  const config: Run["config"] = JSON.parse(row.config);
  const skills = skillsOf(config);
  return {
    row,
    facets: facetsOf(row, config),
    skill: skills[0]?.name ?? null,
    tags: [...tagsOf(row, skills), ...artifactTypes.map(tagText.artifact)],
    words: searchText(
      row.title,
      row.prompt,
      skills.map(({ spec }) => spec),
    ),
  };
}

async function insertRow(
  db: Database,
  { row, facets, skill }: DescribedRun,
  idOf: (text: string | null) => number,
): Promise<void> {
  const { created, updated, lifespan } = instantsOf(row);
  await db.run(
    `INSERT INTO run_listing (
       run_id, created_at, updated_at, lifespan, state, source, audience, in_factory, creator, executor, name, model,
       environment, schedule, automation, webhook, title, skill)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18)`,
    [
      row.run_id,
      created,
      updated,
      lifespan,
      idOf(facets.state),
      idOf(facets.source),
      idOf(facets.audience),
      row.factory_uid === null ? 0 : 1,
      idOf(facets.creator),
      idOf(facets.executor),
      idOf(facets.name),
      idOf(facets.model),
      idOf(facets.environment),
      idOf(facets.schedule),
      idOf(facets.automation),
      idOf(facets.webhook),
      row.title,
      skill,
    ],
  );
}

async function listNumbers(db: Database, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.all<{ run_id: string; number: number }>(
    `SELECT run_id, number FROM run_listing WHERE run_id IN (${placeholders(ids.length)})`,
    ids,
  );
  return new Map(rows.map(({ run_id, number }) => [run_id, number]));
}

/** Lists a run, which is listed already, under the state that it is in now. */
async function moveListing(db: Database, row: ListedRow): Promise<void> {
  const ids = await internTexts(db, [row.state]);
  const { updated, lifespan } = instantsOf(row);
  await db.run("UPDATE run_listing SET state = $1, updated_at = $2, lifespan = $3 WHERE run_id = $4", [
    ids.get(row.state) ?? NONE,
    updated,
    lifespan,
    row.run_id,
  ]);
}

/** A clock that was set back must not put an update before the creation: lists rely on their order. */
function instantsOf({ created_at, updated_at }: ListedRow) {
  const created = Date.parse(created_at);
  const updated = Math.max(created, Date.parse(updated_at));
  return { created, updated, lifespan: Math.floor(Math.log2(updated - created + 1)) };
}

function facetsOf(row: ListedRow, config: Run["config"]) {
  return {
    state: row.state,
    source: row.source,
    audience: row.factory_uid ?? ownAudience(row.creator_uid),
    creator: row.creator_uid,
    executor: row.executor === null ? row.creator_uid : (JSON.parse(row.executor).uid as string),
    name: row.config_name,
    model: row.model_id,
    environment: config.environment_id ?? null,
    schedule: row.schedule_id,
    automation: row.automation_uid,
    webhook:
      row.factory_uid === null || row.webhook_uid === null
        ? null
        : webhookFacet(row.factory_uid, row.webhook_uid),
  };
}

function skillsOf({ skills, skill_spec: spec }: Run["config"]) {
  return (skills ?? (spec === undefined ? [] : [spec])).map(skillReference);
}

function tagsOf(
  { metadata, ancestors, rerun_of }: ListedRow,
  skills: readonly { spec: string; name: string }[],
) {
  return [
    ...Object.entries(JSON.parse(metadata) as Run["metadata"]).map(([key, value]) =>
      tagText.metadata(key, value),
    ),
    ...(JSON.parse(ancestors) as string[]).map(tagText.ancestor),
    ...(rerun_of === null ? [] : [tagText.rerun(rerun_of)]),
    ...new Set(skills.flatMap(({ spec, name }) => [spec, name]).map(tagText.skill)),
  ];
}
