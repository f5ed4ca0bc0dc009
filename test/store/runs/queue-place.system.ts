import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { NO_CAPS, type RunCaps } from "../../../src/runs/caps.ts";
import { MAX_AHEAD, type QueuePlace } from "../../../src/runs/rules/waiting.ts";
import type { NewRun } from "../../../src/runs/run.ts";
import { PLACE_QUERIES } from "../../../src/store/runs/queue-place.ts";
import { aStoreOf } from "../../given/factory.ts";
import { onSqlite } from "../../given/postgres.ts";
import { AT, aRun, aStore, LEASE } from "../../given/store.ts";

const caps = (changes: Partial<RunCaps> = {}): RunCaps => ({ ...NO_CAPS, ...changes });
const of = (automationUid: string): Partial<NewRun> => ({ automationUid, factoryUid: "f", webhookUid: "w" });

/** A store with waiting runs, and why and where each of them waits. */
async function waiting(...runs: Partial<NewRun>[]) {
  const store = await aStoreOf("f", "g");
  const made = runs.map((changes) => aRun(changes));
  for (const run of made) await store.runs.create(run, AT);
  const claim = (limit: number, held = caps()) => store.runs.claim(limit, LEASE, AT, held);
  const places = (held = caps(), at = AT) =>
    Promise.all(made.map(({ id }) => store.runs.findQueuePlace(id, held, at)));
  return { store, claim, places, made };
}

const pause = (scope: { factoryUid?: string; automationUid?: string; webhookUid?: string }) => ({
  ...{ id: newUuid(), factoryUid: null, webhookUid: null, automationUid: null, name: "a", reason: null },
  ...{ createdBy: { uid: "ann", type: "user", displayName: "Ann" } as const, createdAt: AT },
  ...scope,
});

const placeText = (place: QueuePlace | undefined) =>
  place && [place.hold?.kind ?? (place.isBehindOthers ? "share" : "free"), place.ahead];

describe("a waiting run is told", () => {
  test("how many start before it, where nothing holds it", async () => {
    const { places, claim } = await waiting(of("a"), of("a"), of("b"));
    expect((await places()).map(placeText)).toEqual([
      ["free", 0],
      ["free", 2],
      ["free", 1],
    ]);
    await claim(1);
    expect((await places()).map(placeText)).toEqual([undefined, ["free", 1], ["free", 0]]);
  });

  test("only of runs of its factory, and that others have their turn before it", async () => {
    const foreign = { factoryUid: "g", automationUid: "z", webhookUid: "w" };
    const { store, made } = await waiting(foreign, of("a"), foreign, {}, of("b"), foreign, of("a"));
    const seen = async (within: string[]) => {
      const places = made.map(({ id }) => store.runs.findQueuePlace(id, caps(), AT, within));
      return (await Promise.all(places)).map((place) => [place?.ahead, place?.isBehindOthers ?? false]);
    };
    const ofF = [1, 6, 4];
    const inF = await seen(["f"]);
    expect(ofF.map((index) => inF[index])).toEqual([
      [0, true],
      [2, true],
      [1, true],
    ]);
    expect((await seen(["g"]))[0]).toEqual([0, false]);
    expect((await seen(["f", "g"]))[6]).toEqual([2, true]);

    await store.pauses.create(pause({}));
    const paused = await seen(["f"]);
    expect(ofF.map((index) => paused[index])).toEqual([
      [0, false],
      [2, false],
      [1, false],
    ]);
    expect((await seen(["f", "g"]))[6]).toEqual([5, false]);
  });

  test("that its automation's limit holds it, behind those of its automation alone", async () => {
    const ONE = caps({ automations: { a: 1 } });
    const { places, claim } = await waiting(of("a"), of("b"), of("a"), of("a"), of("b"));
    await claim(1, ONE);
    expect((await places(ONE)).map(placeText)).toEqual([
      undefined,
      ["free", 0],
      ["automation_limit", 0],
      ["automation_limit", 1],
      ["free", 1],
    ]);
    expect((await places(ONE))[3]?.hold).toEqual({ kind: "automation_limit", cap: 1, working: 1 });
  });

  test("that earlier runs of its automation take the room that is left", async () => {
    const { places } = await waiting(of("a"), of("a"), of("b"));
    expect((await places(caps({ automations: { a: 1 } }))).map(placeText)).toEqual([
      ["free", 0],
      ["automation_limit", 1],
      ["free", 1],
    ]);
  });

  test("that the hour of its factory is full, and when it opens", async () => {
    const HOUR = caps({ factories: { f: 2 } });
    const { places, claim } = await waiting(of("a"), of("b"), of("c"), { factoryUid: "g" }, of("a"));
    expect(await claim(10, HOUR)).toHaveLength(3);
    const all = await places(HOUR, "2026-11-21T10:30:00.000Z");
    expect(all.map(placeText)).toEqual([
      undefined,
      undefined,
      ["hourly_limit", 0],
      undefined,
      ["hourly_limit", 1],
    ]);
    expect(all[4]).toMatchObject({
      hold: { cap: 2, started: 2 },
      opensAt: "2026-11-21T11:00:00.000Z",
    });
  });

  test.each([
    [
      "its automation",
      { factoryUid: "f", automationUid: "a" },
      [
        ["paused", 0],
        ["free", 0],
        ["paused", 1],
        ["share", 0],
      ],
    ],
    [
      "its webhook",
      { factoryUid: "f", webhookUid: "w" },
      [
        ["paused", 0],
        ["paused", 0],
        ["paused", 1],
        ["free", 0],
      ],
    ],
    [
      "its factory",
      { factoryUid: "f" },
      [
        ["paused", 0],
        ["paused", 1],
        ["paused", 2],
        ["free", 0],
      ],
    ],
    [
      "the server",
      {},
      [
        ["paused", 0],
        ["paused", 1],
        ["paused", 2],
        ["paused", 3],
      ],
    ],
  ])("that a pause holds %s", async (_, scope, expected) => {
    const { store, places } = await waiting(of("a"), of("b"), of("a"), { factoryUid: "g" });
    await store.pauses.create(pause(scope));
    expect((await places()).map(placeText)).toEqual(expected);
  });

  test("nothing, when it does not wait or is not there", async () => {
    const { store } = await waiting({});
    expect(await store.runs.findQueuePlace(newUuid(), caps(), AT)).toBeUndefined();
  });
});

