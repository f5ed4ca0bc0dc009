import fc from "fast-check";
import { expect, test } from "vitest";
import { skillReference } from "../../../src/runs/rules/skill-reference.ts";
import { RUN_STATES, type RunState } from "../../../src/runs/rules/state.ts";
import type { NewRun, Run } from "../../../src/runs/run.ts";
import { RUN_SORTS, type RunFilter, type RunQuery } from "../../../src/runs/run-query.ts";
import { listRuns } from "../../../src/store/run-list/run-list.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { aStoreOf } from "../../given/factory.ts";
import { aDelivery, aQuery, aRun, aStore, LEASE } from "../../given/store.ts";

const START = Date.parse("2026-03-01T00:00:00Z");
const RUNS = 250;
const at = (minutes: number) => new Date(START + minutes * 60_000).toISOString();
const one = <Item>(items: readonly Item[], n: number) => items[n % items.length] as Item;
const NAMES = ["nightly", "review", "triage"];
const MODELS = ["large", "small"];
const PEOPLE = ["ann", "bob", "cid"].map((uid) => ({ uid, type: "user" as const, displayName: uid }));
const SKILLS = ["acme/tools:deploy", "acme/tools:.skills/review/SKILL.md"];
const ENVIRONMENTS = ["A".repeat(22), "B".repeat(22)];
const STATES = Object.keys(RUN_STATES) as RunState[];

/** Runs of every kind, with a good mix of what they have in common. */
function someRun(n: number, ids: readonly string[]): NewRun {
  const skill = n % 7 === 0 ? one(SKILLS, n) : undefined;
  const environment = n % 3 === 0 ? one(ENVIRONMENTS, n) : undefined;
  return aRun({
    factoryUid: n % 4 === 0 ? null : `factory-${n % 3}`,
    automationUid: n % 5 === 0 ? `automation-${n % 2}` : null,
    title: `${one(["Fix", "Überprüfe", "look at"], n)} build ${n % 40}`,
    source: one(["API", "CLI", "CUSTOM_WEBHOOK"] as const, n),
    creator: one(PEOPLE, n),
    executor: one(PEOPLE, n + (n % 2)),
    scheduleId: n % 11 === 0 ? "schedule-1" : null,
    ancestors: n % 9 === 0 && ids.length > 3 ? [ids[0] as string, ids[3] as string] : [],
    skills: skill ? [skillReference(skill)] : [],
    metadata: n % 2 === 0 ? { team: one(["core", "web"], n), n: String(n % 10) } : {},
    config: {
      name: one(NAMES, n),
      ...(n % 6 === 0 ? {} : { model_id: one(MODELS, n) }),
      ...(skill ? { skill_spec: skill, skills: [skill] } : {}),
      ...(environment ? { environment_id: environment } : {}),
    },
  });
}

const stage = sharedByFile(async () => {
  const { runs, connection } = await aStore();
  const ids: string[] = [];
  for (let n = 0; n < RUNS; n += 1) {
    const run = someRun(n, ids);
    ids.push(run.id);
    // Several in the same minute, so that ties are met.
    await runs.create(run, at(Math.floor(n / 3)));
  }
  for (const { run, ticket } of await runs.claim(RUNS - 60, LEASE, at(RUNS))) {
    const n = ids.indexOf(run.id);
    if (n % 8 === 0) continue;
    await runs.start(
      { id: run.id, ticket, sessionId: run.id, tokenHash: run.id, takesInput: false },
      at(RUNS + (n % 50)),
    );
    if (n % 8 === 1) continue;
    const state = one(["SUCCEEDED", "FAILED", "ERROR"] as const, n);
    await runs.finish(
      { id: run.id, ticket },
      { state, exitCode: 0, statusMessage: null },
      at(RUNS + 60 + (n % 70)),
    );
  }
  await runs.updateListing(10 * RUNS);
  const all: Run[] = [];
  for (const id of ids) all.push((await runs.find(id)) as Run);
  return { connection, runs, all, numberOf: new Map(ids.map((id, index) => [id, index + 1])) };
});

