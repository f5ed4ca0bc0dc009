import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { requestModels } from "../../src/api/models/run-requests.ts";
import { configModels } from "../../src/api/models/runs.ts";
import { runFilters } from "../../src/api/operations/parameters.ts";
import { ERROR_CODES } from "../../src/errors/error.ts";
import { followUpResult } from "../../src/runs/rules/follow-up.ts";
import { MOVES, type Move, RUN_STATES, type RunState } from "../../src/runs/rules/state.ts";
import { serverWithAgent } from "../given/agent.ts";
import { ask } from "../given/ask.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { folderWith } from "../given/folder.ts";
import { ADMIN_KEY, PROGRAM } from "../given/server.ts";
import { blocksOf, pasted } from "../given/shell.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const PAGE = "docs/run-api.md";
const text = readFileSync(join(ROOT, PAGE), "utf8");

const stage = sharedByFile(() => serverWithAgent("console.log('all is well')"));

/** The rows of a table, cell by cell, below the heading row that begins so. */
function tableUnder(heading: string): string[][] {
  const [, after = ""] = text.split(`\n${heading}`);
  const rows = after.split("\n").slice(2);
  const end = rows.findIndex((row) => !row.startsWith("|"));
  return rows.slice(0, end < 0 ? undefined : end).map((row) =>
    row
      .slice(1, -1)
      .split("|")
      .map((cell) => cell.trim()),
  );
}

const codesIn = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code);

describe("the page about the run API", () => {
  test("can be pasted into a shell, to the letter", async () => {
    const { server } = stage();
    const millrace = `millrace() { ${process.execPath} ${PROGRAM} "$@"; }`;
    const names = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
    const blocks = blocksOf(PAGE, "sh run-api");
    const { code, output, steps } = await pasted([millrace, ...blocks], folderWith({}), names);
    expect(code, output).toBe(0);
    const [, , , start, end, followed, dispatched, once, timeline, ...others] = steps;
    const [scheduled, message, conversation, dismissed, cancelled, again, streams, list, wrong] = others;
    expect(start).toMatch(/"state":"QUEUED"/);
    expect(end).toMatch(/"title":"Weekly news".*\nSUCCEEDED\nall is well\n/s);
    expect(followed).toMatch(/\nall is well\n/);
    expect(dispatched).toContain('"foreman_agent":"boss"');
    const ids = [...(once ?? "").matchAll(/"run_id":"([^"]+)"/g)].map(([, id]) => id);
    expect([ids.length, new Set(ids).size]).toEqual([2, 1]);
    expect(once).toMatch(/"status":409.*Refused\./s);
    expect(timeline).toContain('"event_type":"oz_run_created"');
    expect(scheduled).toMatch(/"next_run":"[^"]*T09:00:00.000Z".*"enabled":false.*"success":true/s);
    expect(message).toContain('"outcome":"handoff_execution"');
    expect(conversation).toMatch(/"kind":"prompt".*"kind":"answer".*"text":"And what is old\?"/s);
    expect(dismissed).toMatch(/It is not blocked\.$/m);
    expect(cancelled).toMatch(/^"[0-9a-f-]{36}"$|It had ended already\.$/m);
    expect(again).toMatch(/"based_on":"request"|It has not ended\.$/m);
    expect(streams).toMatch(/event: output\n.*event: end\n.*event: run\n.*Seen enough\.\n/s);
    expect(list).toMatch(
      /"has_next_page":true.*"runs":\[.*"ticket_id":"SHOP-7".*\nSUCCEEDED .* Weekly news\n/s,
    );
    expect(wrong).toMatch(/did you mean \\"prompt\\"\?.*Refused\./s);
    expect(steps).toHaveLength(blocks.length + 2);
  });

  test("has a program for the public client that works to the letter", async () => {
    const { server, story } = stage();
    const folder = folderWith({ "program.mjs": blocksOf(PAGE, "js oz")[0] ?? "" });
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const names = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
    const { code, output } = await pasted([`${process.execPath} program.mjs`], folder, names);
    expect([code, output]).toEqual([0, expect.stringMatching(/^=== 1\n[0-9a-f-]{36} [A-Z]+\n$/)]);
    await story.ended(output.split("\n")[1]?.split(" ")[0] ?? "");
  });

  test("lists every error code with its status, and whether to try again", () => {
    expect(tableUnder("| code | status | retryable |")).toEqual(
      Object.entries(ERROR_CODES).map(([code, { status, retryable, title }]) => {
        return [`\`${code}\``, String(status), retryable ? "yes" : "no", title];
      }),
    );
  });

  test("names every key of a request, every filter, every state and every outcome", () => {
    const keys = [
      ...Object.keys(requestModels.RunAgentRequest.properties).filter((key) => key !== "config"),
      ...Object.keys(configModels.AmbientAgentConfig.properties).map((key) => `config.${key}`),
    ];
    const tables = ["| key | effect |", "| key | |", "| key | refused value | accepted value |"].flatMap(
      tableUnder,
    );
    expect(tables.flatMap(([cell = ""]) => codesIn(cell)).sort()).toEqual(keys.sort());
    for (const { name } of runFilters)
      expect(text).toMatch(new RegExp(`\`${name}(=true|\\[key\\]=value)?\``));
  });

  test("knows every state, and where a run goes on from it", () => {
    const moves = Object.values<Move>(MOVES);
    const states = tableUnder("| state | meaning | next states |").map(([state = "", , next = ""]) => [
      state,
      (next.match(/[A-Z]{5,}/g) ?? []).sort(),
    ]);
    const goesTo = (state: RunState) =>
      [...new Set(moves.filter(({ from }) => from.includes(state)).map(({ to }) => to))]
        .filter((to) => to !== state)
        .sort();
    const legal = Object.keys(RUN_STATES).map((state) => [state, goesTo(state as RunState)]);
    expect(Object.fromEntries(states)).toEqual(Object.fromEntries(legal));
  });

  test.each(tableUnder("| the run is | its agent | `outcome` |"))(
    "knows what becomes of a message to a run that is %s, whose agent %s",
    (states, agent, outcome) => {
      expect(["", "is about to start", "is running", "accepts messages", "has ended"]).toContain(agent);
      for (const state of states.split(", ") as RunState[]) {
        const isLeased = state !== "QUEUED" && agent !== "has ended";
        const result = followUpResult({ state, isLeased, takesInput: agent === "accepts messages" });
        expect(result).toBe(codesIn(outcome)[0]);
      }
    },
  );

  test.each(tableUnder("| key | refused value | accepted value |"))(
    "is right about %s",
    async (cell, refused, taken) => {
      const { server } = stage();
      const [key = ""] = codesIn(cell);
      const request = (written: string) => {
        const value = JSON.parse(codesIn(written)[0] ?? "");
        const inner = key.startsWith("config.") ? { config: { [key.slice(7)]: value } } : { [key]: value };
        return ask(server, "POST", "/agent/runs", { body: { prompt: "Do it.", ...inner } });
      };
      expect((await request(refused ?? "")).body).toMatchObject({ status: 422, field: key });
      expect((await request(taken ?? "")).status).toBe(200);
    },
  );
});
