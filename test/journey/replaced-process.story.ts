import { Agent, request } from "node:http";
import { expect, test } from "vitest";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import { waitFor } from "../given/server.ts";
import { managedService } from "../given/service-manager.ts";
import { storyOf } from "../given/story.ts";

const TOKEN = "the-token";
const SENDERS = 4;
const REPLACEMENTS = 3;
const ANSWERS_BETWEEN = 100;
/** Longer than the last moment takes on any machine. */
const DRAIN_MS = 10_000;

interface Answer {
  /** Or why there was none. */
  status: number | string;
  waitedMs: number;
}

/** Posts once, on a connection of its own, and never again. */
function postOnce(url: string, body: string): Promise<Answer> {
  const begun = performance.now();
  return new Promise((settle) => {
    const resolve = (status: number | string) => settle({ status, waitedMs: performance.now() - begun });
    const sent = request(
      url,
      {
        method: "POST",
        agent: new Agent({ keepAlive: false }),
        headers: { authorization: `Bearer ${TOKEN}` },
      },
      (answer) => {
        answer.resume();
        answer.once("end", () => resolve(answer.statusCode ?? 0));
      },
    );
    sent.once("error", (error) => resolve(error.message));
    sent.end(body);
  });
}

async function served(settings: Record<string, string> = {}) {
  const files = {
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(["ci"], { n: [-1] }),
  };
  const service = await managedService(folderWith(files), settings);
  const story = storyOf(service);
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  const { uid, url } = await story.webhook("ci");
  return { service, story, uid, path: new URL(url).pathname };
}

/** Has senders post one delivery after the other. @returns what they were answered, and what ends them */
function startSending(url: string) {
  const answers: Answer[] = [];
  let isOver = false;
  const sending = Promise.all(
    Array.from({ length: SENDERS }, async (_, sender) => {
      for (let n = 0; !isOver; n += 1) answers.push(await postOnce(url, JSON.stringify({ sender, n })));
    }),
  );
  const stop = async () => {
    isOver = true;
    await sending;
  };
  return { answers, stop };
}

test("while one process takes the place of another on a socket that stays open, no delivery is refused or lost", async () => {
  const { service, story, uid, path } = await served();
  const { answers, stop } = startSending(service.url + path);
  for (let n = 1; n <= REPLACEMENTS; n += 1) {
    await waitFor(() => answers.length >= n * ANSWERS_BETWEEN);
    await service.replace();
  }
  await stop();

  expect(answers.filter(({ status }) => status !== 202)).toEqual([]);
  const deliveries = await story.deliveries(uid);
  expect(deliveries.every(({ outcome }) => outcome === "Accepted")).toBe(true);
  expect(deliveries).toHaveLength(Math.min(500, answers.length));
});

test("deliveries are answered while agents end: only the last moment waits in the socket's queue", async () => {
  // It does not mind being asked to end, so that it takes all the time that it has.
  const { service, story, path } = await served({
    MILLRACE_AGENT_COMMAND: `sh -c 'trap "" TERM; echo at work; while :; do sleep 1; done'`,
    MILLRACE_DRAIN_TIMEOUT: `${DRAIN_MS}ms`,
  });
  await service.api("POST", "/agent/runs", { prompt: "Take your time." });
  await waitFor(async () => (await story.runs())[0]?.state === "INPROGRESS");
  const { answers, stop } = startSending(service.url + path);
  const begun = performance.now();
  await service.replace();
  const tookMs = performance.now() - begun;
  await stop();

  expect(answers.filter(({ status }) => status !== 202)).toEqual([]);
  const longestMs = Math.max(...answers.map(({ waitedMs }) => waitedMs));
  expect(tookMs).toBeGreaterThan(DRAIN_MS);
  expect(longestMs).toBeLessThan(DRAIN_MS);
  expect((await story.runs())[0]?.state).not.toBe("INPROGRESS");
});
