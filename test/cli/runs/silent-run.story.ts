import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { FACTORY } from "../../given/definition.ts";
import { folderWith } from "../../given/folder.ts";
import { ADMIN_KEY, run, startServer } from "../../given/server.ts";
import { storyOf } from "../../given/story.ts";

test("the log of a run that wrote nothing says so, and why", async () => {
  const { server, run: runToEnd } = await serverWithAgent("process.exit(3)");
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const none = await run(["runs", "logs"], env);
  expect([none.code, none.said]).toEqual([5, expect.stringContaining("No runs yet.")]);
  const { run_id } = await runToEnd();
  const said = `The agent of run ${run_id} wrote no output. The run is FAILED. The agent exited with code 3.\n`;
  expect(await run(["runs", "logs", run_id], env)).toEqual({ code: 0, printed: "", said });
  expect(await run(["runs", "logs", "--follow", run_id], env)).toEqual({ code: 1, printed: "", said });
});

test("a run that belongs to no factory says so when it is created", async () => {
  const other = { ...FACTORY, "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", "other") };
  const server = await startServer({ sources: [folderWith(FACTORY), folderWith(other)] });
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  const created = await run(["runs", "create", "--prompt", "x"], env);
  expect(created.said).toContain("belongs to no factory");
  await storyOf(server).ended(created.printed.trim());
  const sync = await run(["sync"], env);
  expect([sync.code, sync.said]).toEqual([2, expect.stringContaining("Specify one with --factory.")]);
});

test("a reader that leaves early is not a failure", async () => {
  const { server, start, story } = await serverWithAgent(`
    import { writeSync } from "node:fs";
    for (let n = 0; n < 100; n += 1) writeSync(1, "x".repeat(65536) + "\\n");`);
  const id = await start();
  await story.ended(id);
  const env = { MILLRACE_SERVER: server.url, MILLRACE_API_KEY: ADMIN_KEY };
  expect(await run(["runs", "logs", id], env, "", { readsOnce: true })).toMatchObject({ code: 0, said: "" });
});
