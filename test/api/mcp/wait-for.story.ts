import { expect, test } from "vitest";
import { liveSession } from "../../given/agent.ts";
import { aTokenFamily } from "../../given/family.ts";
import { waitFor } from "../../given/server.ts";

const AFTER = { first: true };

test("a call ends at its time limit, however often it is held", async () => {
  const { use, child, isAtWork, server, token, parent } = await aTokenFamily(3);
  const [one, two] = [await child("one"), await child("two")];
  await isAtWork(one);
  await isAtWork(two);
  const limited = use("wait_for", { run_ids: [one], timeout_seconds: 6 });
  const later = fetch(`${server.url}/api/v1/agent/runs/${parent}/wait`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ run_ids: [two], timeout_seconds: 10, hold_seconds: 20 }),
  }).then(() => AFTER);
  expect(await Promise.race([limited, later])).toMatchObject({
    text: expect.stringContaining("The time limit was reached"),
  });
  await later;
});

test("a call is not held for a run that waits for other runs", async () => {
  const { use, child, end, isAtWork, story, server } = await aTokenFamily(2);
  const resting = await child("rest");
  await isAtWork(resting);
  // The blocker was created first, so it takes the place that the resting run gives up.
  const blocker = await child("blocker");
  const grandchild = await child("grandchild", resting);
  end("rest");
  await isAtWork(blocker);
  await waitFor(async () => (await story.run(resting)).waiting_for?.includes(grandchild));
  const held = server.api("GET", `/agent/runs/${grandchild}?wait=20s`).then(() => AFTER);
  const called = use("wait_for", { run_ids: [resting] });
  expect(await Promise.race([called, held])).toMatchObject({
    text: expect.stringContaining("The wait was recorded. End your turn now"),
  });
  end("blocker");
  end("grandchild");
});

/** An agent with the SDK's own client, whose limit for a call is shorter than a person's time to answer. */
const ASKS = `
  const { readFileSync } = await import("node:fs");
  const { Client } = await import(${JSON.stringify(import.meta.resolve("@modelcontextprotocol/sdk/client/index.js"))});
  const { StreamableHTTPClientTransport } = await import(${JSON.stringify(import.meta.resolve("@modelcontextprotocol/sdk/client/streamableHttp.js"))});
  const { url, headers } = JSON.parse(readFileSync("mcp.json", "utf8")).mcpServers.millrace;
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const limits = { timeout: 25_000, resetTimeoutOnProgress: true, onprogress: ({ progress }) => console.log("progress " + progress) };
  await read();
  const told = await client.callTool({ name: "ask_person", arguments: { question: "Which color?" } }, undefined, limits);
  console.log("told: " + told.content[0].text);
  process.exit(0);`;

test("a call that is held open outlasts the time limit of a client that waits for progress", async () => {
  const session = await liveSession(ASKS);
  // The second one comes after the client's limit.
  await waitFor(async () => (await session.story.transcript(session.id)).includes("progress 2"), 90);
  await session.say("Blue");
  await session.said("told: The person answered:\n\nBlue");
  expect((await session.story.ended(session.id)).state).toBe("SUCCEEDED");
});
