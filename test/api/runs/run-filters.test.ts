import type { OzAPI } from "oz-agent-sdk";
import { expect, test } from "vitest";
import { runFilters } from "../../../src/api/operations/parameters.ts";
import type { components } from "../../../src/client/api-types.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { ozClient } from "../../given/other-clients.ts";
import { TITLES, type Title, type VariedRuns, variedRuns } from "../../given/varied-runs.ts";

type Page = components["schemas"]["ListRunsResponse"];
type TypedQuery = NonNullable<Parameters<OzAPI["agent"]["runs"]["list"]>[0]>;
type Case<Query> = [
  filter: string,
  query: (of: VariedRuns) => Query,
  fitting: readonly Title[] | ((of: VariedRuns) => readonly Title[]),
];

const stage = sharedByFile(variedRuns);
const UNKNOWN = "01a1fe22-6744-70ce-94a0-348515e54587";

const without = (...titles: Title[]) => TITLES.filter((title) => !titles.includes(title));
const OF_FACTORIES: Title[] = ["of acme", "of other", "report"];
/** Those with a skill failed too: this server has no forge to fetch it from. */
const FAILED: Title[] = ["reviewing", "auditing", "failing"];
const NOT_DONE_WELL: Title[] = [...FAILED, "working", "waiting", "cancelled"];

/** Filters that the client has a name for. */
const TYPED: Case<TypedQuery>[] = [
  ["no filter", () => ({}), TITLES],
  ["one state", () => ({ state: ["FAILED"] }), FAILED],
  ["two states", () => ({ state: ["INPROGRESS", "QUEUED"] }), ["working", "waiting"]],
  ["a state that no run is in", () => ({ state: ["PENDING"] }), []],
  ["the name of a configuration", () => ({ name: "tuned-agent" }), ["tuned"]],
  ["a model", () => ({ model_id: "big-model" }), ["tuned"]],
  ["a creator", ({ run }) => ({ creator: run("by a robot").creator.uid ?? "" }), ["by a robot"]],
  ["a creator that has created nothing", () => ({ creator: "nobody" }), []],
  ["a source", () => ({ source: "CLI" }), ["by the command line"]],
  ["a source that no run has", () => ({ source: "SLACK" }), []],
  ["an environment", ({ environment }) => ({ environment_id: environment }), ["tuned"]],
  ["an environment that nobody has used", () => ({ environment_id: "A".repeat(22) }), []],
  ["no environment", () => ({ environment_id: "empty-environment" }), without("tuned")],
  ["a skill by its specification", () => ({ skill: "acme/shop:skills/review" }), ["reviewing"]],
  ["a skill by its name", () => ({ skill: "audit" }), ["auditing"]],
  ["a skill by its other parameter", () => ({ skill_spec: "acme/shop:audit" }), ["auditing"]],
  ["a skill that no run has", () => ({ skill_spec: "acme/shop:else" }), []],
  ["a schedule", () => ({ schedule_id: UNKNOWN }), []],
  ["a type of artifacts", () => ({ artifact_type: "PLAN" }), []],
  ["a word of the title", () => ({ q: "ROBOT" }), ["by a robot"]],
  ["words of the prompt in another order", () => ({ q: "moon hello" }), ["plain"]],
  ["a word of the skill", () => ({ q: "shop:audit" }), ["auditing"]],
  ["a word of the title with a letter wrong", () => ({ q: "grandchilt" }), ["grandchild"]],
  ["a word that is nowhere", () => ({ q: "elephant" }), []],
  ["the id of a run", ({ run }) => ({ q: run("child").run_id }), ["child"]],
  ["how the id of a run begins", ({ run }) => ({ q: run("child").run_id.slice(0, 30) }), ["child"]],
  [
    "the same without hyphens, in capitals",
    ({ run }) => ({ q: run("child").run_id.replaceAll("-", "").slice(0, 28).toUpperCase() }),
    ["child"],
  ],
  ["how no id begins, and no word", () => ({ q: "00000000" }), []],
  ["the link of a run", ({ run }) => ({ q: run("plain").session_link ?? "" }), ["plain"]],
  [
    "not created before an instant, which is within",
    ({ run }) => ({ created_after: run("tuned").created_at }),
    ({ run }) => TITLES.filter((title) => run(title).created_at >= run("tuned").created_at),
  ],
  [
    "created before an instant, which is not within",
    ({ run }) => ({ created_before: run("tuned").created_at }),
    ({ run }) => TITLES.filter((title) => run(title).created_at < run("tuned").created_at),
  ],
  [
    "not updated before an instant, which is within",
    ({ run }) => ({ updated_after: run("report").updated_at }),
    ({ run }) => TITLES.filter((title) => run(title).updated_at >= run("report").updated_at),
  ],
  ["two filters, which both have to fit", () => ({ state: ["SUCCEEDED"], q: "plain" }), ["plain"]],
  ["two filters that no run fits both", () => ({ state: ["FAILED"], q: "plain" }), []],
];

