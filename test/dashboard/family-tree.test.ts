import { expect, test } from "vitest";
import {
  descendantsOf,
  type FamilyNode,
  familyTree,
} from "../../dashboard/src/pages/run/family/family-tree.ts";
import { waitingText } from "../../dashboard/src/parts/runs/waiting-text.ts";

type FamilyRun = Parameters<typeof descendantsOf>[0][number];

const run = (run_id: string, parent_run_id: string | null) => ({ run_id, parent_run_id }) as FamilyRun;
const FAMILY = [
  run("root", null),
  run("a", "root"),
  run("b", "root"),
  run("a1", "a"),
  run("lost", "deleted"),
];

const nested = (nodes: readonly FamilyNode[]): unknown[] =>
  nodes.map(({ run: { run_id }, children }) => [run_id, ...nested(children)]);

test("runs stand below the one that has started them; one whose parent was deleted stands at the top", () => {
  expect(nested(familyTree(FAMILY))).toEqual([["root", ["a", ["a1"]], ["b"]], ["lost"]]);
});

test("what is cancelled with a run is everything below it", () => {
  const below = (id: string) => descendantsOf(FAMILY, id).map(({ run_id }) => run_id);
  expect([below("root"), below("a"), below("b")]).toEqual([["a", "a1", "b"], ["a1"], []]);
});

test("a run that waits says for how many agents", () => {
  expect(waitingText({ waiting_for: ["a"] })).toBe("Waiting for 1 agent");
  expect(waitingText({ waiting_for: ["a", "b"] })).toBe("Waiting for 2 agents");
  expect(waitingText({})).toBeUndefined();
});