/** What a filter means, written as plainly as can be. */
function fits(run: Run, filter: RunFilter): boolean {
  const skills = (run.config.skills ?? []).flatMap((spec) => [spec, skillReference(spec).name]);
  const created = Date.parse(run.createdAt);
  const { visibleTo } = filter;
  return (
    (filter.states?.includes(run.state) ?? true) &&
    (filter.sources?.includes(run.source) ?? true) &&
    (filter.name ?? run.config.name) === run.config.name &&
    (filter.modelId ?? run.config.model_id) === run.config.model_id &&
    (filter.creator ?? run.creator.uid) === run.creator.uid &&
    (filter.executor ?? run.executor.uid) === run.executor.uid &&
    (filter.environmentId === undefined || filter.environmentId === (run.config.environment_id ?? null)) &&
    (filter.scheduleId ?? run.scheduleId) === run.scheduleId &&
    (filter.automationId ?? run.automationUid) === run.automationUid &&
    (filter.factoryUids?.includes(run.factoryUid ?? "") ?? true) &&
    (!filter.inFactory || run.factoryUid !== null) &&
    (filter.skill === undefined || skills.includes(filter.skill)) &&
    Object.entries(filter.metadata ?? {}).every(([key, value]) => run.metadata[key] === value) &&
    (filter.ancestorId === undefined || run.ancestors.includes(filter.ancestorId)) &&
    filter.artifactType === undefined &&
    created >= (filter.createdAfter ?? 0) &&
    created < (filter.createdBefore ?? Number.POSITIVE_INFINITY) &&
    Date.parse(run.updatedAt) >= (filter.updatedAfter ?? 0) &&
    (visibleTo === undefined || (run.factoryUid !== null && visibleTo.includes(run.factoryUid)))
  );
}

function inOrder(
  runs: readonly Run[],
  { sort, descending }: RunQuery,
  numberOf: Map<string, number>,
): string[] {
  const skillOf = (run: Run) => (run.config.skill_spec ? skillReference(run.config.skill_spec).name : null);
  const keys = { updated_at: "updatedAt", created_at: "createdAt", title: "title" } as const;
  const keyOf = (run: Run) => (sort === "agent" ? skillOf(run) : run[keys[sort]]);
  const number = (run: Run) => numberOf.get(run.id) ?? 0;
  const bytes = (text: string) => Buffer.from(text);
  const compare = (a: Run, b: Run) => {
    const [left, right] = [keyOf(a), keyOf(b)];
    // Without a skill: behind all others in either direction, the last created first.
    if (left === null || right === null) {
      return left === right ? number(b) - number(a) : left === null ? 1 : -1;
    }
    const order = Buffer.compare(bytes(left), bytes(right)) || number(a) - number(b);
    return descending ? -order : order;
  };
  return [...runs].sort(compare).map(({ id }) => id);
}

const minutes = fc.integer({ min: -5, max: RUNS + 140 }).map((minute) => START + minute * 60_000);
const filters: fc.Arbitrary<RunFilter> = fc
  .record(
    {
      states: fc.subarray(STATES, { minLength: 1 }),
      sources: fc.subarray(["API", "CLI", "CUSTOM_WEBHOOK", "SLACK"], { minLength: 1 }),
      name: fc.constantFrom(...NAMES, "nobody"),
      modelId: fc.constantFrom(...MODELS),
      creator: fc.constantFrom("ann", "bob", "nobody"),
      executor: fc.constantFrom("ann", "cid"),
      environmentId: fc.constantFrom(...ENVIRONMENTS, null),
      scheduleId: fc.constantFrom("schedule-1", "schedule-2"),
      automationId: fc.constantFrom("automation-0", "automation-1"),
      factoryUids: fc.subarray(["factory-0", "factory-1", "ann"], { minLength: 1 }),
      inFactory: fc.constant(true),
      skill: fc.constantFrom(...SKILLS, "deploy", "review", "nobody"),
      metadata: fc.constantFrom({ team: "core" }, { team: "web", n: "3" }, { n: "4" }),
      createdAfter: minutes,
      createdBefore: minutes,
      updatedAfter: minutes,
      visibleTo: fc.constantFrom(["factory-0"], []),
    },
    { requiredKeys: [] },
  )
  // Few filters at a time, or nothing would fit.
  .chain((filter) =>
    fc.subarray(Object.keys(filter) as (keyof RunFilter)[], { maxLength: 3 }).map((keys) => {
      return Object.fromEntries(keys.map((key) => [key, (filter as RunFilter)[key]])) as RunFilter;
    }),
  );

const queries = fc.record({
  filter: filters,
  sort: fc.constantFrom(...RUN_SORTS),
  descending: fc.boolean(),
  limit: fc.constantFrom(1, 7, 40, 500),
});

