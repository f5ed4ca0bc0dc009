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

/** Posts once, on a connection of its own, and never again. @returns the status, or why there was none */
function postOnce(url: string, body: string): Promise<number | string> {
  return new Promise((resolve) => {
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

test("while one process takes the place of another on a socket that stays open, no delivery is refused or lost", async () => {
  const files = {
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(["ci"], { n: [-1] }),
  };
  const service = await managedService(folderWith(files));
  const story = storyOf(service);
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  const { uid, url } = await story.webhook("ci");
  const path = new URL(url).pathname;

  const answers: (number | string)[] = [];
  let isOver = false;
  const sending = Promise.all(
    Array.from({ length: SENDERS }, async (_, sender) => {
      for (let n = 0; !isOver; n += 1)
        answers.push(await postOnce(service.url + path, JSON.stringify({ sender, n })));
    }),
  );
  for (let n = 1; n <= REPLACEMENTS; n += 1) {
    await waitFor(() => answers.length >= n * ANSWERS_BETWEEN);
    await service.replace();
  }
  isOver = true;
  await sending;

  expect(answers.filter((answer) => answer !== 202)).toEqual([]);
  const deliveries = await story.deliveries(uid);
  expect(deliveries.every(({ outcome }) => outcome === "Accepted")).toBe(true);
  expect(deliveries).toHaveLength(Math.min(500, answers.length));
}, 60_000);
