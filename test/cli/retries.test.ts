import { expect, test } from "vitest";
import { refusal, type Step, scriptedServer } from "../given/scripted-server.ts";
import { run } from "../given/server.ts";

const OURS = { "millrace-api": "v1" };

async function listRuns(...steps: Step[]) {
  const { url, received } = await scriptedServer(...steps);
  const result = await run(["runs", "list"], { MILLRACE_SERVER: url, MILLRACE_API_KEY: "x" });
  return { ...result, asked: received.length };
}

test("a command asks again when the server could not answer now", async () => {
  const body = JSON.stringify({ runs: [], page_info: { has_next_page: false } });
  const busy = refusal(503, "service_unavailable", OURS);
  const { code, printed, said, asked } = await listRuns(busy, busy, { headers: OURS, body });
  expect([code, printed, said, asked]).toEqual([0, "No runs yet.\n", "", 3]);
  const never = await listRuns(busy);
  expect([never.code, never.said, never.asked]).toEqual([1, "No.\nNo.\ntrace id t1\n", 3]);
});

test("a command does not retry with something other than a millrace server", async () => {
  const { code, said, asked } = await listRuns(refusal(503, "service_unavailable"));
  expect([code, said, asked]).toEqual([3, expect.stringContaining("Not a millrace server."), 1]);
});
