import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { NO_CAPS, type RunCaps } from "../../../src/runs/caps.ts";
import type { ClaimReach } from "../../../src/runs/rules/placement.ts";
import type { NewRun } from "../../../src/runs/run.ts";
import { PLACEMENT_QUERIES } from "../../../src/store/runs/run-placements.ts";
import { aStoreOf } from "../../given/factory.ts";
import { onSqlite } from "../../given/postgres.ts";
import { AT, aRun, aStore, LATER, LEASE } from "../../given/store.ts";

const reach = (...placements: string[]): ClaimReach => ({ placements, factories: null });

const BY = { uid: "ann", type: "user" as const, displayName: "Ann" };

/** A store with waiting runs, the first one the oldest. */
async function waiting(...runs: Partial<NewRun>[]) {
  const store = await aStoreOf("f", "g");
  for (const [index, changes] of runs.entries()) {
    await store.runs.create(aRun({ id: `run-${String(index).padStart(3, "0")}`, ...changes }), AT);
  }
  const claim = async (limit: number, own?: ClaimReach, caps: RunCaps = NO_CAPS) =>
    (await store.runs.claim(limit, LEASE, AT, caps, own)).map(({ run }) => run.title);
  return { store, claim };
}

const run = (title: string, placement: string, changes: Partial<NewRun> = {}) => ({
  ...{ title, placement, factoryUid: "f", automationUid: "a" },
  ...changes,
});

