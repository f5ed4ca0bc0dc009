import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { NO_CAPS } from "../../../src/runs/caps.ts";
import { type Budgets, turnBudgetOf } from "../../../src/runs/rules/budget.ts";
import type { Claim, NewRun } from "../../../src/runs/run.ts";
import { aStoreOf } from "../../given/factory.ts";
import { AT, aRun, LEASE } from "../../given/store.ts";

const hours = (count: number) => new Date(Date.parse(AT) + count * 3_600_000).toISOString();
const DONE = { state: "FAILED", exitCode: 1, statusMessage: null } as const;
const ofFactory = (budget: object): Budgets => ({ f: { kind: "factory", name: "acme", ...budget } });
const ofAgent = (budget: object): Budgets => ({ boss: { kind: "agent", name: "boss", ...budget } });

/** A store with waiting runs, what is claimed of them under budgets, and a way to tell what one has used. */
async function waiting(budgets: Budgets, ...runs: Partial<NewRun>[]) {
  const store = await aStoreOf("f", "g");
  const create = async (changes: Partial<NewRun>, title: string) => {
    const run = aRun({ factoryUid: "f", title, ...changes });
    await store.runs.create(run, AT);
    return run.id;
  };
  const ids: string[] = [];
  for (const [n, changes] of runs.entries()) ids.push(await create(changes, `${n}`));
  let active = budgets;
  const claim = (at = AT, limit = 10) => store.runs.claim(limit, LEASE, at, { ...NO_CAPS, budgets: active });
  const titles = async (at = AT, limit = 10) =>
    (await claim(at, limit)).map(({ run, refusal }) => (refusal ? `${run.title} refused` : run.title));
  const use = async ({ run, ticket }: Claim, usd: number | null, at = AT, model = "m") => {
    const costSource = usd === null ? null : ("reported" as const);
    const usage = [{ model, inputTokens: 100, outputTokens: 10, cachedTokens: 0, costUsd: usd, costSource }];
    return store.runs.keepUsage({ id: run.id, ticket }, usage, "harness", at, turnBudgetOf(run, active));
  };
  const end = ({ run, ticket }: Claim, at = AT) => store.runs.finish({ id: run.id, ticket }, DONE, at);
  const place = (n: number, at = AT) =>
    store.runs.findQueuePlace(ids[n] ?? "", { ...NO_CAPS, budgets: active }, at);
  return {
    ...{ store, create, claim, titles, use, end, place },
    change(budgets: Budgets) {
      active = budgets;
    },
    first: async (at = AT) => {
      const [claimed] = await claim(at, 1);
      if (!claimed) throw new Error("nothing was claimed");
      return claimed;
    },
    changes: async () => (await store.changes.listAfter(0, 1_000)).filter(({ kind }) => kind === "budget"),
  };
}

