import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { NO_CAPS, type RunCaps } from "../../../src/runs/caps.ts";
import type { ClaimReach } from "../../../src/runs/rules/placement.ts";
import type { Claim, NewRun } from "../../../src/runs/run.ts";
import { aStoreOf } from "../../given/factory.ts";
import { AT, aRun, LEASE } from "../../given/store.ts";

const caps = (changes: Partial<RunCaps>): RunCaps => ({ ...NO_CAPS, ...changes });
const minutesLater = (minutes: number) => new Date(Date.parse(AT) + minutes * 60_000).toISOString();
const DONE = { state: "SUCCEEDED", exitCode: 0, statusMessage: null } as const;
const PERSON = { uid: "ann", type: "user", displayName: "Ann" } as const;

const many = (count: number, changes: Partial<NewRun>) => Array.from({ length: count }, () => changes);
const of = (factoryUid: string, automationUid?: string): Partial<NewRun> => ({
  factoryUid,
  ...(automationUid === undefined ? {} : { automationUid }),
  title: automationUid ?? factoryUid,
});
const as = (priority: NewRun["config"]["priority"], changes: Partial<NewRun>): Partial<NewRun> => ({
  ...changes,
  title: `${changes.title}: ${priority}`,
  config: { name: "default", ...(priority ? { priority } : {}) },
});

/** A store with waiting runs, and who starts when one run after the other is executed. */
async function waiting(...runs: Partial<NewRun>[]) {
  const store = await aStoreOf("a", "b", "c");
  const add = async (changes: Partial<NewRun>, at = AT) => {
    const run = aRun(changes);
    await store.runs.create(run, at);
    return run.id;
  };
  for (const changes of runs) await add(changes);
  const claim = (limit: number, held: RunCaps = NO_CAPS, at = AT, reach?: ClaimReach) =>
    store.runs.claim(limit, LEASE, at, held, reach);
  const start = async ({ run, ticket }: Claim, at = AT) => {
    const turn = { id: run.id, ticket };
    await store.runs.start({ ...turn, sessionId: newUuid(), tokenHash: newUuid(), takesInput: false }, at);
    return turn;
  };
  const end = async (claimed: Claim, at = AT) =>
    expect(await store.runs.finish(await start(claimed, at), DONE, at)).toBe("SUCCEEDED");
  /** The titles of the next runs where one executes at a time. */
  const next = async (count: number, held: RunCaps = NO_CAPS, at = AT, reach?: ClaimReach) => {
    const titles: string[] = [];
    for (let n = 0; n < count; n += 1) {
      for (const claimed of await claim(1, held, at, reach)) {
        titles.push(claimed.run.title);
        await end(claimed, at);
      }
    }
    return titles;
  };
  return { store, add, claim, start, end, next };
}

describe("factories", () => {
  test("start one run each in turn, however many one of them has", async () => {
    const { add, next } = await waiting(...many(1_000, of("a")));
    expect(await next(3)).toEqual(["a", "a", "a"]);
    await add(of("b"));
    expect(await next(2)).toContain("b");
    await add(of("c"));
    await add(of("b"));
    expect((await next(3)).sort()).toEqual(["a", "b", "c"]);
  });

  test("have as many turns as their weights say", async () => {
    const { next } = await waiting(...many(40, of("a")), ...many(40, of("b")), ...many(40, of("c")));
    const shares = { a: { weight: 3 }, c: { weight: 0.5 } };
    const started = await next(36, caps({ shares }));
    const count = (title: string) => started.filter((each) => each === title).length;
    expect([count("a"), count("b"), count("c")]).toEqual([24, 8, 4]);
  });

  test("share free places that are given at the same time", async () => {
    const { claim } = await waiting(...many(20, of("a")), ...many(20, of("b")));
    const titles = (await claim(8)).map(({ run }) => run.title);
    expect(titles.filter((title) => title === "b")).toHaveLength(4);
  });

  test("save no turns up while they have nothing to do, and owe none for those that nobody else wanted", async () => {
    const { add, next } = await waiting(...many(30, of("a")), of("b"));
    await next(25);
    for (let n = 0; n < 5; n += 1) await add(of("b"));
    expect((await next(6)).filter((title) => title === "b")).toHaveLength(3);
  });

  test("whose runs have to wait keep nobody waiting, and do not catch up on their turns", async () => {
    const { store, next } = await waiting(...many(20, of("a")), ...many(20, of("b")));
    const pause = { id: newUuid(), factoryUid: "a", webhookUid: null, automationUid: null, name: null };
    await store.pauses.create({ ...pause, reason: null, createdBy: PERSON, createdAt: AT });
    expect(await next(6)).toEqual(many(6, of("b")).map(({ title }) => title));
    await store.pauses.end(pause.id, AT);
    expect((await next(6)).filter((title) => title === "b").length).toBeGreaterThanOrEqual(2);
  });

  test("are forgotten a day after their last turn", async () => {
    const { store, add, next } = await waiting(of("a"), of("b"));
    await next(2);
    await add(of("a"), minutesLater(1_500));
    await add(of("c"), minutesLater(1_500));
    await next(2, NO_CAPS, minutesLater(1_500));
    const rows = await store.connection.all<{ owner: string }>(
      "SELECT owner FROM claim_turns ORDER BY owner",
    );
    expect(rows.map(({ owner }) => owner)).not.toContain("b");
  });
});

