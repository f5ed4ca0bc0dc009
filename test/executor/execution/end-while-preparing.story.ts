import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { BetterSqlite } from "../../../src/store/sqlite/better-sqlite.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { preparingServer } from "../../given/executing.ts";
import { folderWith } from "../../given/folder.ts";
import { serveOverHttp } from "../../given/git-http.ts";
import { processesWith } from "../../given/processes.ts";
import { repositoryWith } from "../../given/repository.ts";
import { waitFor } from "../../given/server.ts";
import { AT } from "../../given/store.ts";

const AGENT = "console.log('the agent ran')";

test("a run that is cancelled during its setup ends immediately, with the processes that its setup started", async () => {
  const { start, server, story, environment, workspaceOf } = await preparingServer(AGENT);
  const uid = await environment({ setup_commands: ["echo here > kept; sleep 4712 & sleep 4712"] });
  const id = await start({ config: { environment_id: uid } });
  await waitFor(() => existsSync(join(workspaceOf(id), "kept")) || undefined);
  expect((await story.run(id)).state).toBe("CLAIMED");
  await server.api("POST", `/agent/runs/${id}/cancel`);
  expect((await story.ended(id)).state).toBe("CANCELLED");
  expect(processesWith("sleep 4712")).toEqual([]);
  expect(readFileSync(join(workspaceOf(id), "kept"), "utf8")).toBe("here\n");
  expect(await story.transcript(id)).not.toContain("the agent ran");
});

test("a run whose cancellation was recorded before its start never starts, although its worker was not notified", async () => {
  const { start, server, story, environment, workspaceOf } = await preparingServer(AGENT);
  const uid = await environment({
    setup_commands: ["echo here > kept; until test -e go; do sleep 0.1; done"],
  });
  const id = await start({ config: { environment_id: uid } });
  await waitFor(() => existsSync(join(workspaceOf(id), "kept")) || undefined);
  const database = new BetterSqlite(join(server.dataDir, "millrace.db"));
  database.prepare("UPDATE runs SET cancel_requested_at = ? WHERE run_id = ?").run(AT, id);
  database.close();
  writeFileSync(join(workspaceOf(id), "go"), "");
  expect(await story.ended(id)).toMatchObject({ state: "CANCELLED", started_at: null });
  expect(await story.transcript(id)).not.toContain("the agent ran");
});

test("a run that is cancelled while it is cloned ends immediately, with git", async () => {
  const host = await serveOverHttp(repositoryWith({ a: "1" }).url, "unused");
  host.isOpen = true;
  host.pieceEvery = { bytes: 1, milliseconds: 1_000 };
  const settings = `forges: { home: { baseUrl: "${host.url.replace("/origin.git", "")}" } }\n`;
  host.rewrite = () => "/origin.git";
  const config = join(folderWith({ "millrace.yaml": settings }), "millrace.yaml");
  const { start, server, story } = await serverWithAgent(AGENT, { args: ["--config", config] });
  const id = await start();
  await waitFor(() => host.seen.length > 0 || undefined);
  await server.api("POST", `/agent/runs/${id}/cancel`);
  expect((await story.ended(id)).state).toBe("CANCELLED");
  await waitFor(() => processesWith(host.url.replace("/origin.git", "")).length === 0 || undefined);
});

test("a setup command that takes longer than it may is ended", async () => {
  const { run, environment } = await preparingServer(AGENT, { env: { MILLRACE_SETUP_TIMEOUT: "2s" } });
  const uid = await environment({ setup_commands: ["sleep 4713"] });
  const { state, status_message } = await run({ config: { environment_id: uid } });
  expect([state, status_message?.error_code]).toEqual(["FAILED", "environment_setup_failed"]);
  expect(status_message?.message).toMatch(
    /command 1 of 1.*exceeded the time limit of 2 s \(MILLRACE_SETUP_TIMEOUT\)/,
  );
  expect(processesWith("sleep 4713")).toEqual([]);
});

test("a server that stops while a run is prepared leaves it to the next one, which prepares it again", async () => {
  const flag = join(folderWith({}), "go");
  const command = `echo made >> made; test -e ${flag} || sleep 4714`;
  const { start, server, source, environment, workspaceOf } = await preparingServer(
    "import { readFileSync } from 'node:fs'; console.log(readFileSync('made', 'utf8'))",
  );
  const uid = await environment({ setup_commands: [command] });
  const id = await start({ config: { environment_id: uid } });
  await waitFor(() => existsSync(join(workspaceOf(id), "made")) || undefined);
  await server.stop();
  expect(processesWith("sleep 4714")).toEqual([]);
  writeFileSync(flag, "");
  const { story } = await serverWithAgent(
    "import { readFileSync } from 'node:fs'; console.log(readFileSync('made', 'utf8'))",
    { before: { source, server } },
  );
  expect((await story.ended(id)).state).toBe("SUCCEEDED");
  expect((await story.transcript(id)).endsWith("made\n\n")).toBe(true);
  expect(readFileSync(join(workspaceOf(id), "made"), "utf8")).toBe("made\n");
});

test("a workspace that grows over its quota while it is set up, or while its agent works, ends the run", async () => {
  const fill = "dd if=/dev/zero of=big bs=1M count=3 2>/dev/null; sleep 4715";
  const agent = `
    import { mkdirSync, writeFileSync } from "node:fs";
    mkdirSync("deep"); writeFileSync("deep/big", Buffer.alloc(3 << 20)); setInterval(() => {}, 1000);`;
  const { run, environment } = await preparingServer(agent, { env: { MILLRACE_WORKSPACE_QUOTA: "2MiB" } });
  const uid = await environment({ setup_commands: [fill] });
  const message = expect.stringMatching(
    /workspace has grown to 3(\.\d)? MiB.*2 MiB \(MILLRACE_WORKSPACE_QUOTA\)/,
  );
  expect((await run({ config: { environment_id: uid } })).status_message).toMatchObject({
    message,
    error_code: "environment_setup_failed",
  });
  expect((await run()).status_message).toMatchObject({ message, error_code: "agent_process_failed" });
  expect(processesWith("sleep 4715")).toEqual([]);
});