describe("a factory with a budget in US dollars for the day", () => {
  const ONE = ofFactory({ usdPerDay: 1 });

  test("starts runs until it is used up, and again when enough of it is a day old", async () => {
    const { create, first, use, titles, place } = await waiting(ONE, {}, {}, {});
    await use(await first(), 0.6);
    await use(await first(hours(1)), 0.4, hours(1));
    await create({ factoryUid: "g" }, "3");
    expect(await titles(hours(2))).toEqual(["3"]);
    const held = await place(2, hours(2));
    expect(held).toMatchObject({
      hold: { kind: "budget", day: { limit: "usdPerDay", most: 1, used: 1, owner: { name: "acme" } } },
      opensAt: "2026-11-22T10:01:00.000Z",
      ahead: 0,
    });
    expect(await titles(hours(24))).toEqual([]);
    expect(await titles(held?.opensAt)).toEqual(["2"]);
  });

  test("counts what a turn has used once, however often it is told, and believes the last word", async () => {
    const { first, use, titles } = await waiting(ONE, {}, {});
    const run = await first();
    for (const usd of [0.5, 1.5, 1.5, 0.9]) await use(run, usd);
    expect(await titles()).toEqual(["1"]);
  });

  test("ends all runs in progress that tell of more, once it is passed", async () => {
    const { claim, use } = await waiting(ONE, {}, {}, {});
    const [a, b, c] = (await claim()) as [Claim, Claim, Claim];
    expect(await use(a, 0.6)).toBeUndefined();
    expect(await use(b, 0.4)).toBeUndefined();
    expect(await use(c, 0.1)).toMatchObject({ limit: "usdPerDay", most: 1, used: expect.closeTo(1.1) });
    expect(await use(a, 0.6)).toMatchObject({ limit: "usdPerDay", owner: { kind: "factory" } });
  });

  test("counts runs that were deleted since", async () => {
    const { store, first, use, end, titles } = await waiting(ONE, {}, {});
    const run = await first();
    await use(run, 1);
    await end(run);
    expect(await store.runs.forgetRun(run.run.id, AT)).toMatchObject({ isGone: true });
    expect(await titles()).toEqual([]);
  });

  test("lets runs start when it is raised, and counts what was used before it was set", async () => {
    const { first, use, titles, change } = await waiting({}, {}, {}, {});
    await use(await first(), 5);
    change(ofFactory({ usdPerDay: 5 }));
    expect(await titles()).toEqual([]);
    change(ofFactory({ usdPerDay: 6 }));
    expect(await titles()).toEqual(["1", "2"]);
  });

  test("is told of once, however many runs wait for it or pass it, and again when it was changed", async () => {
    const { claim, use, titles, changes, change } = await waiting(ONE, {}, {}, {}, {});
    const [a, b] = (await claim(AT, 2)) as [Claim, Claim];
    await use(a, 2);
    await use(b, 2);
    for (const at of [AT, hours(1), hours(2)]) expect(await titles(at)).toEqual([]);
    expect(await changes()).toMatchObject([{ subject: "f", factoryUid: "f", status: "usdPerDay" }]);
    change(ofFactory({ usdPerDay: 3 }));
    await titles(hours(2));
    expect(await changes()).toHaveLength(2);
  });

  test("holds later turns of its runs back, too", async () => {
    const { store, first, use, end, titles } = await waiting(ONE, {});
    const run = await first();
    await use(run, 1);
    await end(run);
    const { id: runId, creator } = run.run;
    await store.runs.followUp({ id: newUuid(), runId, message: "Go on.", creator }, null, AT);
    expect(await store.runs.find(run.run.id)).toMatchObject({ state: "QUEUED", turn: 2 });
    expect(await titles()).toEqual([]);
  });

  test("forgets what was used long ago, and nothing that counts", async () => {
    const { store, first, use } = await waiting(ONE, {});
    await use(await first(), 1);
    const count = async () => (await store.connection.all("SELECT * FROM spend")).length;
    expect(await store.runs.pruneSpend(hours(47), 10)).toBe(0);
    expect(await count()).toBe(1);
    expect(await store.runs.pruneSpend(hours(49), 10)).toBe(1);
    expect(await count()).toBe(0);
  });
});

describe("an agent whose budget is used up", () => {
  test("keeps no run of another agent back, though they wait in one lane", async () => {
    const boss = { agentUid: "boss" };
    const { first, use, titles, place } = await waiting(
      ofAgent({ usdPerDay: 1 }),
      ...[boss, boss, boss, { agentUid: "clerk" }, boss, { agentUid: null }],
    );
    await use(await first(), 1);
    expect(await titles()).toEqual(["3", "5"]);
    expect(await place(4)).toMatchObject({ hold: { kind: "budget" }, ahead: 2 });
  });

  test("starts a limited number of runs in a day, and goes on with those that it has started", async () => {
    const boss = { agentUid: "boss" };
    const { store, titles, changes } = await waiting(ofAgent({ runsPerDay: 2 }), boss, boss, boss);
    expect(await titles()).toEqual(["0", "1"]);
    expect(await changes()).toMatchObject([{ subject: "boss", status: "runsPerDay" }]);
    await store.runs.recoverLost(await store.runs.listLeased(), "lost", AT);
    expect(await titles(hours(1))).toEqual(["0", "1"]);
    expect(await titles(hours(24))).toEqual(["2"]);
  });
});