/** Filters that later clients have, by the call that takes every query. */
const UNTYPED: Case<Record<string, unknown>>[] = [
  ["an executor", ({ run }) => ({ executor: run("of acme").executor.uid }), ["of acme", "report"]],
  ["one of two sources", () => ({ source: ["CLI", "CUSTOM_WEBHOOK"] }), ["by the command line", "report"]],
  ["executed here", () => ({ execution_location: "REMOTE" }), TITLES],
  ["executed elsewhere", () => ({ execution_location: "LOCAL" }), []],
  ["an ancestor", ({ run }) => ({ ancestor_run_id: run("plain").run_id }), ["child", "grandchild"]],
  ["a run that none repeats", ({ run }) => ({ rerun_of: run("plain").run_id }), []],
  ["an ancestor without children", ({ run }) => ({ ancestor_run_id: run("grandchild").run_id }), []],
  ["a pair of metadata", () => ({ metadata: { team: "red" } }), ["of acme", "of other"]],
  ["two pairs of metadata", () => ({ metadata: { team: "red", kind: "fix" } }), ["of acme"]],
  ["a pair that no run has", () => ({ metadata: { team: "blue" } }), []],
  ["an automation", ({ run }) => ({ automation_id: run("report").automation_id }), ["report"]],
  ["an automation that has started nothing", () => ({ automation_id: "A".repeat(22) }), []],
  ["a factory", ({ acme }) => ({ factory_uid: acme }), ["of acme", "report"]],
  ["one of two factories", ({ acme, other }) => ({ factory_uid: [acme, other] }), OF_FACTORIES],
  ["any factory", () => ({ factory_only: true }), OF_FACTORIES],
  ["a factory or none", () => ({ factory_only: false }), TITLES],
  ["work that goes on", () => ({ task_status: "running" }), ["working", "waiting"]],
  ["work that is done", () => ({ task_status: "complete" }), without(...NOT_DONE_WELL)],
  ["work that waits for somebody", () => ({ task_status: "blocked" }), []],
  [
    "work that failed or was cancelled",
    () => ({ task_status: ["failed", "cancelled"] }),
    [...FAILED, "cancelled"],
  ],
  [
    "a word for work and a state of it",
    () => ({ task_status: "running", state: ["QUEUED", "FAILED"] }),
    ["waiting"],
  ],
  ["a type of artifacts that came later", () => ({ artifact_type: "EXTERNAL_REFERENCE" }), []],
];

function expectTitles({ runs }: { runs: { title: string }[] }, [, , fitting]: Case<never>): void {
  const expected = typeof fitting === "function" ? fitting(stage()) : fitting;
  expect(runs.map(({ title }) => title).sort()).toEqual([...expected].sort());
}

test.each(TYPED)("the official client lists the runs by %s", async (...filter) => {
  const [, query] = filter;
  const answer = await ozClient(stage().server).agent.runs.list(query(stage()));
  expectTitles(answer, filter as Case<never>);
});

test.each(UNTYPED)("a later client lists the runs by %s", async (...filter) => {
  const [, query] = filter;
  const client = ozClient(stage().server);
  expectTitles(await client.get<Page>("/agent/runs", { query: query(stage()) }), filter as Case<never>);
});

test("an instant is compared as it says where some runs are on either side of it", () => {
  for (const [filter, , fitting] of TYPED.filter(([, query]) => /_(after|before)/.test(String(query)))) {
    const titles = typeof fitting === "function" ? fitting(stage()) : fitting;
    expect([filter, titles.length > 0 && titles.length < TITLES.length]).toEqual([filter, true]);
  }
});

test("every filter that is described is tried", () => {
  const tried = [...TYPED, ...UNTYPED].flatMap(([, query]) => Object.keys(query(stage())));
  const described = runFilters.map(({ name }) => name).filter((name) => !name.startsWith("sort_"));
  expect([...new Set(tried)].sort()).toEqual(described.sort());
});

test.each([[{ ancestor_run_id: UNKNOWN }], [{ skill: "a", skill_spec: "b" }], [{ metadata: { "": "x" } }]])(
  "a filter that can mean nothing is refused: %o",
  async (query) => {
    await expect(ozClient(stage().server).get("/agent/runs", { query })).rejects.toMatchObject({
      status: 400,
    });
  },
);
