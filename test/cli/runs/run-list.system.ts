import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { tableLines } from "../../../src/cli/output.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { folderWith } from "../../given/folder.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";
import { listedBy, serverWithRuns } from "../../given/varied-runs.ts";

const OTHER_UID = "AAAAAAAAAAAAAAAAAAAAAA";
const OTHER_ID = "01a1fe22-6744-70ce-94a0-348515e54587";

const stage = sharedByFile(serverWithRuns);
type Stage = ReturnType<typeof stage>;

/** The ids that a list shows. */
const listed = (...args: string[]) => listedBy(stage(), ...args);

describe("millrace runs list shows by", () => {
  test.each<[string, (given: Stage) => string[], (given: Stage) => string[]]>([
    ["--state", ({ run }) => [run.state.toLowerCase(), "queued"], () => ["CANCELLED"]],
    ["--task-status", () => ["complete", "failed"], () => ["blocked"]],
    ["--name", () => ["nightly"], () => ["daily"]],
    ["--model", () => ["small"], () => ["large"]],
    ["--creator", ({ run }) => [run.creator.uid ?? ""], () => [OTHER_UID]],
    ["--executor", ({ run }) => [run.executor.uid ?? ""], () => [OTHER_UID]],
    ["--source", () => ["cli", "api"], () => ["CUSTOM_WEBHOOK"]],
    ["--created-after", () => ["1h"], () => ["2999-01-01T00:00:00Z"]],
    ["--created-before", () => ["2999-01-01T00:00:00+02:00"], () => ["2h"]],
    ["--updated-after", ({ run }) => [run.updated_at], () => ["2999-01-01T00:00:00.5Z"]],
    ["--environment", () => ["web"], () => ["unused"]],
    ["--environment", ({ run }) => [run.agent_config.environment_id ?? ""], () => ["empty-environment"]],
    ["--skill", () => ["review"], () => ["acme/skills:other"]],
    ["--ancestor", ({ parent }) => [parent], ({ run }) => [run.run_id]],
    ["--metadata", () => ["team=shop", "stage=one"], () => ["team=shop", "stage=two"]],
    ["--search", () => ["invoice zebra"], () => ["receipt"]],
    ["-q", ({ run }) => [run.run_id], () => [OTHER_ID]],
    ["--factory", () => ["acme"], ({ run }) => [run.factory_uid ?? "", "--state", "QUEUED"]],
    ["--factory-only", () => [], () => ["--model", "large"]],
  ])("%s what fits, and leaves out what does not", async (option, fitting, other) => {
    const [with_, without] = await Promise.all([
      listed(option, ...fitting(stage())),
      listed(option, ...other(stage())),
    ]);
    const { run_id } = stage().run;
    expect([with_.includes(run_id), without.includes(run_id)]).toEqual([true, false]);
  });

  test("--automation the runs that it started", async () => {
    const { delivered } = stage();
    expect(await listed("--automation", delivered.automation_id ?? "")).toEqual([delivered.run_id]);
    expect(await listed("--automation", OTHER_UID)).toEqual([]);
  });

  test("--schedule and --artifact-type nothing while no run has any", async () => {
    expect(await listed("--schedule", OTHER_ID)).toEqual([]);
    expect(await listed("--artifact-type", "PULL_REQUEST")).toEqual([]);
  });
});

