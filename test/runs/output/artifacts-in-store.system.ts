import { createHash, randomUUID } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { ask } from "../../given/ask.ts";
import type { Server } from "../../given/server.ts";
import { doorClient } from "../../given/workers.ts";

const LARGE = 3 * 1024 * 1024 + 7;
const AGENT = `
  import { mkdirSync, writeFileSync } from "node:fs";
  mkdirSync("artifacts");
  writeFileSync("artifacts/large.bin", Buffer.alloc(${LARGE}, "abc"));
  writeFileSync("artifacts/empty.txt", "");
  writeFileSync("artifacts/answer.md", "It is done.");`;

async function bytesOf(server: Server, run: string, name: string): Promise<Buffer | undefined> {
  const { artifacts } = await server.api<{ artifacts: { data: Record<string, string> }[] }>(
    "GET",
    `/agent/runs/${run}`,
  );
  const uid = artifacts.find(({ data }) => data.filename === name)?.data.artifact_uid;
  const { data } = await server.api<{ data: { download_url: string } }>("GET", `/agent/artifacts/${uid}`);
  const answer = await fetch(data.download_url);
  return answer.ok ? Buffer.from(await answer.arrayBuffer()) : undefined;
}

/** Everything that is a file below the folder of artifacts. */
function filesIn(server: Server): string[] {
  const entries = readdirSync(join(server.dataDir, "artifacts"), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test("a server that shares its store keeps the files of its agents there, and has them after a restart without its folder", async () => {
  const before = await serverWithAgent(AGENT, { sharesStore: true });
  const { server } = before;
  const id = await before.start();
  expect(await before.story.ended(id)).toMatchObject({ state: "SUCCEEDED" });
  expect(filesIn(server)).toEqual([]);
  await server.stop();
  const after = await serverWithAgent(AGENT, { sharesStore: true, before });
  expect((await bytesOf(after.server, id, "large.bin"))?.equals(Buffer.alloc(LARGE, "abc"))).toBe(true);
  expect(await bytesOf(after.server, id, "empty.txt")).toHaveLength(0);
  expect((await bytesOf(after.server, id, "answer.md"))?.toString()).toBe("It is done.");
  const child = await after.server.api<{ run_id: string }>("POST", "/agent/runs", {
    ...{ prompt: "Go on.", parent_run_id: id, artifacts: ["answer.md"] },
  });
  const given = await ask(after.server, "GET", `/agent/runs/${child.run_id}/attachments/answer.md`);
  expect(given.body).toEqual({ text: "It is done." });
  await after.story.ended(child.run_id);
  expect((await ask(after.server, "DELETE", `/agent/runs/${child.run_id}`)).status).toBe(204);
  expect((await ask(after.server, "DELETE", `/agent/runs/${id}`)).status).toBe(204);
  expect(filesIn(after.server)).toEqual([]);
});

test("what a worker sends arrives there too, and only with the hash that it tells", async () => {
  const { server } = await serverWithAgent("process.exit(0)", { sharesStore: true });
  const worker = await doorClient(server, { name: "w" });
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/run", {
    ...{ prompt: "Work.", config: { worker_host: "w" } },
  });
  const [claimed] = await worker.claim();
  const turn = { id: run_id, ticket: claimed?.ticket ?? 0 };
  const start = { sessionId: randomUUID(), tokenHash: "0".repeat(64), takesInput: false };
  expect(await worker.call(turn, "start", start)).toMatchObject({ body: { result: true } });
  const id = randomUUID();
  const sha256 = createHash("sha256").update("result").digest("hex");
  const file = { id, path: "result.txt", size: 6, sha256, holdsSecret: false };
  await worker.upload(turn, id, "Result");
  expect(await worker.call(turn, "addFile", { file })).toMatchObject({ status: 400 });
  await worker.upload(turn, id, "result");
  expect(await worker.call(turn, "addFile", { file })).toMatchObject({ status: 200 });
  expect((await bytesOf(server, run_id, "result.txt"))?.toString()).toBe("result");
});