test.each([
  ["by the rarest of their facets", 5_000],
  ["by a walk in the order that is asked for", -1],
])("lists found %s have the runs that fit, each once, in order", async (_, rare) => {
  const { connection, all, numberOf } = stage();
  const bounds = { rare, searched: 5_000, bytes: 2 ** 30 };
  await fc.assert(
    fc.asyncProperty(queries, async (query) => {
      const seen: string[] = [];
      let next: RunQuery["after"];
      do {
        const page = await listRuns(connection, { ...query, ...(next ? { after: next } : {}) }, bounds);
        expect(page.runs.length).toBeLessThanOrEqual(query.limit);
        seen.push(...page.runs.map(({ id }) => id));
        next = page.next;
      } while (next);
      const wanted = all.filter((run) => fits(run, query.filter));
      expect(seen).toEqual(inOrder(wanted, query, numberOf));
    }),
    { numRuns: 100 },
  );
});

test("an ancestor has the runs that were started from it, at any remove", async () => {
  const { runs, all } = stage();
  const ancestorId = all[3]?.id ?? "";
  const { runs: found } = await runs.list(aQuery({ ancestorId }, { limit: 500 }));
  expect(found.length).toBeGreaterThan(10);
  expect(found.every((run) => fits(run, { ancestorId }))).toBe(true);
  expect(found).toHaveLength(all.filter((run) => fits(run, { ancestorId })).length);
});

test("a search finds words anywhere, without case and accents, and forgives a wrong letter in a title", async () => {
  const { runs } = stage();
  const titles = async (text: string) =>
    new Set((await runs.list(aQuery({ text }, { limit: 500 }))).runs.map(({ title }) => title));
  expect(await titles("uberprufe 12")).toEqual(new Set(["Überprüfe build 12"]));
  expect((await titles("bild 12")).size).toBe(0);
  expect((await titles("biuld")).size).toBe(0);
  expect(await titles("buidl 13")).toEqual(new Set());
  expect((await titles("buils 13")).size).toBeGreaterThan(0);
  expect((await titles("deploy")).size).toBeGreaterThan(0);
});

test("a search goes on page by page beyond the runs that one page examines", async () => {
  const { connection, all } = stage();
  const bounds = { rare: 5_000, searched: 20, bytes: 2 ** 30 };
  const seen: string[] = [];
  let next: RunQuery["after"];
  do {
    const page = await listRuns(
      connection,
      { ...aQuery({ text: "fix" }), ...(next ? { after: next } : {}) },
      bounds,
    );
    seen.push(...page.runs.map(({ id }) => id));
    next = page.next;
  } while (next);
  expect(seen).toHaveLength(all.filter(({ title }) => title.startsWith("Fix")).length);
  expect(new Set(seen).size).toBe(seen.length);
});

test("a page of large prompts ends early, and the list goes on behind it", async () => {
  const { runs } = await aStore();
  const ids: string[] = [];
  for (let n = 0; n < 12; n += 1) {
    ids.unshift((await runs.create(aRun({ prompt: "x".repeat(1024 * 1024) }), at(n))).id);
  }
  const first = await runs.list(aQuery({}, { limit: 100 }));
  expect(first.runs.length).toBeLessThan(12);
  const rest = await runs.list(aQuery({}, { limit: 100, ...(first.next ? { after: first.next } : {}) }));
  expect([...first.runs, ...rest.runs].map(({ id }) => id)).toEqual(ids);
});

test("a text that was first met in a transaction that was undone is filtered by all the same", async () => {
  const { runs, deliveries } = await aStoreOf("factory");
  const run = aRun({ config: { name: "fresh" } });
  await expect(deliveries.record(aDelivery({ runs: [run, run] }))).rejects.toThrow(/UNIQUE|unique/);
  await runs.create(aRun({ config: { name: "another" } }), at(0));
  const { id } = await runs.create(aRun({ config: { name: "fresh" } }), at(1));
  const { runs: found } = await runs.list(aQuery({ name: "fresh" }));
  expect(found.map((each) => each.id)).toEqual([id]);
});

test("runs of a page share what is the same text in each, and each has what is its own", async () => {
  const { runs, connection } = await aStore();
  for (const [n, creator] of [PEOPLE[0], PEOPLE[0], PEOPLE[1]].entries())
    await runs.create(aRun({ creator: creator as NewRun["creator"], metadata: { n: String(n) } }), at(n));
  await runs.updateListing(10);
  const page = await listRuns(connection, aQuery({}, { sort: "created_at", descending: false }));
  const [first, second, third] = page.runs as [Run, Run, Run];
  expect(second.creator).toBe(first.creator);
  expect([first, second, third].map(({ creator }) => creator.uid)).toEqual(["ann", "ann", "bob"]);
  expect([first, second, third].map(({ metadata }) => metadata)).toEqual([
    { n: "0" },
    { n: "1" },
    { n: "2" },
  ]);
});
