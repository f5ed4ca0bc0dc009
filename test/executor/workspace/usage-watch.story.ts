import { join } from "node:path";
import { expect, test } from "vitest";
import { runHere } from "../../../src/executor/files/file-jobs.ts";
import { createUsageWatch, type UsageWatch } from "../../../src/executor/workspace/usage-watch.ts";
import { newUuid } from "../../../src/id.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { folderWith, temporaryFolder } from "../../given/folder.ts";

const MIB = 1024 * 1024;
const LIMITS = { bytes: 100 * MIB, files: 1_000 };

/** Watches a turn in a folder. @returns its run, and the message with which it is ended */
function watched(usage: UsageWatch, folder: string) {
  const runId = newUuid();
  let said: string | undefined;
  const ended = new Promise<string>((resolve) => {
    usage.watch({
      runId,
      folder,
      end: (message) => {
        said = message;
        resolve(message);
      },
    });
  });
  return { runId, ended, said: () => said };
}

test("a turn whose workspace cannot be counted three times in a row is ended, and others go on", async () => {
  const usage = createUsageWatch(LIMITS, runHere);
  const strange = watched(usage, join(temporaryFolder(), "not-there"));
  const other = watched(usage, temporaryFolder());
  expect(await strange.ended).toContain("measuring its workspace failed 3 times in a row");
  expect(other.said()).toBeUndefined();
});

test("a turn whose workspace cannot be counted is taken for the heaviest", async () => {
  const usage = createUsageWatch(LIMITS, runHere);
  const heavy = watched(usage, folderWith({ data: Buffer.alloc(MIB, 1) }));
  const strange = watched(usage, join(temporaryFolder(), "not-there"));
  expect(await usage.endHeaviest("bytes", () => "first")).toBe(strange.runId);
  expect(await usage.endHeaviest("bytes", () => "second")).toBe(heavy.runId);
});

test("a run that has written more than its quota just before its end has failed, and says so", async () => {
  const agent = `
    import { mkdirSync, writeFileSync } from "node:fs";
    mkdirSync("artifacts");
    writeFileSync("artifacts/report.txt", "kept");
    writeFileSync("large", Buffer.alloc(30 * 1024 * 1024, 1));`;
  const { server, run } = await serverWithAgent(agent, { env: { MILLRACE_WORKSPACE_QUOTA: "10MiB" } });
  const ended = await run();
  expect(ended).toMatchObject({
    state: "FAILED",
    status_message: {
      message: expect.stringMatching(
        /workspace has grown to 30(\.\d)? MiB.*10 MiB \(MILLRACE_WORKSPACE_QUOTA\)/,
      ),
    },
  });
  // What is beyond the quota does not take the report along.
  const kept = await server.api("GET", `/agent/runs/${ended.run_id}/handoff/attachments`);
  expect(JSON.stringify(kept)).toContain("report.txt");
});
