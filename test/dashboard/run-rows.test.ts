import { expect, test } from "vitest";
import { rangeOf } from "../../dashboard/src/pages/runs/row-range.ts";
import { runCostText, workText } from "../../dashboard/src/parts/runs/run-figures.ts";
import { originOf, pullRequestOf, reasonOf } from "../../dashboard/src/parts/runs/run-origin.ts";

type Run = Parameters<typeof originOf>[0];
const aRun = (run: object) =>
  ({ state: "FAILED", source: "API", creator: { display_name: "Ann" }, agent_config: {}, ...run }) as Run;
const pullRequest = (url: string) => ({ artifact_type: "PULL_REQUEST", data: { url } });

test.each([
  [{ work_time: "PT1H2M3.5S", run_time: "PT9S" }, "1 h 2 min"],
  [{ run_time: "PT12S" }, "12 s"],
  [{ started_at: "2026-11-21T00:00:00Z", finished_at: "2026-11-21T00:01:05Z" }, "1 min 5 s"],
  [{ started_at: "2026-11-21T00:00:00Z" }, ""],
])("how long %j has worked is told as %s", (run, told) => {
  expect(workText(aRun(run))).toBe(told);
});

test.each([
  [{ cost_usd: 1.234 }, "$1.23"],
  [{ request_usage: { inference_cost_usd: 0.001 } }, "< $0.01"],
  [{}, ""],
])("what %j has cost is told as %s", (run, told) => {
  expect(runCostText(aRun(run))).toBe(told);
});

test("what started a run is told by name: its automation, its schedule or who asked for it", () => {
  const automation = aRun({ automation_id: "A", agent_config: { name: "triage" } });
  expect(originOf(automation)).toEqual({ name: "triage", kind: "API" });
  const schedule = { schedule_name: "", cron_schedule: "@daily" };
  expect(originOf(aRun({ schedule, source: "SCHEDULED_AGENT" })).name).toBe("@daily");
  const trigger = { event: "run_ended", run_id: "x" } as const;
  expect(originOf(aRun({ automation_id: "a", trigger })).kind).toBe("Ended run");
  expect(originOf(aRun({ rerun_of: "x" }))).toEqual({ name: "Ann", kind: "Run again" });
});

test("the reason of a failure is its first line, and a run that succeeded has none", () => {
  expect(reasonOf(aRun({ status_message: { message: "\nIt broke.\nAt line 1." } }))).toBe("It broke.");
  expect(reasonOf(aRun({ state: "SUCCEEDED", status_message: { message: "Done." } }))).toBeUndefined();
});

test("the pull request of a row is the last one, and only an address of the web", () => {
  const artifacts = [
    pullRequest("https://github.com/acme/shop/pull/16"),
    pullRequest("https://github.com/acme/shop/pull/17"),
    pullRequest("javascript:alert(1)//pull/18"),
  ];
  expect(pullRequestOf(aRun({ artifacts }))).toEqual({
    url: "https://github.com/acme/shop/pull/17",
    label: "#17",
  });
  expect(pullRequestOf(aRun({}))).toBeUndefined();
});

test("a range of rows is selected in either direction, and one row alone when its beginning is gone", () => {
  const rows = ["a", "b", "c"].map((run_id) => aRun({ run_id }));
  const ids = (from: string | undefined, to: number) =>
    rangeOf(rows, from, rows[to] as Run).map(({ run_id }) => run_id);
  expect(ids("c", 0)).toEqual(["a", "b", "c"]);
  expect(ids("b", 2)).toEqual(["b", "c"]);
  expect(ids("gone", 1)).toEqual(["b"]);
  expect(ids(undefined, 1)).toEqual(["b"]);
});
