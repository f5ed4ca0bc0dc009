import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { temporaryFolder } from "../../given/folder.ts";
import { isRunning } from "../../given/processes.ts";
import { waitFor } from "../../given/server.ts";

test("an agent that runs too long is ended, and what it has started too", async () => {
  const witness = join(temporaryFolder(), "pid");
  const agent = `
    import { spawn } from "node:child_process"; import { writeFileSync } from "node:fs";
    process.on("SIGTERM", () => {});
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { detached: true, stdio: "ignore" });
    writeFileSync(${JSON.stringify(witness)}, String(child.pid)); setInterval(() => {}, 1000);`;
  const { run } = await serverWithAgent(agent, { env: { MILLRACE_RUN_TIMEOUT: "1s" } });
  expect(await run()).toMatchObject({
    state: "ERROR",
    status_message: {
      error_code: "infrastructure_timeout",
      message: expect.stringContaining("limit of 1 s"),
    },
  });
  const pid = Number(readFileSync(witness, "utf8"));
  await waitFor(() => !isRunning(pid) || undefined);
});
