import { skillReference } from "../../runs/rules/skill-reference.ts";
import type { Run } from "../../runs/run.ts";
import type { Database } from "../sqlite/database.ts";
import { internTexts, NONE, ownAudience, tagText, webhookFacet } from "./facets.ts";
import { SEARCHED_PROMPT_CHARACTERS, searchText } from "./search-text.ts";

/** A run as far as the list of runs needs it. */
export interface ListedRow {
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

export const LISTED_COLUMNS = `
  run_id, factory_uid, automation_uid, webhook_uid, title, SUBSTR(prompt, 1, ${SEARCHED_PROMPT_CHARACTERS}) AS prompt, source,
  creator_uid, executor, ancestors, schedule_id, config, config_name, model_id, metadata, state, created_at, updated_at, rerun_of`;

/** Makes a run findable: by its facets, its tags and its words. */
export async function insertListing(
  db: Database,
  row: ListedRow,
  artifactTypes: readonly string[],
): Promise<void> {
  const config: Run["config"] = JSON.parse(row.config);
  const skills = skillsOf(config);
  const facets = facetsOf(row, config);
  const tags = [...tagsOf(row, skills), ...artifactTypes.map(tagText.artifact)];
  const ids = await internTexts(db, [...Object.values(facets).filter((text) => text !== null), ...tags]);
  const idOf = (text: string | null) => (text === null ? NONE : (ids.get(text) ?? NONE));
  const { created, updated, lifespan } = instantsOf(row);
  // SQLite makes an INSERT that returns something several times as dear as one that does not.
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
      skills[0]?.name ?? null,
    ],
  );
  for (const tag of tags) {
    await db.run("INSERT INTO run_tags (tag, number) SELECT $1, number FROM run_listing WHERE run_id = $2", [
      idOf(tag),
      row.run_id,
    ]);
  }
  const specs = skills.map(({ spec }) => spec);
  await db.run("INSERT INTO run_search (number, text) SELECT number, $1 FROM run_listing WHERE run_id = $2", [
    searchText(row.title, row.prompt, specs),
    row.run_id,
  ]);
}

/** Lists a run, which is listed already, under the state that it is in now. */
export async function moveListing(db: Database, row: ListedRow): Promise<void> {
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