describe("the used-up days for which runs wait", () => {
  test("of a factory are listed with the first run that waits and when there is room again", async () => {
    const { store, first, use, titles } = await waiting(ofFactory({ usdPerDay: 1 }), {}, {});
    const listed = (budget: object, at = AT) => store.runs.listAwaitedDays(ofFactory(budget), at);
    expect(await listed({ usdPerDay: 1 })).toEqual([]);
    const run = await first();
    await use(run, 1);
    const owner = { uid: "f", kind: "factory", name: "acme" };
    const day = { owner, limit: "usdPerDay", most: 1, used: 1, skips: false };
    expect(await listed({ usdPerDay: 1 })).toEqual([
      { day, factoryUid: "f", since: AT, opensAt: "2026-11-22T10:01:00.000Z" },
    ]);
    for (const budget of [{ usdPerDay: 1, onExhausted: "skip" }, { usdPerDay: 2 }, {}])
      expect(await listed(budget)).toEqual([]);
    expect(await titles(hours(25))).toEqual(["1"]);
    await use(run, 1.5, hours(25));
    expect(await listed({ usdPerDay: 0.1 }, hours(25))).toEqual([]);
  });

  test("of starts are listed once a run of the agent waits that was not started", async () => {
    const mine = { agentUid: "boss", automationUid: "auto" };
    const { store, first, create } = await waiting({}, mine, { agentUid: "other" });
    await first();
    const agent = ofAgent({ runsPerDay: 1 });
    expect(await store.runs.listAwaitedDays(agent, AT)).toEqual([]);
    await create(mine, "2");
    const day = { limit: "runsPerDay", most: 1, used: 1 };
    expect(await store.runs.listAwaitedDays(agent, AT)).toMatchObject([
      { day, since: AT, opensAt: hours(24) },
    ]);
  });
});

describe("a budget with onExhausted: skip", () => {
  test("has runs claimed only to be ended, which do not count as started", async () => {
    const { store, first, titles, change, changes } = await waiting(
      ofFactory({ runsPerDay: 1, onExhausted: "skip" }),
      ...[{}, {}, {}],
    );
    const run = await first();
    expect(await titles()).toEqual(["1 refused", "2 refused"]);
    expect(await store.runs.listBudgetUse(ofFactory({ runsPerDay: 1 }), AT)).toEqual({
      f: { usd: 0, runs: 1, opensAt: hours(24) },
    });
    await store.runs.recoverLost(await store.runs.listLeased(), "lost", AT);
    change({});
    expect(await titles()).toEqual(["0", "1", "2"]);
    expect(run.refusal).toBeUndefined();
    expect(await changes()).toHaveLength(1);
  });

  test("is not offered to whoever starts machines", async () => {
    const budgets = ofFactory({ runsPerDay: 1, onExhausted: "skip" });
    const { store, first } = await waiting(budgets, {}, {});
    await first();
    const reach = { placements: [""], factories: null };
    expect(await store.runs.listClaimable(10, AT, { ...NO_CAPS, budgets }, reach)).toEqual([]);
  });
});

describe("a run with limits of its own", () => {
  test("is over its budget in the report in which it passes it, over all of its turns", async () => {
    const { store, first, use, end } = await waiting(ofFactory({ usdPerRun: 1, tokensPerRun: 300 }), {});
    const run = await first();
    expect(await use(run, 1)).toBeUndefined();
    await end(run);
    const later = { ...run, run: { ...run.run, turn: 2 } };
    await store.connection.run("UPDATE runs SET turn = 2 WHERE run_id = $1", [run.run.id]);
    expect(await use(later, 0.000_1)).toMatchObject({
      limit: "usdPerRun",
      most: 1,
      used: expect.closeTo(1.000_1),
      owner: { kind: "factory", name: "acme" },
    });
    expect(await use(later, 0)).toBeUndefined();
    await store.connection.run("UPDATE runs SET turn = 3 WHERE run_id = $1", [run.run.id]);
    expect(await use(later, 0)).toMatchObject({
      limit: "tokensPerRun",
      most: 300,
      used: 330,
      owner: expect.anything(),
    });
  });

  test("is over a budget in dollars as soon as it uses a model whose cost is unknown", async () => {
    const asked = await waiting({}, { config: { name: "x", budget: { usdPerRun: 1 } } });
    const run = await asked.first();
    expect(await asked.use(run, null, AT, "unheard-of")).toEqual({ limit: "price", model: "unheard-of" });
    const tokens = await waiting({}, { config: { name: "x", budget: { tokensPerRun: 1_000 } } });
    expect(await tokens.use(await tokens.first(), null)).toBeUndefined();
  });
});

