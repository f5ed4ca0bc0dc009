import { createServer, type ServerResponse } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { streamTranscript } from "../../../src/api/runs/transcripts.ts";
import { createCommitSignal } from "../../../src/concurrency/rounds.ts";
import { serverWithAgent } from "../../given/agent.ts";
import { onFinished } from "../../given/cleanup.ts";
import { waitFor } from "../../given/server.ts";
import { aRun, aStore } from "../../given/store.ts";

describe("an agent", () => {
  test("that leaves a process holding its output does not keep its run from ending", async () => {
    const agent = `
      import { spawn } from "node:child_process";
      spawn("sh", ["-c", "unset MILLRACE_RUN_ID; exec env -i sleep 20"], { detached: true, stdio: ["ignore", "inherit", "inherit"] }).unref();
      console.log("done");`;
    const { run } = await serverWithAgent(agent);
    expect(await run()).toMatchObject({ state: "SUCCEEDED", transcript: "done\n" });
  });

  test("never reads its input, or writes bytes that are not text, and nothing breaks", async () => {
    const { run, start, story } = await serverWithAgent(
      `process.stdout.write(Buffer.from([0, 255, 254, 10]))`,
    );
    expect((await run({ prompt: "x".repeat(900_000) })).state).toBe("SUCCEEDED");
    const id = await start();
    await story.ended(id);
    expect(await story.transcript(id)).toContain("\uFFFD");
  });

  test("writes while it runs, and can be read immediately", async () => {
    const agent = `console.log("first"); await new Promise((resolve) => setTimeout(resolve, 60000));`;
    const { start, story } = await serverWithAgent(agent);
    const id = await start();
    await waitFor(async () => (await story.transcript(id)) === "first\n");
    expect((await story.run(id)).state).toBe("INPROGRESS");
  });

  test("is followed as a stream, which goes on where it was left", async () => {
    const agent = `for (let n = 1; n <= 3; n += 1) { console.log(n); await new Promise((resolve) => setTimeout(resolve, 150)); }`;
    const { server, start } = await serverWithAgent(agent);
    const id = await start();
    const follow = async (last?: string) => {
      const headers = {
        authorization: "Bearer test-admin-key-0123456789",
        ...(last ? { "last-event-id": last } : {}),
      };
      return (await server.fetch(`/api/v1/agent/runs/${id}/transcript?follow=true`, { headers })).text();
    };
    const events = await follow();
    // On a busy machine, lines that the agent printed apart may come together.
    const chunks = [...events.matchAll(/^id: (\d+)\nevent: output\ndata: (.*)$/gm)];
    const textOf = (found: typeof chunks) => found.map(([, , data = ""]) => JSON.parse(data).text).join("");
    expect(textOf(chunks)).toBe("1\n2\n3\n");
    expect(events).toMatch(/event: end\ndata: \{"state":"SUCCEEDED"\}\n\n$/);
    const rest = [...(await follow(chunks[0]?.[1])).matchAll(/^id: (\d+)\nevent: output\ndata: (.*)$/gm)];
    expect(textOf(rest)).toBe(textOf(chunks.slice(1)));
  });
});

test("the server waits for a slow reader, and buffers nothing for it", async () => {
  const { runs, transcripts } = await aStore();
  const run = await runs.create(aRun(), new Date().toISOString());
  const bytes = Buffer.alloc(64 * 1024, "x");
  for (let seq = 1; seq <= 256; seq += 1)
    await transcripts.append(run.id, [{ seq, turn: 1, stream: "stdout", at: "", bytes }]);
  let response: ServerResponse | undefined;
  const server = createServer((request, answer) => {
    response = answer;
    void streamTranscript(run, { request, response: answer, isAdmitted: async () => true } as never, {
      runs,
      transcripts,
      commits: createCommitSignal(),
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const reader = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
  onFinished(() => {
    reader.destroy();
    server.close();
  });
  reader.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await waitFor(() => (response?.writableLength ?? 0) > 0);
  await sleep(500);
  expect(response?.writableLength).toBeLessThan(256 * 1024);
});