describe("a claim", () => {
  test("takes the oldest runs of its placements only, and the server those that name no worker", async () => {
    const { claim } = await waiting(
      run("gpu", "gpu"),
      run("a", ""),
      run("eu", "eu"),
      run("b", ""),
      run("gpu2", "gpu"),
    );
    expect(await claim(1)).toEqual(["a"]);
    expect(await claim(2, reach("gpu", "eu"))).toEqual(["gpu", "eu"]);
    expect(await claim(9, reach())).toEqual([]);
    expect(await claim(9)).toEqual(["b"]);
    expect(await claim(9, reach("eu", "gpu"))).toEqual(["gpu2"]);
  });

  test("takes runs of its factories only, where it is limited to some", async () => {
    const { claim } = await waiting(
      run("g", "gpu", { factoryUid: "g" }),
      run("f", "gpu"),
      run("none", "gpu", { factoryUid: null }),
      run("server", ""),
    );
    expect(await claim(9, { placements: ["gpu", "gpu"], factories: ["f", "f", "h"] })).toEqual(["f"]);
    expect(await claim(9, { placements: ["gpu"], factories: [] })).toEqual([]);
    expect(await claim(9, reach("gpu"))).toEqual(["g", "none"]);
  });

  test("for one run takes that one only, if it waits within reach and nothing holds it", async () => {
    const { store, claim } = await waiting(run("a", "gpu"), run("b", "gpu"), run("c", "eu"));
    const one = (id: string, more: Partial<ClaimReach> = {}) => ({ ...reach("gpu"), run: id, ...more });
    const capped = { ...NO_CAPS, automations: { a: 0 } };
    expect(await claim(9, one("run-001"), capped)).toEqual([]);
    expect(await claim(9, one("run-001", { factories: ["g"] }))).toEqual([]);
    expect(await claim(9, one("run-002"))).toEqual([]);
    expect(await claim(9, one("run-999"))).toEqual([]);
    const listed = await store.runs.listClaimable(9, AT, NO_CAPS, one("run-001", { factories: ["f"] }));
    expect(listed.map(({ title, state }) => [title, state])).toEqual([["b", "QUEUED"]]);
    expect(await claim(9, one("run-001", { factories: ["f"] }))).toEqual(["b"]);
    expect(await claim(9, one("run-001"))).toEqual([]);
  });

  test("would take what is listed as claimable, which takes nothing", async () => {
    const { store, claim } = await waiting(run("a", "gpu"), run("b", "eu"), run("c", "gpu"), run("d", "gpu"));
    const list = async (limit: number, caps: RunCaps = NO_CAPS) =>
      (await store.runs.listClaimable(limit, AT, caps, reach("gpu"))).map(({ title }) => title);
    expect(await list(2)).toEqual(["a", "c"]);
    expect(await list(9, { ...NO_CAPS, automations: { a: 1 } })).toEqual(["a"]);
    expect(await list(0)).toEqual([]);
    expect(await claim(9, reach("gpu"))).toEqual(["a", "c", "d"]);
    expect(await list(9)).toEqual([]);
  });

  test("steps over a lane that has to wait, and over what waits for an absent worker in the same automation", async () => {
    const { claim } = await waiting(
      run("absent", "gpu"),
      run("a", ""),
      run("a2", ""),
      run("b", "", { automationUid: "b" }),
    );
    const ONE = { ...NO_CAPS, automations: { a: 1 } };
    expect(await claim(9, undefined, ONE)).toEqual(["a", "b"]);
    expect(await claim(9, reach("gpu"), ONE)).toEqual([]);
  });

  test("counts the runs of every placement under one cap", async () => {
    const { claim } = await waiting(run("gpu", "gpu"), run("a", ""), run("a2", ""));
    const TWO = { ...NO_CAPS, factories: { f: 2 } };
    expect(await claim(9, reach("gpu"), TWO)).toEqual(["gpu"]);
    expect(await claim(9, undefined, TWO)).toEqual(["a"]);
  });

  test("has runs again that a lost worker leaves, with their placement", async () => {
    const { store, claim } = await waiting(run("gpu", "gpu"));
    const [claimed] = await store.runs.claim(1, LEASE, AT, NO_CAPS, reach("gpu"));
    await store.runs.recoverLost([claimed?.run.id ?? ""], "lost", AT);
    expect(await claim(9)).toEqual([]);
    expect(await claim(9, reach("gpu"))).toEqual(["gpu"]);
  });

  test("has the next turn of a run with the placement of the first", async () => {
    const { store, claim } = await waiting(run("gpu", "gpu"));
    const [claimed] = await store.runs.claim(1, LEASE, AT, NO_CAPS, reach("gpu"));
    const ticket = { id: claimed?.run.id ?? "", ticket: claimed?.ticket ?? 0 };
    await store.runs.start({ ...ticket, sessionId: "s", tokenHash: "t", takesInput: false }, AT);
    await store.runs.followUp({ id: newUuid(), runId: ticket.id, message: "More.", creator: BY }, null, AT);
    await store.runs.finish(ticket, { state: "SUCCEEDED", exitCode: 0, statusMessage: null }, AT);
    expect(await claim(9)).toEqual([]);
    expect(await store.runs.listQueuedPlacements()).toEqual(["gpu"]);
    const [again] = await store.runs.claim(1, LEASE, AT, NO_CAPS, reach("gpu"));
    expect([again?.run.turn, again?.run.placement]).toEqual([2, "gpu"]);
  });

  test.each([1, 2, 3, 4, 5])(
    "takes as many as a scan of everything that waits finds, the oldest of those that are alike, for any mix of runs (%i)",
    async (seed) => {
      let state = seed;
      const pick = <Item>(items: readonly Item[]) => {
        state = (state * 48_271) % 2_147_483_647;
        return items[state % items.length] as Item;
      };
      const runs = Array.from({ length: 60 }, (_, index) =>
        run(String(index).padStart(3, "0"), pick(["", "gpu", "labels:eu"]), {
          factoryUid: pick(["f", "g", null]),
          automationUid: pick(["a", "b", null]),
        }),
      );
      const { claim } = await waiting(...runs);
      const left = new Set(runs.map(({ title }) => title));
      let working = 0;
      const laneOf = ({ placement, factoryUid, automationUid }: Partial<NewRun>) =>
        [placement, factoryUid, automationUid].join();
      const caps = { ...NO_CAPS, automations: { a: 7 } };
      for (let round = 0; round < 12; round += 1) {
        const own = {
          placements: pick([[""], ["gpu"], ["labels:eu", "gpu"]]),
          factories: pick([null, ["f"], ["f", "g"]]),
        };
        const waits = runs.filter(({ placement, factoryUid, ...each }) => {
          const isReached =
            own.factories === null || (factoryUid !== null && own.factories.includes(factoryUid));
          return isReached && own.placements.includes(placement) && left.has(each.title);
        });
        const capped = waits.filter(({ automationUid }) => automationUid === "a");
        const most = waits.length - capped.length + Math.min(capped.length, 7 - working);
        const titles = await claim(4, own, caps);
        expect(titles).toHaveLength(Math.min(4, most));
        const taken = titles.map((title) => waits.find((each) => each.title === title));
        for (const each of taken) {
          if (!each) throw new Error("a run was claimed that was not to be");
          left.delete(each.title);
          if (each.automationUid === "a") working += 1;
          // Of those that differ in nothing, the oldest.
          const alike = waits.filter((other) => left.has(other.title) && laneOf(other) === laneOf(each));
          for (const other of alike) expect(other.title > each.title).toBe(true);
        }
      }
    },
  );
});

