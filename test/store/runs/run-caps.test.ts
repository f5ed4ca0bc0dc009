import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { NO_CAPS, type RunCaps } from "../../../src/runs/caps.ts";
import type { NewRun } from "../../../src/runs/run.ts";
import { CLAIM_QUERIES } from "../../../src/store/runs/claimable-runs.ts";
import { HOUR_QUERIES } from "../../../src/store/runs/started-runs.ts";
import { aStoreOf } from "../../given/factory.ts";
import { onSqlite } from "../../given/postgres.ts";
import { AT, aRun, aStore, LATER, LEASE } from "../../given/store.ts";

const caps = (changes: Partial<RunCaps>): RunCaps => ({ ...NO_CAPS, ...changes });
const minutes = (count: number) => new Date(Date.parse(AT) + count * 60_000).toISOString();
const DONE = { state: "FAILED", exitCode: 1, statusMessage: null } as const;

/** A store with waiting runs of these automations or factories, and what is claimed of them, by title. */
async function waiting(...runs: Partial<NewRun>[]) {
  const store = await aStoreOf("f", "g");
  for (const [n, changes] of runs.entries()) {
    const title = `${changes.automationUid ?? changes.factoryUid ?? "-"}${n}`;
    await store.runs.create(aRun({ title, ...changes }), AT);
  }
  const claim = async (limit: number, held: RunCaps, at = AT) => {
    const claims = await store.runs.claim(limit, LEASE, at, held);
    return { claims, titles: claims.map(({ run }) => run.title) };
  };
  return { store, claim };
}

const of = (automationUid: string): Partial<NewRun> => ({ automationUid, factoryUid: "f" });
const by = (factoryUid: string): Partial<NewRun> => ({ factoryUid });

describe("a capped automation", () => {
  const ONE = caps({ automations: { a: 1 } });

  test("has a limited number of runs at the same time, in their order, and delays no other", async () => {
    const { store, claim } = await waiting(of("a"), of("a"), of("b"), of("a"), {});
    const first = await claim(10, ONE);
    expect(first.titles).toEqual(["a0", "b2", "-4"]);
    expect((await claim(10, ONE)).titles).toEqual([]);
    const [a0] = first.claims;
    await store.runs.finish({ id: a0?.run.id ?? "", ticket: a0?.ticket ?? 0 }, DONE, LATER);
    expect((await claim(10, ONE)).titles).toEqual(["a1"]);
  });

  test("lets go of what waits when its cap is raised or taken away", async () => {
    const { claim } = await waiting(of("a"), of("a"), of("a"), of("a"));
    expect((await claim(10, ONE)).titles).toEqual(["a0"]);
    expect((await claim(10, caps({ automations: { a: 3 } }))).titles).toEqual(["a1", "a2"]);
    expect((await claim(10, caps({}))).titles).toEqual(["a3"]);
  });

  test("starts nothing new when its cap is lowered below what executes", async () => {
    const { claim } = await waiting(of("a"), of("a"), of("a"));
    await claim(2, caps({}));
    expect((await claim(10, ONE)).titles).toEqual([]);
  });

  test("counts a run that waits for a person for as long as its agent is alive", async () => {
    const { store, claim } = await waiting(of("a"), of("a"));
    const [first] = (await claim(10, ONE)).claims;
    const lease = { id: first?.run.id ?? "", ticket: first?.ticket ?? 0 };
    await store.runs.start({ ...lease, sessionId: newUuid(), tokenHash: newUuid(), takesInput: false }, AT);
    await store.runs.block({ id: lease.id, turn: 1 }, "Which one?", AT);
    expect((await claim(10, ONE)).titles).toEqual([]);
    await store.runs.finish(lease, { state: "SUCCEEDED", exitCode: 0, statusMessage: null }, LATER);
    expect(await store.runs.find(lease.id)).toMatchObject({ state: "BLOCKED" });
    expect((await claim(10, ONE)).titles).toEqual(["a1"]);
  });

  test("counts a run that a crash has put back once", async () => {
    const { store, claim } = await waiting(of("a"), of("a"));
    await claim(1, ONE);
    await store.runs.recoverLost(await store.runs.listLeased(), "lost", AT);
    expect((await claim(10, ONE)).titles).toEqual(["a0"]);
  });
});

