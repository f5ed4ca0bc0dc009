import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { NO_CAPS } from "../../../src/runs/caps.ts";
import { MAX_HOLD_MS, type ProviderLimit } from "../../../src/runs/rules/provider-limit.ts";
import type { Ending, NewRun } from "../../../src/runs/run.ts";
import { aStoreOf } from "../../given/factory.ts";
import { AT, aRun } from "../../given/store.ts";

const SECRET = { source: "managedSecret", secretName: "KEY" } as const;
const onModel = (model: string, fallbackModels?: string[]): Pick<NewRun, "execution"> => ({
  execution: {
    harness: { type: "claude", model, auth: SECRET, ...(fallbackModels ? { fallbackModels } : {}) },
    secrets: [],
  },
});

const LIMIT: ProviderLimit = { kind: "limit", reason: "The provider refuses more.", seenBy: "output" };
const UNAVAILABLE: ProviderLimit = { kind: "unavailable", reason: "HTTP 529.", seenBy: "output" };
const MINUTE = 60_000;
const DONE: Ending = { state: "SUCCEEDED", exitCode: 0, statusMessage: null };
const failedBy = (limit: ProviderLimit): Ending => ({
  state: "FAILED",
  exitCode: 1,
  statusMessage: { message: "The agent exited with code 1." },
  limit,
});

type Turn = { id: string; ticket: number };

/** A store on a clock that is set by hand. */
async function aMill() {
  const store = await aStoreOf("f", "g");
  const { runs, holds } = store;
  let now = Date.parse(AT);
  const at = (ms = 0) => new Date(now + ms).toISOString();
  const claim = async (limit = 100) => {
    const claimed = await runs.claim(limit, { worker: "w", expiresAt: at(MINUTE) }, at(), NO_CAPS);
    return claimed.map(({ run, ticket }) => ({ id: run.id, ticket, title: run.title, run }));
  };
  const start = (turn: Turn) =>
    runs.start(
      { id: turn.id, ticket: turn.ticket, sessionId: newUuid(), tokenHash: newUuid(), takesInput: false },
      at(),
    );
  return {
    ...{ store, runs, holds, at, claim, start },
    wait(ms: number) {
      now += ms;
    },
    create: (title: string, changes: Partial<NewRun> = {}) =>
      runs.create(aRun({ title, factoryUid: "f", ...onModel("m"), ...changes }), at()),
    /** Begins a turn, which ends as given a moment later. */
    async end(turn: Turn, ending: Ending) {
      await start(turn);
      now += 1_000;
      return runs.finish(turn, ending, at());
    },
    titles: async (limit?: number) => (await claim(limit)).map(({ title }) => title),
    release: () => holds.release(at(), 1_000),
  };
}

type Mill = Awaited<ReturnType<typeof aMill>>;

/** A store in which a provider has refused a run of the factory f with the model m. */
async function held(limit: ProviderLimit = LIMIT) {
  const mill = await aMill();
  const { id } = await mill.create("refused");
  const [turn] = await mill.claim();
  if (!turn) throw new Error("no run waits");
  const state = await mill.end(turn, failedBy(limit));
  return { ...mill, refused: { id, state } };
}

async function waitingOf({ runs, at }: Mill, id: string) {
  return (await runs.findQueuePlace(id, NO_CAPS, at()))?.hold;
}

