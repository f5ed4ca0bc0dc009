import { describe, expect, test } from "vitest";
import type { Models } from "../../../src/client/client.ts";
import { sharedByFile } from "../../given/cleanup.ts";
import { FACTORY } from "../../given/definition.ts";
import { ADMIN_KEY, run } from "../../given/server.ts";
import { serving } from "../../given/serving.ts";
import { TELLS_USAGE, tellingHarness } from "../../given/telling-harness.ts";

/** A server with a run that has told its usage, and one that has not. */
const stage = sharedByFile(async () => {
  const { server, story } = await serving(FACTORY, {}, { args: tellingHarness("claude", TELLS_USAGE) });
  for (const config of [{ harness: { type: "told" } }, {}]) {
    const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
      prompt: "Do it.",
      config,
    });
    await story.ended(run_id);
  }
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  return { usage: (...args: string[]) => run(["usage", ...args], env) };
});

describe("millrace usage", () => {
  test("lists what was used by automation, and says that some runs have told nothing", async () => {
    const { code, printed, said } = await stage().usage();
    expect(code).toBe(0);
    const [headings, row] = printed.split("\n");
    expect(headings).toMatch(
      /^AUTOMATION +RUNS +INPUT +CACHED +OUTPUT +OWN COST +WITH CHILDREN +UNPRICED +WORKED +CPU$/,
    );
    expect(row).toMatch(/^acme\/\(none\) +2 +15 +10 +2 +\$0\.2500 +\$0\.2500 +- +\d/);
    expect(said).toContain("Some runs reported no tokens");
  });

  test("prints CSV, with the numbers as they are", async () => {
    const { printed } = await stage().usage("--by", "model", "--csv");
    expect(printed).toBe(
      "key,runs,runs_without_usage,input_tokens,output_tokens,cached_tokens,cost_usd,unpriced_tokens,work_seconds,cpu_seconds,peak_memory_bytes,family_cost_usd\n" +
        "opus,1,0,15,2,10,0.25,0,,,,0.25\n",
    );
  });

  test("gives programs the rows as the API describes them", async () => {
    const rows: Models["UsageRow"][] = JSON.parse((await stage().usage("--by", "factory", "--json")).printed);
    expect(rows).toMatchObject([{ key: "acme", runs: 2, runs_without_usage: 1, cost_usd: 0.25 }]);
  });

  test("lists the runs with the highest cost", async () => {
    const { printed } = await stage().usage("--by", "run");
    expect(printed.split("\n")[1]).toMatch(
      /^[0-9a-f-]{36} +acme +- +SUCCEEDED +15 +10 +2 +\$0\.2500 +\$0\.2500 +- +\w/,
    );
    expect((await stage().usage("--by", "run", "--csv")).printed).toContain(",SUCCEEDED,");
  });

  test("says that nothing was used, where that is so", async () => {
    const { printed } = await stage().usage("--since", "2020-01-01", "--until", "2020-02-01");
    expect(printed).toBe("Nothing was used in this period.\n");
  });

  test("refuses what it does not know", async () => {
    expect((await stage().usage("--by", "webhook")).code).not.toBe(0);
    expect((await stage().usage("--csv", "--json")).code).not.toBe(0);
    expect((await stage().usage("--factory", "nobody")).said).toContain('no factory "nobody"');
  });
});
