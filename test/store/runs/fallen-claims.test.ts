import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { NO_CAPS } from "../../../src/runs/caps.ts";
import { SERVER_REACH } from "../../../src/runs/rules/placement.ts";
import { AT, aRun, aStore } from "../../given/store.ts";

/** A store in which many runs wait for workers, on a clock that is set by hand. */
async function waitingRuns() {
  const { runs } = await aStore();
  for (let n = 0; n < 60; n += 1) await runs.create(aRun({ placement: "pool" }), AT);
  let now = Date.parse(AT);
  const at = () => new Date(now).toISOString();
  const lease = (request?: string) => ({
    worker: "a-worker",
    expiresAt: new Date(now + 60_000).toISOString(),
    ...(request === undefined ? {} : { request }),
  });
  const reach = (home: string) => ({ placements: ["pool"], factories: null, home });
  const claim = async (home = "bad", most = 2, request?: string) =>
    (await runs.claim(most, lease(request), at(), NO_CAPS, reach(home))).map(({ run: { id }, ticket }) => ({
      id,
      ticket,
    }));
  const lose = (turns: readonly { id: string }[]) =>
    runs.recoverLost(
      turns.map(({ id }) => id),
      "lost",
      at(),
    );
  const start = (turn: { id: string; ticket: number }) =>
    runs.start({ ...turn, sessionId: newUuid(), tokenHash: newUuid(), takesInput: false }, at());
  return {
    ...{ runs, at, lease, claim, lose, start },
    wait: (ms: number) => {
      now += ms;
    },
  };
}

describe("whoever claims turns and lets them fall back", () => {
  test("gets one at a time until an agent has started, and others get as many as before", async () => {
    const { claim, lose, start } = await waitingRuns();
    expect(await lose(await claim("bad", 1))).toEqual([]);
    const [turn, ...more] = await claim("bad");
    expect(more).toEqual([]);
    expect(await claim("bad")).toEqual([]);
    expect(await claim("good")).toHaveLength(2);
    if (!turn) throw new Error("no turn was claimed");
    expect(await start(turn)).toBe("first");
    expect(await claim("bad")).toHaveLength(2);
  });

  test("gets none for a while that doubles, up to a bound, and then one", async () => {
    const { claim, lose, wait } = await waitingRuns();
    await lose(await claim("bad", 1));
    const pauses = [];
    for (let times = 0; times < 12; times += 1) {
      const turns = await claim("bad");
      const [{ home, forMs } = { home: "", forMs: 0 }] = await lose(turns);
      expect([turns.length, home]).toEqual([1, "bad"]);
      wait(forMs - 1);
      expect(await claim("bad")).toEqual([]);
      wait(1);
      pauses.push(forMs / 1_000);
    }
    expect([...pauses.slice(0, 4), pauses.at(-1)]).toEqual([5, 10, 20, 40, 600]);
  });

  test("is forgiven when it ends a turn without an agent", async () => {
    const { runs, claim, lose, at } = await waitingRuns();
    await lose(await claim("bad", 1));
    const [turn] = await claim("bad");
    if (!turn) throw new Error("no turn was claimed");
    await runs.finish(turn, { state: "FAILED", exitCode: null, statusMessage: null }, at());
    expect(await claim("bad")).toHaveLength(2);
  });

  test("has not done so with a turn that was never given to it, nor with an agent that was lost at work", async () => {
    const { runs, claim, lose, start } = await waitingRuns();
    const kept = await claim("good", 1);
    await runs.disclaim(kept);
    await lose(kept);
    const [begun] = await claim("good", 1);
    if (!begun) throw new Error("no turn was claimed");
    await start(begun);
    await lose([begun]);
    expect(await claim("good")).toHaveLength(2);
  });

  test("is no server, whose runs fall back when it is killed", async () => {
    const { runs, lease, at } = await waitingRuns();
    for (let n = 0; n < 3; n += 1) await runs.create(aRun(), AT);
    const take = () => runs.claim(2, lease(), at(), NO_CAPS, SERVER_REACH);
    for (let times = 0; times < 3; times += 1) {
      const claims = await take();
      expect(claims).toHaveLength(2);
      expect(
        await runs.recoverLost(
          claims.map(({ run }) => run.id),
          "lost",
          at(),
        ),
      ).toEqual([]);
    }
  });
});

describe("a request that has claimed turns", () => {
  test("is answered with the same turns again, as long as they are its own and no agent was started", async () => {
    const { runs, lease, at, claim, start, wait } = await waitingRuns();
    const turns = await claim("good", 2, "a-claim");
    await claim("good", 1, "another-claim");
    const again = await runs.listClaimed(lease("a-claim"), at());
    expect(again.map(({ run, ticket }) => ({ id: run.id, ticket }))).toEqual(turns);
    expect(await runs.listClaimed({ ...lease("a-claim"), worker: "somebody" }, at())).toEqual([]);
    if (turns[0]) await start(turns[0]);
    expect(await runs.listClaimed(lease("a-claim"), at())).toHaveLength(1);
    wait(61_000);
    expect(await runs.listClaimed(lease("a-claim"), at())).toEqual([]);
  });
});
