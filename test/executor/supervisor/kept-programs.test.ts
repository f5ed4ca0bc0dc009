import { expect, test } from "vitest";
import { createKeptPrograms } from "../../../src/executor/supervisor/supervise-agents.ts";
import type { SupervisedProgram } from "../../../src/executor/supervisor/supervised-program.ts";

/** A program whose end takes until it is let go. */
function aProgram() {
  const seen: string[] = [];
  let letGo = () => {};
  const program: SupervisedProgram = {
    ask() {},
    kill() {},
    fence() {
      seen.push("fenced");
      return new Promise<void>((resolve) => {
        letGo = resolve;
      });
    },
    left: () => ({ pid: 1, ageMs: 0, checkpoint: undefined, report: {}, writes: [], lastWrite: 0 }),
    tellAgain: () => void seen.push("told again"),
  };
  return { program, seen, letGo: () => letGo() };
}

const keeping = { runId: "r", state: undefined, aloneMs: 0 };

test("a supervisor does not end before the end of the last program is over", async () => {
  let isOver = false;
  const kept = createKeptPrograms(() => {
    isOver = true;
  });
  const { program, seen, letGo } = aProgram();
  kept.add(1, program, keeping);
  kept.leftAlone();
  await expect.poll(() => seen).toEqual(["fenced"]);
  // Several looks later.
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect([seen, isOver]).toEqual([["fenced"], false]);
  letGo();
  await expect.poll(() => isOver).toBe(true);
});

test("a program that is being ended is left to nobody", async () => {
  const kept = createKeptPrograms(() => {});
  const ending = aProgram();
  const working = aProgram();
  kept.add(1, ending.program, keeping);
  kept.add(2, working.program, { ...keeping, aloneMs: 60_000 });
  kept.leftAlone();
  await expect.poll(() => ending.seen).toEqual(["fenced"]);
  expect(kept.listLeft().map(({ id }) => id)).toEqual([2]);
  expect(kept.foundAgain()).toEqual([1]);
  expect([ending.seen, working.seen]).toEqual([["fenced"], ["told again"]]);
  expect(kept.has(1)).toBe(false);
});