describe("a hundred thousand runs that wait for an absent worker", () => {
  test("cost the claims of others and the list of placements nothing", async () => {
    const { store, claim } = await waiting(run("free", ""));
    await store.connection.run(
      `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
       INSERT INTO runs (run_id, factory_uid, automation_uid, title, prompt, source, creator, creator_uid, config, execution,
                         metadata, state, created_at, updated_at, placement)
       SELECT '0000-' || SUBSTR(CAST(1000000 + i AS TEXT), 2), 'f', 'a', 'waits', '', 'API', '{}', 'x', '{}', '{}', '{}', 'QUEUED', $1, $1, 'gpu' FROM n`,
      [AT],
    );
    expect(await store.runs.listQueuedPlacements()).toEqual(["", "gpu"]);
    expect(await claim(1)).toEqual(["free"]);
    expect((await store.runs.listDemand()).map(({ waiting: count }) => count)).toEqual([0, 100_000]);
  });

  onSqlite.each(Object.entries(PLACEMENT_QUERIES))("are not scanned by %s", async (_, sql) => {
    const { connection } = await aStore();
    const plan = await connection.all<{ detail: string }>(
      `EXPLAIN QUERY PLAN ${sql}`,
      sql.includes("$1") ? ["a"] : [],
    );
    const looks = plan.map(({ detail }) => detail).filter((detail) => detail.includes("runs"));
    expect(looks.length).toBeGreaterThan(0);
    for (const look of looks)
      expect(look).toMatch(/^SEARCH runs USING (COVERING )?INDEX runs_waiting_by_placement /);
  });
});

test("the demand counts what waits and what executes, with the time since which the oldest has waited", async () => {
  const { store, claim } = await waiting(run("a", "gpu"), run("b", "gpu"), run("c", ""));
  expect(await store.runs.listDemand()).toEqual([
    { placement: "", waiting: 1, executing: 0, oldestSince: AT },
    { placement: "gpu", waiting: 2, executing: 0, oldestSince: AT },
  ]);
  await claim(2, reach("gpu"));
  expect((await store.runs.listDemand())[1]).toEqual({
    placement: "gpu",
    waiting: 0,
    executing: 2,
    oldestSince: null,
  });
});

describe("runs that have waited too long for a worker", () => {
  const over = (changes: object = {}) => ({
    ...{ placement: "gpu", exceptFactories: [], queuedBefore: LATER, message: "No worker came." },
    ...changes,
  });

  test("end with ERROR once, and those of others go on waiting", async () => {
    const { store } = await waiting(run("f", "gpu"), run("g", "gpu", { factoryUid: "g" }), run("eu", "eu"));
    expect(await store.runs.endUnfitted(over({ queuedBefore: AT }), 10, LATER)).toBe(0);
    expect(await store.runs.endUnfitted(over({ exceptFactories: ["g"] }), 10, LATER)).toBe(1);
    expect(await store.runs.endUnfitted(over({ exceptFactories: ["g"] }), 10, LATER)).toBe(0);
    const found = await Promise.all(["run-000", "run-001", "run-002"].map((id) => store.runs.find(id)));
    expect(found.map((each) => each?.state)).toEqual(["ERROR", "QUEUED", "QUEUED"]);
    expect(found[0]).toMatchObject({
      finishedAt: LATER,
      statusMessage: { message: "No worker came.", error_code: "infrastructure_timeout", retryable: true },
    });
  });

  test("give the next turn what was said to them while they waited", async () => {
    const { store } = await waiting(run("a", "gpu"));
    const say = (message: string) =>
      store.runs.followUp({ id: newUuid(), runId: "run-000", message, creator: BY }, null, AT);
    await say("First.");
    await store.runs.endUnfitted(over(), 1, LATER);
    await say("Second.");
    const messages = await store.runs.listFollowUps("run-000");
    expect(messages.map(({ message, turn }) => [message, turn])).toEqual([
      ["First.", 2],
      ["Second.", 2],
    ]);
    expect(await store.runs.find("run-000")).toMatchObject({ state: "QUEUED", turn: 2, statusMessage: null });
  });

  test("end a batch at a time", async () => {
    const { store } = await waiting(run("a", "gpu"), run("b", "gpu"), run("c", "gpu"));
    expect(await store.runs.endUnfitted(over(), 2, LATER)).toBe(2);
    expect(await store.runs.endUnfitted(over(), 2, LATER)).toBe(1);
  });
});