describe("a factory with a cap for the hour", () => {
  const TWO = caps({ factories: { f: 2 } });

  test("starts a limited number of runs within any hour, whatever started them, and delays no other", async () => {
    const { claim } = await waiting(by("f"), of("a"), by("f"), by("g"), by("f"));
    expect((await claim(1, TWO)).titles).toEqual(["f0"]);
    expect((await claim(10, TWO, minutes(30))).titles).toEqual(["a1", "g3"]);
    expect((await claim(10, TWO, minutes(59))).titles).toEqual([]);
    expect((await claim(10, TWO, minutes(60))).titles).toEqual(["f2"]);
    expect((await claim(10, TWO, minutes(89))).titles).toEqual([]);
    expect((await claim(10, TWO, minutes(90))).titles).toEqual(["f4"]);
  });

  test("counts starts and not ends, and a run that was claimed before is not counted again", async () => {
    const { store, claim } = await waiting(by("f"), by("f"), by("f"));
    const { claims } = await claim(1, TWO);
    await store.runs.recoverLost(await store.runs.listLeased(), "lost", AT);
    const again = await claim(10, TWO);
    expect(again.titles).toEqual(["f0", "f1"]);
    for (const { run, ticket } of again.claims) await store.runs.finish({ id: run.id, ticket }, DONE, AT);
    expect(claims).toHaveLength(1);
    expect((await claim(10, TWO, minutes(1))).titles).toEqual([]);
  });

  test("lets a run that a crash has put back go on immediately, although the hour is full", async () => {
    const { store, claim } = await waiting(by("f"), by("f"));
    const ONE = caps({ factories: { f: 1 } });
    expect((await claim(10, ONE)).titles).toEqual(["f0"]);
    await store.runs.recoverLost(await store.runs.listLeased(), "lost", AT);
    expect((await claim(10, ONE, minutes(1))).titles).toEqual(["f0"]);
  });

  test("says when the hour allows the next run", async () => {
    const { store, claim } = await waiting(by("f"), by("f"), by("f"), by("g"));
    const opening = (at: string) => store.runs.findHourOpening({ f: 2, g: 1 }, at);
    expect(await opening(AT)).toBeUndefined();
    await claim(1, TWO);
    await claim(10, caps({ factories: { f: 2, g: 0 } }), minutes(10));
    expect(await opening(minutes(20))).toBe(minutes(60));
    expect((await claim(10, TWO, await opening(minutes(20)))).titles).toContain("f2");
  });

  test("is not stopped for long, nor let loose, by a clock that is set back", async () => {
    const { claim } = await waiting(by("f"), by("f"), by("f"), by("f"));
    await claim(2, TWO, minutes(50));
    expect((await claim(10, TWO, minutes(0))).titles).toEqual([]);
    expect((await claim(10, TWO, minutes(-60 * 24))).titles).toEqual(["f2", "f3"]);
  });

  test("is full for one more run when those that wait will use the hour up", async () => {
    const { store, claim } = await waiting(by("f"), of("a"), by("g"));
    const isFull = (cap: number) => store.runs.findHourIsFull("f", cap, AT);
    expect([await isFull(2), await isFull(3)]).toEqual([true, false]);
    await claim(1, TWO);
    expect([await isFull(1), await isFull(2), await isFull(3)]).toEqual([true, true, false]);
  });
});

describe("a hundred thousand waiting runs of a capped automation", () => {
  const ONE = caps({ automations: { a: 1 } });

  test("are stepped over as one lane", async () => {
    const { store, claim } = await waiting(of("a"), of("a"));
    await claim(1, ONE);
    // A copy of the second run under ids that come before those of everybody else.
    await store.connection.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
       INSERT INTO runs (run_id, factory_uid, automation_uid, title, prompt, source, creator, creator_uid, config, execution,
                         metadata, state, created_at, updated_at)
       SELECT '0000-' || SUBSTR(CAST(1000000 + i AS TEXT), 2), 'f', 'a', 'waits', '', 'API', '{}', 'x', '{}', '{}', '{}', 'QUEUED', $1, $1 FROM n`,
      [AT],
    );
    await store.runs.create(aRun({ title: "free", automationUid: "b", factoryUid: "f" }), AT);
    const statements: string[] = [];
    const { all, first } = store.connection;
    const counted =
      <Answer>(ask: (sql: string, values: []) => Answer) =>
      (sql: string, values: []) => {
        statements.push(sql);
        return ask(sql, values);
      };
    Object.assign(store.connection, { all: counted(all), first: counted(first) });
    expect((await claim(2, ONE)).titles).toEqual(["free"]);
    expect(statements.length).toBeLessThan(15);
  });

  onSqlite.each(Object.entries({ ...CLAIM_QUERIES, ...HOUR_QUERIES }))(
    "are not scanned by %s",
    async (_, sql) => {
      const { connection } = await aStore();
      const plan = await connection.all<{ detail: string }>(
        `EXPLAIN QUERY PLAN ${sql}`,
        ["a", "b", 1, "c"].slice(0, new Set(sql.match(/\$\d/g)).size),
      );
      const looks = plan.map(({ detail }) => detail).filter((detail) => detail.includes("runs"));
      expect(looks.length).toBeGreaterThan(0);
      expect(plan.map(({ detail }) => detail)).not.toContainEqual(expect.stringContaining("TEMP B-TREE"));
      for (const look of looks) {
        expect(look).toMatch(
          /^SEARCH runs USING (COVERING )?INDEX (runs_in_turn|runs_waiting_in_lanes|runs_waiting_by_placement|runs_in_state|sqlite_autoindex_runs_1 )/,
        );
      }
    },
  );
});