describe("millrace runs list", () => {
  test("sorts by --sort and --order, and shows when runs were created where that is the order", async () => {
    const { run, list } = stage();
    expect((await listed("--sort", "title"))[0]).toBe(run.run_id);
    expect((await listed("--sort", "title", "--order", "asc")).at(-1)).toBe(run.run_id);
    expect((await listed("--sort", "agent"))[0]).toBe(run.run_id);
    expect((await list("--sort", "created_at")).printed).toMatch(
      /^STATE +ID +SOURCE +CREATED +NAME +TOOK +COST +TITLE\n/,
    );
    expect((await list()).printed).toMatch(/^STATE +ID +SOURCE +UPDATED +NAME +TOOK +COST +TITLE\n/);
  });

  test("asks the server without what Node loads for fetch", async () => {
    const names = ["fetch", "Request", "Response", "Headers"];
    const guard = `for (const name of ${JSON.stringify(names)}) Object.defineProperty(globalThis, name, { get() { throw new Error(name + " was loaded"); } });`;
    const file = join(folderWith({ "guard.cjs": guard }), "guard.cjs");
    const { server, run: ofList } = stage();
    const env = {
      MILLRACE_SERVER: server.url,
      MILLRACE_API_KEY: ADMIN_KEY,
      NODE_OPTIONS: `--require=${file}`,
    };
    const told = await run(["runs", "list"], env);
    expect(told).toMatchObject({ code: 0, said: "" });
    expect(told.printed).toContain(ofList.run_id);
    expect((await run(["runs", "cancel", OTHER_ID], env)).said).toContain(OTHER_ID);
  });

  test("prints whole items as JSON, and an empty list as one", async () => {
    const { run, list } = stage();
    // Lists do not look up parents.
    const { parent: _, ...item } = run;
    const { printed } = await list("--name", "nightly", "--json");
    expect(JSON.parse(printed)).toEqual([item]);
    expect(printed).toBe(`${JSON.stringify([item], null, 2)}\n`);
    expect((await list("--name", "daily", "--json")).printed).toBe("[]\n");
    expect((await list("--name", "daily")).printed).toBe("No runs match the filters.\n");
  });

  test("prints valid JSON, whatever is in a title", async () => {
    const { server } = stage();
    const title = "an odd \u009b\u007f\u001b red";
    await server.api("POST", "/agent/runs", { prompt: "p", title, config: { name: "odd" } });
    const { printed } = await stage().list("--name", "odd", "--json");
    expect(JSON.parse(printed)).toMatchObject([{ title }]);
    expect(printed).not.toContain("\u009b");
  });

  test.each<[string, string[], number, string]>([
    ["an instant that is none", ["--created-after", "yesterday"], 2, "2026-01-31T18:00:00Z"],
    ["a day that is none", ["--updated-after", "2026-13-45T00:00:00Z"], 2, "Expected a timestamp"],
    ["a pair that is none", ["--metadata", "team"], 2, "Expected key=value"],
    ["a source that is none", ["--source", "FAX"], 2, "Expected one of API, CLI, "],
    ["a status that is none", ["--task-status", "resting"], 2, "Allowed choices are running, "],
    ["an order that is none", ["--order", "up"], 2, "Allowed choices are asc, desc"],
    ["an ancestor that is no id", ["--ancestor", "x"], 2, "at least its first 4 characters"],
    ["an ancestor that is not there", ["--ancestor", OTHER_ID], 1, "there is no run"],
    ["an environment that is not there", ["--environment", "nowhere"], 5, "environments list"],
    ["a factory that is not there", ["--factory", "nobody"], 5, "There is no factory"],
    ["a limit beside --all", ["--all", "--limit", "3"], 2, "cannot be used with"],
    ["a limit that is none", ["--limit", "-1"], 2, "at least 1"],
  ])("reports %s with what was expected", async (_, args, code, said) => {
    const result = await stage().list(...args);
    expect(result.said).toContain(said);
    expect([result.code, result.printed]).toEqual([code, ""]);
  });
});

describe("a table", () => {
  const rows = [
    ["SUCCEEDED", "a rather long title"],
    ["FAILED", "short\nand\tmore"],
  ];

  test("is as wide as it needs to be", () => {
    expect(tableLines(["STATE", "TITLE"], rows)).toEqual([
      "STATE      TITLE",
      "SUCCEEDED  a rather long title",
      "FAILED     short and more",
    ]);
  });

  test("ends with the line of a terminal, by whole characters, but for a beginning that always shows", () => {
    expect(tableLines(["STATE", "TITLE"], rows, 24)[1]).toBe("SUCCEEDED  a rather lon…");
    expect(tableLines(["STATE", "TITLE"], [["OK", "🙂🙂🙂🙂🙂🙂🙂🙂🙂"]], 15)[1]).toBe(
      "OK     🙂🙂🙂🙂🙂🙂🙂…",
    );
    expect(tableLines(["STATE", "TITLE"], rows, 5)[1]).toBe("SUCCEEDED  a rathe…");
  });
});