describe("a hundred thousand waiting runs", () => {
  test("are counted up to a bound, and never all looked at", async () => {
    const ONE = caps({ automations: { a: 1 } });
    const { store, claim } = await waiting(of("a"));
    await claim(1, ONE);
    await store.connection.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
       INSERT INTO runs (run_id, factory_uid, automation_uid, title, prompt, source, creator, creator_uid, config, execution,
                         metadata, state, created_at, updated_at)
       SELECT '0000-' || SUBSTR(CAST(1000000 + i AS TEXT), 2), 'f', 'a', 'waits', '', 'API', '{}', 'x', '{}', '{}', '{}', 'QUEUED', $1, $1 FROM n`,
      [AT],
    );
    let statements = 0;
    const { all, first } = store.connection;
    const counted =
      <Answer>(ask: (sql: string, values: []) => Answer) =>
      (sql: string, values: []) => {
        statements += 1;
        return ask(sql, values);
      };
    Object.assign(store.connection, { all: counted(all), first: counted(first) });
    const place = async (n: number, held: RunCaps) =>
      placeText(await store.runs.findQueuePlace(`0000-${String(n).padStart(6, "0")}`, held, AT));
    expect(await place(3, ONE)).toEqual(["automation_limit", 2]);
    expect(await place(100_000, ONE)).toEqual(["automation_limit", MAX_AHEAD]);
    expect(await place(50_000, caps())).toEqual(["free", MAX_AHEAD]);
    expect(await place(1, caps())).toEqual(["free", 0]);
    expect(statements).toBeLessThan(40);
  });

  onSqlite.each(Object.entries(PLACE_QUERIES))("are not scanned by %s", async (_, sql) => {
    const { connection } = await aStore();
    const plan = await connection.all<{ detail: string }>(
      `EXPLAIN QUERY PLAN ${sql}`,
      ["a", "b", 1, 1].slice(0, new Set(sql.match(/\$\d/g)).size),
    );
    const looks = plan.map(({ detail }) => detail).filter((detail) => detail.includes("runs"));
    expect(looks.length).toBeGreaterThan(0);
    for (const look of looks) {
      expect(look).toMatch(
        /^SEARCH runs USING (COVERING )?INDEX (runs_waiting_in_lanes|runs_waiting_by_placement|runs_in_state|runs_of_provider_hold|sqlite_autoindex_runs_1 )/,
      );
    }
  });
});
