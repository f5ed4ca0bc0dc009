import { connect, type Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { automationOn, FACTORY, signatureWebhook, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, writeFiles } from "../given/folder.ts";
import { rawPost, sendRaw } from "../given/raw-http.ts";
import { hmacOf, SIGNING_SECRET } from "../given/sender.ts";
import { type Server, startServer } from "../given/server.ts";
import { serving } from "../given/serving.ts";
import { storyOf } from "../given/story.ts";

const TOKEN = "the-token";
const ROUNDS = 200;

const files = {
  ...FACTORY,
  "webhooks/ci.yaml": TOKEN_WEBHOOK,
  "automations/a.md": automationOn(["ci"], { start: [true] }),
};

const start = (sources: string[], dataDir?: string) =>
  startServer({
    sources,
    ...(dataDir ? { dataDir } : {}),
    sharesProcess: false,
    env: { MILLRACE_DELIVERIES_PER_MINUTE: "1000000" },
  });

/** A connection that is ready, and the answer that it will get. */
async function openSender(server: Server): Promise<{ socket: Socket; answer: Promise<string> }> {
  const { hostname, port } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve) => socket.once("connect", resolve));
  const answer = new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (chunk) => {
      text += chunk;
      const body = /\r\n\r\n(\{.*\})$/s.exec(text)?.[1];
      if (body) resolve(body);
    });
  });
  return { socket, answer };
}

/** Sends one delivery over two connections at the same instant. @returns the id that both were told */
async function sendTwice(server: Server, url: string, body: string): Promise<string> {
  const request = rawPost(
    url,
    { authorization: `Bearer ${TOKEN}`, "content-length": String(body.length) },
    body,
  );
  const senders = [await openSender(server), await openSender(server)];
  // All but the last byte is there already: the last ones are written in one turn of the event loop.
  for (const { socket } of senders) socket.write(request.slice(0, -1));
  for (const { socket } of senders) socket.write(request.slice(-1));
  const told = await Promise.all(senders.map(({ answer }) => answer));
  for (const { socket } of senders) socket.destroy();
  const ids = told.map((text) => JSON.parse(text).delivery_id as string);
  expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(ids[1]).toBe(ids[0]);
  return ids[0] ?? "";
}

test("the same delivery over two connections at the same time is accepted once, 200 times in a row and after a restart", async () => {
  const sources = [folderWith(files)];
  let server = await start(sources);
  let story = storyOf(server);
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  const { uid, url } = await story.webhook("ci");
  const bodyOf = (round: number) => JSON.stringify({ round, start: round % 20 === 0 });

  const ids: string[] = [];
  for (let round = 0; round < ROUNDS; round += 1) ids.push(await sendTwice(server, url, bodyOf(round)));
  expect(new Set(ids).size).toBe(ROUNDS);
  await server.kill();

  server = await start(sources, server.dataDir);
  story = storyOf(server);
  const urlNow = (await story.webhook("ci")).url;
  for (let round = 0; round < ROUNDS; round += 1) {
    expect(await sendTwice(server, urlNow, bodyOf(round))).toBe(ids[round]);
  }
  const outcomes = await everyOutcome(server, uid);
  expect(outcomes.filter((outcome) => outcome === "Accepted")).toHaveLength(ROUNDS);
  expect(outcomes.filter((outcome) => outcome === "Duplicate")).toHaveLength(3 * ROUNDS);
  expect(await story.runs()).toHaveLength(ROUNDS / 20);
}, 120_000);

async function everyOutcome(server: Server, uid: string): Promise<string[]> {
  const outcomes: string[] = [];
  let cursor: string | undefined;
  do {
    const rest = cursor ? `&cursor=${encodeURIComponent(cursor)}` : "";
    const page = await server.api<{
      deliveries: { outcome: string }[];
      page_info: { next_cursor?: string };
    }>("GET", `/factories/acme/webhooks/${uid}/deliveries?limit=500${rest}`);
    outcomes.push(...page.deliveries.map(({ outcome }) => outcome));
    cursor = page.page_info.next_cursor;
  } while (cursor);
  return outcomes;
}

describe("a definition that becomes active while a body is on its way", () => {
  test("decides about that delivery: it is refused after a rotation of the secret or when the webhook is disabled", async () => {
    const webhook = signatureWebhook("github", "HOOK_SECRET");
    const { source, story } = await serving(
      { ...FACTORY, "webhooks/github.yaml": webhook },
      { HOOK_SECRET: SIGNING_SECRET },
    );
    const { url } = await story.webhook("github");
    const head = (body: string, key: string) =>
      rawPost(url, {
        "x-hub-signature-256": `sha256=${hmacOf(body, key)}`,
        "content-length": String(body.length),
        connection: "close",
      });
    const slow = (body: string, key: string) =>
      sendRaw(url, [head(body, key) + body.slice(0, 3), 1_500, body.slice(3)], { waitMs: 3_000 });

    const rotated = slow('{"n":1}', SIGNING_SECRET);
    await story.setSecret("HOOK_SECRET", "another");
    await story.sync();
    expect((await rotated).statuses).toEqual([401]);

    const disabled = slow('{"n":2}', "another");
    writeFiles(source, { "webhooks/github.yaml": `${webhook}enabled: false\n` });
    await story.sync();
    expect((await disabled).statuses).toEqual([404]);
  });
});
