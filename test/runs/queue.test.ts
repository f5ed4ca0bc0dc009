import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../given/agent.ts";
import { temporaryFolder } from "../given/folder.ts";
import { waitFor } from "../given/server.ts";

test("a server runs at most that many agents at the same time, and says when one has to wait", async () => {
  const folder = temporaryFolder();
  const agent = `
      import { existsSync, writeFileSync } from "node:fs";
      writeFileSync(${JSON.stringify(folder)} + "/" + process.env.MILLRACE_RUN_ID, "");
      while (!existsSync(${JSON.stringify(folder)} + "/go")) await new Promise((resolve) => setTimeout(resolve, 20));`;
  const { server, story } = await serverWithAgent(agent, { env: { MILLRACE_RUN_CONCURRENCY: "2" } });
  const create = () =>
    server.api<{ run_id: string; at_capacity: boolean; state: string }>("POST", "/agent/run", {
      prompt: "x",
    });
  const first = await create();
  await waitFor(() => existsSync(join(folder, first.run_id)));
  const second = await create();
  await waitFor(() => existsSync(join(folder, second.run_id)));
  const third = await create();
  expect([first, second, third].map(({ at_capacity, state }) => [at_capacity, state])).toEqual([
    [false, "QUEUED"],
    [false, "QUEUED"],
    [true, "QUEUED"],
  ]);
  expect((await story.run(third.run_id)).state).toBe("QUEUED");
  writeFileSync(join(folder, "go"), "");
  expect((await story.ended(third.run_id)).state).toBe("SUCCEEDED");
});
