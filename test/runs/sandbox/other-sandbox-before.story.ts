import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { isRunning } from "../../given/processes.ts";
import { waitFor } from "../../given/server.ts";

/** Leaves a process that no end of its own group reaches, and says which, whole or not at all as far as this goes. */
const AGENT = `
  import { spawn } from "node:child_process";
  import { renameSync, writeFileSync } from "node:fs";
  const left = spawn("sleep", ["600"], { detached: true, stdio: "ignore" });
  writeFileSync("pid.draft", String(left.pid));
  renameSync("pid.draft", "pid");
  setInterval(() => {}, 1_000);`;

test("what a server without a sandbox has left is ended by the next one, also when that has a sandbox", async () => {
  const before = await serverWithAgent(AGENT, { sharesProcess: false });
  const id = await before.start();
  const file = join(before.server.dataDir, "workspaces", id, "pid");
  await waitFor(() => existsSync(file));
  const pid = Number(readFileSync(file, "utf8"));
  await before.server.kill();
  expect(isRunning(pid)).toBe(true);
  const { story } = await serverWithAgent(AGENT, { before, env: { MILLRACE_SANDBOX: "bwrap" } });
  expect((await story.run(id)).state).toBe("ERROR");
  expect(isRunning(pid)).toBe(false);
});