describe("the most runs of a factory", () => {
  const TWO = caps({ shares: { a: { maxRuns: 2 } } });

  test("are counted over the server and all workers, and hold nobody else's", async () => {
    const gpu = { ...of("a"), placement: "labels%3Agpu" };
    const { claim, end, store } = await waiting(...many(3, of("a")), gpu, of("b"));
    const worker = { placements: ["labels%3Agpu"], factories: null, executor: "w" };
    const [first] = await claim(1, TWO, AT, worker);
    expect((await claim(10, TWO)).map(({ run }) => run.title)).toEqual(["a", "b"]);
    expect(await claim(10, TWO)).toEqual([]);
    const left = await store.runs.list({
      limit: 9,
      sort: "created_at",
      descending: false,
      filter: { states: ["QUEUED"] },
    });
    const [id = ""] = left.runs.map((run) => run.id);
    expect(await store.runs.findQueuePlace(id, TWO, AT)).toMatchObject({
      hold: { kind: "share", cap: 2, working: 2 },
      ahead: 0,
    });
    if (first) await end(first);
    expect(await claim(10, TWO)).toHaveLength(1);
  });
});

describe("the automations of a factory", () => {
  test("start one run each in turn", async () => {
    const { add, next } = await waiting(...many(50, of("a", "flood")));
    await next(2);
    await add(of("a", "quiet"));
    expect(await next(2)).toContain("quiet");
  });

  test("do not get more of what factories share by being many", async () => {
    const { next } = await waiting(
      ...["1", "2", "3", "4"].flatMap((name) => many(5, of("a", name))),
      ...many(20, of("b")),
    );
    expect((await next(12)).filter((title) => title === "b")).toHaveLength(6);
  });
});

describe("priorities", () => {
  test("order the runs of a factory, whatever starts them", async () => {
    const { next } = await waiting(
      as("batch", of("a", "night")),
      of("a", "usual"),
      as("batch", of("a")),
      as("interactive", of("a")),
      as("interactive", of("a", "chat")),
      as("normal", of("a")),
    );
    const started = await next(6);
    expect(started.slice(0, 2).sort()).toEqual(["a: interactive", "chat: interactive"]);
    expect(started.slice(2, 4).sort()).toEqual(["a: normal", "usual"]);
    expect(started.slice(4).sort()).toEqual(["a: batch", "night: batch"]);
  });

  test("take nothing from other factories", async () => {
    const { next } = await waiting(
      ...many(10, as("interactive", of("a"))),
      ...many(10, as("batch", of("b"))),
    );
    expect((await next(10)).filter((title) => title.startsWith("b"))).toHaveLength(5);
  });

  test.each([
    ["normal", 10, 60],
    ["interactive", 100, 25 * 60],
  ] as const)(
    "let a batch run start in the end, although %s ones never stop coming",
    async (priority, every, longest) => {
      const { add, next } = await waiting(as("batch", of("a", "night")));
      let waited = 0;
      for (let hasStarted = false; !hasStarted; ) {
        expect(waited).toBeLessThanOrEqual(longest + every);
        for (let n = 0; n < 2; n += 1) await add(as(priority, of("a", "busy")), minutesLater(waited));
        waited += every;
        hasStarted = (await next(1, NO_CAPS, minutesLater(waited))).includes("night: batch");
      }
      expect(waited).toBeGreaterThanOrEqual(longest - every);
    },
  );

  test("make a run urgent that is sent a message, for that turn alone, unless another run sends it", async () => {
    const { store, add, claim, start, end, next } = await waiting(of("c"), as("batch", of("a")));
    const [sender, first] = await claim(2);
    if (!sender || !first) throw new Error("no run was claimed");
    await start(sender);
    await end(first);
    const say = (runId: string, from?: { id: string; turn: number }) => {
      const message = { id: newUuid(), runId, message: "Go on.", creator: PERSON, ...(from ? { from } : {}) };
      return store.runs.followUp(message, null, AT);
    };
    await add(of("a", "usual"));
    await say(first.run.id, { id: sender.run.id, turn: 1 });
    expect(await next(2)).toEqual(["usual", "a: batch"]);
    await add(of("a", "usual"));
    await say(first.run.id);
    expect(await next(2)).toEqual(["a: batch", "usual"]);
    const waits = await add(as("batch", of("a")));
    await add(of("a", "usual"));
    await say(waits);
    expect(await next(2)).toEqual(["a: batch", "usual"]);
  });
});

describe("workers", () => {
  const gpu = (uid: string): Partial<NewRun> => ({ ...of(uid), placement: "labels%3Agpu" });
  const WORKER = { placements: ["labels%3Agpu", "w"], factories: null, executor: "w" };

  test("give each factory its turn, over all that they execute", async () => {
    const { add, next } = await waiting(...many(100, gpu("a")));
    await next(3, NO_CAPS, AT, WORKER);
    await add({ ...of("b"), placement: "w" });
    expect(await next(2, NO_CAPS, AT, WORKER)).toContain("b");
  });

  test("do not count for the turns of the server, nor those of a factory's own worker for others", async () => {
    const { next } = await waiting(...many(40, gpu("a")), ...many(20, of("a")), ...many(20, of("b")));
    const own = { placements: ["labels%3Agpu"], factories: ["a"], executor: "own" };
    for (let n = 0; n < 5; n += 1) {
      expect(await next(4, NO_CAPS, AT, own)).toEqual(["a", "a", "a", "a"]);
      expect((await next(2)).sort()).toEqual(["a", "b"]);
    }
  });

  test("that start machines for runs are offered them in the same order", async () => {
    const { store, claim } = await waiting(...many(5, gpu("a")), gpu("b"));
    const offered = await store.runs.listClaimable(3, AT, NO_CAPS, WORKER);
    expect(offered.map(({ title }) => title)).toEqual(["a", "b", "a"]);
    // Another process claims what one was offered.
    await claim(1, NO_CAPS, AT, { ...WORKER, run: offered[0]?.id ?? "" });
    const [next] = await store.runs.listClaimable(1, AT, NO_CAPS, WORKER);
    expect(next?.title).toBe("b");
  });
});
