import type { NewRun, Run } from "../../runs/run.ts";
import type { Database } from "../sqlite/database.ts";
import { internTexts, NONE, ownAudience, tagText } from "./facets.ts";
import { searchText } from "./search-text.ts";

/** Makes a new run findable: by its facets, its tags and its words. */
export async function insertListing(db: Database, run: NewRun, at: string): Promise<void> {
  const facets = facetsOf(run);
  const tags = tagsOf(run);
  const ids = await internTexts(db, [...Object.values(facets).filter((text) => text !== null), ...tags]);
  const idOf = (text: string | null) => (text === null ? NONE : (ids.get(text) ?? NONE));
  const instant = Date.parse(at);
  // SQLite makes an INSERT that returns something several times as dear as one that does not.
  await db.run(
    `INSERT INTO run_listing (
       run_id, created_at, updated_at, lifespan, state, source, audience, in_factory, creator, executor, name, model,
       environment, schedule, automation, title, skill)
     VALUES ($1, $2, $2, 0, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)`,
    [
      run.id,
      instant,
      idOf(facets.state),
      idOf(facets.source),
      idOf(facets.audience),
      run.factoryUid === null ? 0 : 1,
      idOf(facets.creator),
      idOf(facets.executor),
      idOf(facets.name),
      idOf(facets.model),
      idOf(facets.environment),
      idOf(facets.schedule),
      idOf(facets.automation),
      run.title,
      run.skills[0]?.name ?? null,
    ],
  );
  for (const tag of tags) {
    await db.run("INSERT INTO run_tags (tag, number) SELECT $1, number FROM run_listing WHERE run_id = $2", [
      idOf(tag),
      run.id,
    ]);
  }
  const specs = run.skills.map(({ spec }) => spec);
  await db.run("INSERT INTO run_search (number, text) SELECT number, $1 FROM run_listing WHERE run_id = $2", [
    searchText(run.title, run.prompt, specs),
    run.id,
  ]);
}

/** Lists a run under the state that it has moved to. */
export async function moveListing(
  db: Database,
  runId: string,
  state: Run["state"],
  at: string,
): Promise<void> {
  const ids = await internTexts(db, [state]);
  await db.run(
    // A clock that was set back must not put an update before the creation: lists rely on their order.
    `UPDATE run_listing
     SET state = $1, updated_at = CASE WHEN $2 > created_at THEN $2 ELSE created_at END,
         lifespan = CAST(log(2, CASE WHEN $2 > created_at THEN $2 - created_at ELSE 0 END + 1) AS INTEGER)
     WHERE run_id = $3`,
    [ids.get(state) ?? NONE, Date.parse(at), runId],
  );
}

function facetsOf(run: NewRun) {
  return {
    state: "QUEUED",
    source: run.source,
    audience: run.factoryUid ?? ownAudience(run.creator.uid),
    creator: run.creator.uid,
    executor: run.executor.uid,
    name: run.config.name ?? null,
    model: run.config.model_id ?? null,
    environment: run.config.environment_id ?? null,
    schedule: run.scheduleId,
    automation: run.automationUid,
  };
}

function tagsOf(run: NewRun): string[] {
  const skills = run.skills.flatMap(({ spec, name }) => [spec, name]);
  return [
    ...Object.entries(run.metadata).map(([key, value]) => tagText.metadata(key, value)),
    ...run.ancestors.map(tagText.ancestor),
    ...new Set(skills.map(tagText.skill)),
  ];
}