describe("a run that a provider refuses", () => {
  test("waits for its next turn and did not fail, and its session goes on", async () => {
    const mill = await aMill();
    const { id } = await mill.create("refused");
    const [turn] = await mill.claim();
    if (!turn) throw new Error("no run waits");
    await mill.start(turn);
    await mill.runs.keepReport(turn, { session: "the-session" }, mill.at());
    await mill.runs.finish(turn, failedBy(LIMIT), mill.at());
    expect(await mill.runs.find(id)).toMatchObject({
      ...{ state: "QUEUED", turn: 2, harnessSession: "the-session", statusMessage: null, exitCode: null },
    });
    const events = await mill.runs.listEvents(id, { limit: 50 });
    expect(events.map(({ type }) => type)).not.toContain("oz_run_failed");
    expect(events.map(({ type }) => type)).toContain("provider_limit");
    const changes = await mill.store.changes.listAfter(0, 100);
    expect(changes.filter(({ status }) => status === "FAILED")).toEqual([]);
    const [message] = await mill.runs.listFollowUps(id);
    expect(message).toMatchObject({ turn: 2, message: expect.stringContaining("Continue the request") });
  });

  test("holds those of its factory with its credential and model, and no others, until the end of the hold", async () => {
    const mill = await held({ ...LIMIT, until: new Date(Date.parse(AT) + 30 * MINUTE).toISOString() });
    const same = await mill.create("same");
    await mill.create("other model", onModel("n"));
    await mill.create("other factory", { factoryUid: "g" });
    await mill.create("other key", { execution: { harness: { type: "claude", model: "m" }, secrets: [] } });
    expect(await mill.titles()).toEqual(["other model", "other factory", "other key"]);
    expect(await waitingOf(mill, same.id)).toMatchObject({
      kind: "provider_limit",
      hold: { credential: "secret:KEY", model: "m", until: "2026-11-21T10:30:00.000Z" },
    });
    expect(await mill.runs.listQueuedPlacements()).toEqual([]);
    mill.wait(20 * MINUTE);
    expect([await mill.release(), await mill.titles()]).toEqual([0, []]);
    expect(await mill.holds.findNextEnd()).toBe("2026-11-21T10:30:00.000Z");
  });

  test("waits until one run that was not refused has asked again, and the provider has answered", async () => {
    const mill = await held();
    await mill.create("second");
    await mill.create("third");
    expect(await mill.titles()).toEqual([]);
    mill.wait(2 * MINUTE);
    await mill.release();
    const [turn, ...others] = await mill.claim();
    expect([turn?.title, others]).toEqual(["second", []]);
    if (!turn) throw new Error("no run waits");
    await mill.start(turn);
    await mill.create("fourth");
    expect(await mill.titles()).toEqual([]);
    const used = { model: "m", inputTokens: 1, outputTokens: 1, cachedTokens: 0 };
    await mill.runs.keepUsage(turn, [{ ...used, costUsd: null, costSource: null }], "harness", mill.at());
    expect(await mill.holds.list()).toEqual([]);
    expect(await mill.titles()).toEqual(["refused", "third", "fourth"]);
  });

  test("waits no longer when nothing is heard of the run that asks again", async () => {
    const mill = await held();
    await mill.create("second");
    await mill.titles();
    mill.wait(2 * MINUTE);
    await mill.release();
    expect(await mill.titles()).toEqual(["second"]);
    mill.wait(10 * MINUTE);
    await mill.release();
    expect(await mill.titles()).toEqual(["refused"]);
  });

  test("is cancelled like any other that waits, and can be continued", async () => {
    const mill = await held();
    expect(await mill.titles()).toEqual([]);
    expect(await mill.runs.cancel(mill.refused.id, mill.at())).toBe("QUEUED");
    await mill.runs.followUp(
      {
        ...{ id: newUuid(), runId: mill.refused.id, message: "Go on." },
        creator: { uid: "ann", type: "user", displayName: "Ann" },
      },
      null,
      mill.at(),
    );
    expect(await mill.titles()).toEqual([]);
    mill.wait(2 * MINUTE);
    await mill.release();
    expect(await mill.titles()).toEqual(["refused"]);
  });

  test("ends as cancelled where that was asked for", async () => {
    const mill = await aMill();
    const { id } = await mill.create("refused");
    const [turn] = await mill.claim();
    if (!turn) throw new Error("no run waits");
    await mill.start(turn);
    await mill.runs.cancel(id, mill.at());
    expect(await mill.runs.finish(turn, failedBy(LIMIT), mill.at())).toBe("CANCELLED");
  });
});

describe("a hold", () => {
  test("of what the proxy has seen holds every factory with the credential", async () => {
    const mill = await held({ ...LIMIT, seenBy: "proxy" });
    await mill.create("other factory", { factoryUid: "g" });
    await mill.create("own login", {
      ...{ factoryUid: "g", execution: { harness: { type: "claude", model: "m" }, secrets: [] } },
    });
    expect(await mill.titles()).toEqual(["own login"]);
    expect(await mill.holds.list()).toMatchObject([{ factoryUid: null, isShared: true }]);
  });

  test.each([
    ["in a week at most", { ...LIMIT, until: "2036-01-01T00:00:00.000Z" }, MAX_HOLD_MS],
    ["after a minute, where nobody says when", LIMIT, MINUTE],
    ["after a minute, where the time is over", { ...LIMIT, until: "2020-01-01T00:00:00.000Z" }, MINUTE],
  ])("ends %s", async (_, limit, ms) => {
    const mill = await held(limit);
    expect((await mill.holds.list()).map(({ until }) => Date.parse(until))).toEqual([
      Date.parse(AT) + 1_000 + ms,
    ]);
  });

  test("gets longer with each refusal in a row, up to half an hour, and not by turns that began before it", async () => {
    const mill = await aMill();
    for (let n = 0; n < 3; n += 1) await mill.create(`run ${n}`);
    const [first, ...late] = await mill.claim();
    if (!first) throw new Error("no run waits");
    for (const turn of [first, ...late]) await mill.start(turn);
    mill.wait(1_000);
    for (const turn of [first, ...late]) await mill.runs.finish(turn, failedBy(LIMIT), mill.at());
    const lengths: number[] = [];
    for (let n = 0; n < 8; n += 1) {
      const [hold] = await mill.holds.list();
      if (!hold) throw new Error("there is no hold");
      lengths.push((Date.parse(hold.until) - Date.parse(mill.at())) / MINUTE);
      await mill.claim();
      mill.wait(Date.parse(hold.until) - Date.parse(mill.at()));
      await mill.release();
      const [turn] = await mill.claim();
      if (!turn) throw new Error("no run asks first");
      await mill.end(turn, failedBy(LIMIT));
    }
    expect(lengths).toEqual([1, 2, 4, 8, 16, 30, 30, 30]);
  });

  test("can be ended by a person, and is recorded once however many turns are refused", async () => {
    const mill = await aMill();
    for (let n = 0; n < 5; n += 1) await mill.create(`run ${n}`);
    const turns = await mill.claim();
    for (const turn of turns) await mill.start(turn);
    for (const turn of turns) await mill.runs.finish(turn, failedBy(LIMIT), mill.at());
    const changes = (await mill.store.changes.listAfter(0, 100)).filter(({ kind }) => kind === "hold");
    expect(changes).toMatchObject([{ status: "created", factoryUid: "f" }]);
    const [hold] = await mill.holds.list();
    expect(await mill.titles()).toEqual([]);
    expect(await mill.holds.end(hold?.id ?? "", mill.at())).toBe(true);
    expect(await mill.holds.end(hold?.id ?? "", mill.at())).toBe(false);
    expect(await mill.titles()).toHaveLength(5);
  });
});

