import { expect, test } from "vitest";
import { serverWithAgent } from "../../given/agent.ts";
import { aWorker } from "../../given/workers.ts";

const AGENT = `
  import { mkdirSync, writeFileSync } from "node:fs";
  mkdirSync("artifacts");
  writeFileSync("artifacts/large.bin", Buffer.alloc(5 * 1024 * 1024 + 7, "abc"));
  writeFileSync("artifacts/empty.txt", "");`;

test("a file that is too large for one request of a slow connection arrives whole, and an empty one too", async () => {
  const { server, story } = await serverWithAgent("process.exit(3)");
  await aWorker(server, { agent: AGENT });
  const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/run", {
    prompt: "Build it.",
    config: { worker_host: "builder" },
  });
  expect(await story.ended(run_id)).toMatchObject({ state: "SUCCEEDED" });
  const { artifacts } = await server.api<{
    artifacts: { data: { artifact_uid: string; filename: string } }[];
  }>("GET", `/agent/runs/${run_id}`);
  const bytesOf = async (name: string) => {
    const uid = artifacts.find(({ data }) => data.filename === name)?.data.artifact_uid;
    const { data } = await server.api<{ data: { download_url: string } }>("GET", `/agent/artifacts/${uid}`);
    return Buffer.from(await (await fetch(data.download_url)).arrayBuffer());
  };
  expect((await bytesOf("large.bin")).equals(Buffer.alloc(5 * 1024 * 1024 + 7, "abc"))).toBe(true);
  expect(await bytesOf("empty.txt")).toHaveLength(0);
});
