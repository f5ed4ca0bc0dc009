import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";

const PROGRAM = fileURLToPath(new URL("../../../dist/agent/millrace.cjs", import.meta.url));

test("an agent finds the command on its PATH, and is told what is wrong with a call", async () => {
  const { run } = await serverWithAgent(`
    import { spawnSync } from "node:child_process";
    for (const args of [["status"], ["report", "link", "nowhere"]]) {
      const { status, stdout, stderr } = spawnSync("millrace", ["agent", ...args], { encoding: "utf8" });
      console.log(status, stdout, stderr);
    }`);
  const { transcript, run_id } = await run();
  expect(transcript).toContain(`0 ${run_id}  INPROGRESS`);
  expect(transcript).toMatch(/1 +The request is not valid\..*data\.url/s);
});

test("outside of a run, the command says so", () => {
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, "agent", "status"], {
    env: {},
    encoding: "utf8",
  });
  expect([status, stderr]).toEqual([2, expect.stringMatching(/^This is not the environment of a run/)]);
});
