import { expect, test } from "vitest";
import {
  boardFiltersOf,
  filterTexts,
  taskQueryOf,
  withBoardFilter,
  withoutBoardFilters,
} from "../../dashboard/src/pages/board/board-filters.ts";
import { cardsByStage } from "../../dashboard/src/pages/board/cards.ts";

type State = Parameters<typeof cardsByStage>[0];
type Task = State["tasks"][number];
type Run = NonNullable<ReturnType<State["runs"]["get"]>>;

const NOW = Date.parse("2026-11-21T12:00:00Z");
const hoursAgo = (hours: number) => new Date(NOW - hours * 3_600_000).toISOString();
const aTask = (uid: string, stage: string, hours: number, more: object = {}) =>
  ({ uid, stage, title: uid, stage_changed_at: hoursAgo(hours), ...more }) as Task;
const blockedBy = (run_id: string) => ({ blocked_run: { run_id, state: "BLOCKED", agent: "reviewer" } });

function shown(tasks: Task[], more: Partial<State> = {}) {
  const filters = { age: "", isBlocked: false };
  const columns = cardsByStage({ tasks, runs: new Map(), moves: new Map(), filters, now: NOW, ...more });
  const uids = [...columns].map(([stage, cards]) => [stage, cards.map(({ task }) => task.uid)] as const);
  return Object.fromEntries(uids.filter(([, each]) => each.length > 0));
}

test("a column shows first what needs an answer soon, then what is blocked, then what came there last", () => {
  const asking = { run_id: "R2", question: { urgency: "high" } } as Run;
  const tasks = [
    aTask("old", "REVIEW", 30),
    aTask("new", "REVIEW", 1),
    aTask("blocked", "REVIEW", 20, blockedBy("R1")),
    aTask("urgent", "REVIEW", 25, blockedBy("R2")),
    aTask("other", "SPEC", 2),
  ];
  expect(shown(tasks, { runs: new Map([["R2", asking]]) })).toEqual({
    SPEC: ["other"],
    REVIEW: ["urgent", "blocked", "new", "old"],
  });
});

test("a task that is being moved is shown where it goes, and once", () => {
  const task = aTask("moving", "SPEC", 1);
  expect(shown([task, task], { moves: new Map([["moving", "REVIEW"]]) })).toEqual({ REVIEW: ["moving"] });
});

test("a board can be limited to what is blocked, and to what has been in its stage for long", () => {
  const tasks = [
    aTask("new", "SPEC", 0.5),
    aTask("old", "SPEC", 30),
    aTask("asks", "SPEC", 2, blockedBy("R")),
  ];
  expect(shown(tasks, { filters: { age: "", isBlocked: true } })).toEqual({ SPEC: ["asks"] });
  expect(shown(tasks, { filters: { age: "1h", isBlocked: false } })).toEqual({ SPEC: ["asks", "old"] });
  expect(shown(tasks, { filters: { age: "24h", isBlocked: true } })).toEqual({});
});

test("the filters of a board stand in its address", () => {
  let search = new URLSearchParams("stage=SPEC");
  for (const [name, value] of [
    ["q", "cart"],
    ["author", "Ann"],
    ["age", "7d"],
    ["blocked", "true"],
  ] as const)
    search = withBoardFilter(search, name, value);
  const filters = boardFiltersOf(search);
  expect(filters).toEqual({ text: "cart", author: "Ann", age: "7d", isBlocked: true });
  expect(taskQueryOf(filters)).toEqual({ q: "cart", created_by: ["Ann"] });
  expect(filterTexts(filters).map(({ text }) => text)).toEqual([
    "cart",
    "Ann",
    "More than a week",
    "blocked",
  ]);
  expect(withoutBoardFilters(search).toString()).toBe("stage=SPEC");
  expect(withBoardFilter(search, "q", "").has("q")).toBe(false);
});

test("filters that no board knows are not set", () => {
  const filters = boardFiltersOf(new URLSearchParams("age=forever&blocked=maybe"));
  expect(filters).toEqual({ text: "", author: "", age: "", isBlocked: false });
  expect([taskQueryOf(filters), filterTexts(filters)]).toEqual([{}, []]);
});