/** A root of an automation at work, and runs that descend from it. */
async function aFamily(budgets: Budgets, ...below: Partial<NewRun>[]) {
  const given = await waiting(budgets);
  const root = await given.create({ automationUid: "a", agentUid: "boss" }, "root");
  const [rootClaim] = await given.claim();
  for (const [n, changes] of below.entries()) await given.create({ ancestors: [root], ...changes }, `${n}`);
  const { runs } = given.store;
  let known: Budgets = budgets;
  const useOf = async (claim: Claim, usd: number | null) => {
    const { run, ticket } = claim;
    const found = await runs.find(run.ancestors[0] ?? "");
    const costSource = usd === null ? null : ("reported" as const);
    const usage = [
      { model: "m", inputTokens: 9, outputTokens: 1, cachedTokens: 0, costUsd: usd, costSource },
    ];
    return runs.keepUsage({ id: run.id, ticket }, usage, "harness", AT, turnBudgetOf(run, known, found));
  };
  return {
    ...given,
    root,
    rootClaim: rootClaim as Claim,
    use: useOf,
    async startsTurn({ run }: Claim) {
      const budget = turnBudgetOf(run, known, await runs.find(run.ancestors[0] ?? ""));
      return budget && runs.findOverBudget(run.id, budget);
    },
    set(budgets: Budgets) {
      known = budgets;
      given.change(budgets);
    },
    told: async () =>
      (await runs.listEvents(root, { limit: 500 })).filter(({ type }) => type === "family_budget_used_up"),
  };
}

const ofAutomation = (budget: object): Budgets => ({ a: { kind: "automation", name: "review", ...budget } });

describe("a family whose root may use so many US dollars", () => {
  test("ends each run that passes them together with the others, counts reports once, and tells the root once", async () => {
    const { claim, use, rootClaim, root, told } = await aFamily(ofAutomation({ usdPerRun: 1 }), {}, {});
    const [a, b] = (await claim()) as [Claim, Claim];
    expect(await use(rootClaim, 0.2)).toBeUndefined();
    for (let report = 0; report < 3; report += 1) expect(await use(a, 0.5)).toBeUndefined();
    expect(await told()).toEqual([]);
    const over = { limit: "usdPerRun", most: 1, family: root, owner: { name: "review" } };
    expect(await use(b, 0.4)).toMatchObject({ ...over, used: expect.closeTo(1.1) });
    expect(await use(a, 0.5)).toMatchObject(over);
    expect(await use(rootClaim, 0.2)).toMatchObject(over);
    expect(await told()).toMatchObject([{ payload: { turn: 1, run_id: b.run.id } }]);
    expect((await told())[0]?.payload?.reason).toContain("$1.00 that the automation review allows");
  });

  test("lets no other run of it start a turn once they are used up, and the root go on until they are passed", async () => {
    const { claim, use, rootClaim, startsTurn, set } = await aFamily(ofAutomation({ usdPerRun: 1 }), {}, {});
    const [a, b] = (await claim()) as [Claim, Claim];
    expect(await startsTurn(b)).toBeUndefined();
    await use(a, 1);
    expect(await startsTurn(b)).toMatchObject({ limit: "usdPerRun", used: 1 });
    expect(await startsTurn(rootClaim)).toBeUndefined();
    set(ofAutomation({ usdPerRun: 2 }));
    expect(await startsTurn(b)).toBeUndefined();
  });

  test("refuses its agents further runs, with the root deleted by the limit of its automation", async () => {
    const { store, claim, use, end, rootClaim, root } = await aFamily(ofAutomation({ usdPerRun: 1 }), {});
    const [a] = (await claim()) as [Claim];
    await store.runs.start(
      { id: a.run.id, ticket: a.ticket, sessionId: newUuid(), tokenHash: "t", takesInput: false },
      AT,
    );
    const familyUsd = { most: 1, owner: null, rootId: root, factoryUid: "f" };
    const start = () => {
      const run = aRun({ factoryUid: "f", ancestors: [root, a.run.id] });
      const once = { parentId: a.run.id, parentTurn: 1, agent: "coder", children: 9, once: null };
      return store.runs.startChild(run, { ...once, answer: run.id, familyUsd }, AT);
    };
    await use(a, 0.9);
    expect(await start()).toMatchObject({ isNew: true });
    await use(a, 1);
    expect(await start()).toEqual({ refused: "budget" });
    await end(rootClaim);
    await store.runs.forgetRun(root, AT);
    expect(await use(a, 1.1)).toMatchObject({ limit: "usdPerRun", most: 1, family: root });
  });

  test("leaves a run that has a tighter limit of its own with that", async () => {
    const budgets = { ...ofAutomation({ usdPerRun: 1 }), ...ofAgent({ usdPerRun: 5 }) };
    const config = { name: "x", budget: { usdPerRun: 0.3 } };
    const { claim, use } = await aFamily(budgets, { config }, { agentUid: "boss" });
    const [a, b] = (await claim()) as [Claim, Claim];
    expect(await use(a, 0.4)).toMatchObject({ limit: "usdPerRun", most: 0.3, used: 0.4, owner: null });
    expect(await use(b, 0.5)).toBeUndefined();
  });
});

