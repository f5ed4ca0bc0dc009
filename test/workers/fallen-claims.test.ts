import { expect, test } from "vitest";
import { createFallenClaims } from "../../src/workers/fallen-claims.ts";

function claims() {
  let now = 0;
  const fallen = createFallenClaims(() => now);
  let ticket = 0;
  const give = (home = "bad") => {
    ticket += 1;
    const turn = { id: `run-${ticket}`, ticket };
    fallen.give(home, [turn]);
    return turn;
  };
  return {
    ...{ fallen, give },
    letFall: (home?: string) => fallen.lose(give(home)),
    wait: (ms: number) => {
      now += ms;
    },
  };
}

test("whoever lets a turn fall gets one at a time until an agent has started", () => {
  const { fallen, give, letFall } = claims();
  expect(fallen.roomFor("bad")).toBe(Number.POSITIVE_INFINITY);
  expect(letFall()).toBeUndefined();
  expect([fallen.roomFor("bad"), fallen.roomFor("good")]).toEqual([1, Number.POSITIVE_INFINITY]);
  const turn = give();
  expect(fallen.roomFor("bad")).toBe(0);
  fallen.begin(turn);
  expect(fallen.roomFor("bad")).toBe(Number.POSITIVE_INFINITY);
});

test("whoever does so again and again gets none for a while that doubles, up to a bound, and then one", () => {
  const { fallen, letFall, wait } = claims();
  letFall();
  const pauses = [];
  for (let times = 0; times < 40; times += 1) {
    const { forMs = 0, home } = letFall() ?? {};
    expect([home, fallen.roomFor("bad")]).toEqual(["bad", 0]);
    wait(forMs - 1);
    expect(fallen.roomFor("bad")).toBe(0);
    wait(1);
    expect(fallen.roomFor("bad")).toBe(1);
    pauses.push(forMs / 1_000);
  }
  expect([...pauses.slice(0, 4), pauses.at(-1)]).toEqual([5, 10, 20, 40, 600]);
});

test("a turn that has begun, or that was given to somebody else since, has not been let fall", () => {
  const { fallen, give } = claims();
  const begun = give();
  fallen.begin(begun);
  expect(fallen.lose(begun)).toBeUndefined();
  const turn = give();
  fallen.give("good", [{ ...turn, ticket: turn.ticket + 100 }]);
  fallen.lose(turn);
  expect([fallen.roomFor("bad"), fallen.roomFor("good")]).toEqual([
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
  ]);
  expect(fallen.findGiven(turn.id)).toBe(turn.ticket + 100);
});
