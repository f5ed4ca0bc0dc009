import { expect, test } from "vitest";
import { createTurnsHere } from "../../../src/executor/worker/turns-here.ts";
import { createLog } from "../../../src/log.ts";
import type { Assignment } from "../../../src/runs/turn/assignment.ts";

test("a worker does not name a turn that it has lost, however long the agent takes to end: the server would hold it", async () => {
  let end = () => {};
  const execute = () =>
    new Promise<void>((resolve) => {
      end = resolve;
    });
  const turns = createTurnsHere({
    ...{ execute, proceed: execute, onHeld() {} },
    ...{ stop: new AbortController().signal, log: createLog("silent") },
  });
  turns.begin({ run: { id: "r1" }, ticket: 1 } as Assignment, performance.now());
  expect(turns.known()).toMatchObject([{ id: "r1", ticket: 1 }]);
  turns.loseAll();
  expect(turns.known()).toEqual([]);
  expect(turns.size).toBe(1);
  end();
  await turns.ended();
});