test("a run whose model is held uses the first of its other models that is not", async () => {
  const mill = await held();
  const { id } = await mill.create("with another", onModel("m", ["m", "n"]));
  await mill.create("with a held one", onModel("m", ["m"]));
  const [turn, ...others] = await mill.claim();
  expect(others).toEqual([]);
  expect(turn?.run).toMatchObject({ id, fallbackOf: "m", execution: { harness: { model: "n" } } });
  if (!turn) throw new Error("no run waits");
  await mill.start(turn);
  mill.wait(1_000);
  await mill.runs.finish(turn, failedBy(LIMIT), mill.at());
  expect((await mill.holds.list()).map(({ model }) => model)).toEqual(["m", "n"]);
  expect(await mill.titles()).toEqual([]);
  for (const hold of await mill.holds.list()) await mill.holds.end(hold.id, mill.at());
  expect((await mill.claim()).map(({ run }) => run.execution.harness.model)).toEqual(["m", "m", "m"]);
});

test("a run fails after three retries with a provider that does not answer, and says so", async () => {
  const mill = await aMill();
  const { id } = await mill.create("unlucky");
  for (let retries = 0; retries < 4; retries += 1) {
    const [turn] = await mill.claim();
    if (!turn) throw new Error("no run waits");
    expect((await mill.runs.find(id))?.turn).toBe(retries + 1);
    await mill.end(turn, failedBy(UNAVAILABLE));
    await mill.claim();
    mill.wait(31 * MINUTE);
    await mill.release();
  }
  expect(await mill.runs.find(id)).toMatchObject({
    state: "FAILED",
    statusMessage: {
      error_code: "provider_limit",
      message: expect.stringContaining("after 3 retries: HTTP 529."),
    },
  });
});

describe("a provider that is out for half an hour under 200 runs", () => {
  test.each([
    ["says when it is back", { ...LIMIT, until: new Date(Date.parse(AT) + 30 * MINUTE).toISOString() }],
    ["says a minute each time", "a minute"],
    ["does not answer", UNAVAILABLE],
  ] as const)("and %s: none fails, and each asks it three times in vain at most", async (_, limit) => {
    const mill = await aMill();
    const calls = new Map<string, number>();
    for (let n = 0; n < 200; n += 1) await mill.create(`run ${n}`);
    const backAt = Date.parse(AT) + 30 * MINUTE;
    let done = 0;
    for (let step = 0; step < 400 && done < 200; step += 1) {
      await mill.release();
      const turns = await mill.claim(8);
      for (const turn of turns) await mill.start(turn);
      mill.wait(1_000);
      for (const turn of turns) {
        calls.set(turn.id, (calls.get(turn.id) ?? 0) + 1);
        const isOut = Date.parse(mill.at()) < backAt;
        const limitNow = limit === "a minute" ? { ...LIMIT, until: mill.at(MINUTE) } : limit;
        const state = await mill.runs.finish(turn, isOut ? failedBy(limitNow) : DONE, mill.at());
        if (state === "SUCCEEDED") done += 1;
        expect(state).not.toBe("FAILED");
      }
      if (turns.length === 0) {
        const next = await mill.holds.findNextEnd();
        mill.wait(Math.max(0, Date.parse(next ?? mill.at()) - Date.parse(mill.at())));
      }
    }
    expect(done).toBe(200);
    expect(Math.max(...calls.values())).toBeLessThanOrEqual(4);
  });
});
