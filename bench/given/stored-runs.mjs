// A database with many runs that have ended, as months of use leave them: some values of each facet are common, some are
// rare, one in a hundred runs was continued days later.
import { createHash } from "node:crypto";
import { BetterSqlite } from "../../dist/store/sqlite/better-sqlite.js";

const DAYS = 90;
const share = (hash, position, of) => hash.readUInt32BE(position) % of;
const pick = (hash, position, shares) => {
  let rest = share(hash, position, 1_000);
  for (const [value, permille] of shares) {
    if (rest < permille) return value;
    rest -= permille;
  }
  return shares[0][0];
};

const STATES = [
  ["SUCCEEDED", 800],
  ["FAILED", 139],
  ["ERROR", 10],
  ["CANCELLED", 50],
  ["BLOCKED", 1],
];
const SOURCES = [
  ["CUSTOM_WEBHOOK", 600],
  ["API", 300],
  ["CLI", 60],
  ["SCHEDULED_AGENT", 39],
  ["WEB_APP", 1],
];
const FACTORIES = [
  ["factory-a", 500],
  ["factory-b", 300],
  ["factory-c", 150],
  ["factory-d", 49],
  ["factory-e", 1],
];

/** What run `n` of `count` is like; the same for the same number. */
export function runNumber(n, count) {
  const hash = createHash("sha512").update(String(n)).digest();
  const now = Math.floor(Date.now() / 3_600_000) * 3_600_000;
  const created = now - DAYS * 86_400_000 + Math.floor((n / count) * DAYS * 86_400_000);
  const continued = share(hash, 0, 100) === 0;
  const updated = Math.min(now, created + share(hash, 4, continued ? 20 * 86_400_000 : 600_000));
  const automation = share(hash, 8, 40);
  return {
    id: `01900000-0000-7000-8000-${String(n).padStart(12, "0")}`,
    created,
    updated,
    state: pick(hash, 12, STATES),
    source: pick(hash, 14, SOURCES),
    factory: pick(hash, 16, FACTORIES),
    creator: `creator-${share(hash, 18, 30)}`,
    executor: `executor-${share(hash, 20, 12)}`,
    name: `name-${automation}`,
    model: `model-${share(hash, 22, 5)}`,
    environment:
      share(hash, 24, 3) === 0 ? `environment000000000${String(share(hash, 25, 20)).padStart(2, "0")}` : null,
    schedule: share(hash, 26, 25) === 0 ? `schedule-${share(hash, 27, 4)}` : null,
    automation: `automation-${automation}`,
    skill: share(hash, 28, 10) === 0 ? `acme/skills:deploy-${share(hash, 29, 7)}` : null,
    title: `Look at build ${share(hash, 2, 65_536)} of ${["web", "api", "billing", "search"][share(hash, 6, 4)]}`,
    metadata:
      share(hash, 10, 5) === 0
        ? { ticket_source: ["jira", "linear"][share(hash, 11, 2)], ticket_id: `T-${n}` }
        : {},
    ancestor:
      n > 1_000 && share(hash, 15, 20) === 0
        ? `01900000-0000-7000-8000-${String(n % 50).padStart(12, "0")}`
        : null,
  };
}

/** Writes runs into a database that a server has made. */
export function storeRuns(path, count) {
  const db = new BetterSqlite(path);
  db.pragma("synchronous = OFF");
  db.pragma("cache_size = -262144");
  const numbers = new Map(db.prepare("SELECT text, id FROM facet_texts").raw().all());
  const addText = db.prepare("INSERT INTO facet_texts (text) VALUES (?)");
  const numberOf = (text) => {
    if (text === null) return 0;
    if (!numbers.has(text)) numbers.set(text, Number(addText.run(text).lastInsertRowid));
    return numbers.get(text);
  };
  const addRun = db.prepare(
    `INSERT INTO runs (run_id, factory_uid, automation_uid, title, prompt, source, creator, creator_uid, executor, ancestors,
       schedule_id, config, config_name, model_id, execution, metadata, state, session_id, created_at, updated_at,
       started_at, finished_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addListing = db.prepare(
    `INSERT INTO run_listing (run_id, created_at, updated_at, lifespan, state, source, audience, in_factory, creator, executor,
       name, model, environment, schedule, automation, title, skill)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const addTag = db.prepare("INSERT INTO run_tags (tag, number) VALUES (?, ?)");
  const addSearch = db.prepare("INSERT INTO run_search (number, text) VALUES (?, ?)");
  const store = db.transaction((from, to) => {
    for (let n = from; n < to; n += 1) storeRun(runNumber(n, count));
  });
  for (let n = 0; n < count; n += 10_000) store(n, Math.min(count, n + 10_000));
  db.pragma("wal_checkpoint(TRUNCATE)");
  db.close();

  function storeRun(run) {
    const at = (instant) => new Date(instant).toISOString();
    const prompt = `${run.title}. ${"Say what broke and who should know. ".repeat(10)}`;
    const who = (uid, type) => JSON.stringify({ uid, type, displayName: uid });
    addRun.run(
      run.id,
      run.factory,
      run.automation,
      run.title,
      prompt,
      run.source,
      who(run.creator, "user"),
      run.creator,
      who(run.executor, "service_account"),
      run.ancestor === null ? "[]" : JSON.stringify([run.ancestor]),
      run.schedule,
      JSON.stringify({
        name: run.name,
        model_id: run.model,
        base_prompt: "You look after builds. ".repeat(20),
        ...(run.environment ? { environment_id: run.environment } : {}),
        ...(run.skill ? { skill_spec: run.skill, skills: [run.skill] } : {}),
      }),
      run.name,
      run.model,
      '{"harness":{"type":"oz"},"secrets":[]}',
      JSON.stringify(run.metadata),
      run.state,
      run.id,
      at(run.created),
      at(run.updated),
      at(run.created),
      at(run.updated),
    );
    const { lastInsertRowid } = addListing.run(
      run.id,
      run.created,
      run.updated,
      Math.floor(Math.log2(run.updated - run.created + 1)),
      numberOf(run.state),
      numberOf(run.source),
      numberOf(run.factory),
      1,
      numberOf(run.creator),
      numberOf(run.executor),
      numberOf(run.name),
      numberOf(run.model),
      numberOf(run.environment),
      numberOf(run.schedule),
      numberOf(run.automation),
      run.title,
      run.skill?.split(":")[1] ?? null,
    );
    const tags = [
      ...Object.entries(run.metadata).map(([key, value]) => `metadata:${key}=${value}`),
      ...(run.ancestor ? [`ancestor:${run.ancestor}`] : []),
      ...(run.skill ? [`skill:${run.skill}`, `skill:${run.skill.split(":")[1]}`] : []),
    ];
    for (const tag of tags) addTag.run(numberOf(tag), lastInsertRowid);
    addSearch.run(lastInsertRowid, `${run.title}\n${run.skill ?? ""}\n${prompt}`.toLowerCase());
  }
}
