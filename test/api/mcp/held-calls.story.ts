import { expect, test } from "vitest";
import { liveSession } from "../../given/live-session.ts";
import { waitFor } from "../../given/server.ts";

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