describe("the day of an automation", () => {
  test("counts the money of the families that it has started, once, and not the runs below their roots", async () => {
    const budgets = ofAutomation({ usdPerDay: 9, runsPerDay: 1 });
    const { store, claim, use } = await aFamily(budgets, {}, { automationUid: "a" }, { automationUid: "b" });
    const claims = await claim();
    // The runs of a day are those of the automation itself.
    expect(claims.map(({ run }) => run.title)).toEqual(["0", "2"]);
    for (const each of claims) await use(each, 1);
    expect(await store.runs.listBudgetUse(budgets, AT)).toMatchObject({ a: { usd: 2, runs: 1 } });
  });

  test("holds the runs below its roots back when it is used up, and no others of their lane", async () => {
    const budgets = ofAutomation({ usdPerDay: 1 });
    const { claim, create, use, rootClaim, root, place: _, set } = await aFamily(budgets);
    await use(rootClaim, 1);
    for (const title of ["a", "b"]) await create({ ancestors: [root] }, title);
    await create({}, "of no family");
    expect((await claim()).map(({ run }) => run.title)).toEqual(["of no family"]);
    set({});
    expect((await claim()).map(({ run }) => run.title)).toEqual(["a", "b"]);
  });

  test("is not used by the runs of another factory below its roots", async () => {
    const budgets = ofAutomation({ usdPerDay: 1, usdPerRun: 1 });
    const { store, claim, use, rootClaim, told, root } = await aFamily(budgets, { factoryUid: "g" });
    const [a] = (await claim()) as [Claim];
    expect(a.run).toMatchObject({ factoryUid: "g", rootAutomationUid: null });
    expect(await use(a, 5)).toBeUndefined();
    expect(await use(rootClaim, 0.5)).toBeUndefined();
    expect(await told()).toEqual([]);
    expect(await store.runs.listBudgetUse(budgets, AT)).toMatchObject({ a: { usd: 0.5 } });
    expect(await store.runs.listFamilyCosts([root], null)).toEqual({ [root]: 5.5 });
  });

  test("ends the runs below its roots when it is passed", async () => {
    const { claim, use } = await aFamily(ofAutomation({ usdPerDay: 1 }), {});
    const [a] = (await claim()) as [Claim];
    expect(await use(a, 1.1)).toMatchObject({ limit: "usdPerDay", owner: { name: "review" } });
  });
});

test("a factory that is deleted takes what was used of its budget with it", async () => {
  const { store, first, use } = await waiting(ofFactory({ usdPerDay: 1 }), {});
  await use(await first(), 1);
  await store.factoryDeletions.remove("f", AT);
  expect(
    await store.connection.all(
      "SELECT * FROM spend UNION ALL SELECT owner_uid, limit_name, most FROM used_up_days",
    ),
  ).toEqual([]);
});

test("no budget costs a claim no question", async () => {
  const { store, claim } = await waiting({}, {}, {});
  const asked: string[] = [];
  const { first } = store.connection;
  Object.assign(store.connection, {
    first: (sql: string, values: []) => {
      asked.push(sql);
      return first(sql, values);
    },
  });
  await claim();
  expect(asked).toEqual([]);
});
