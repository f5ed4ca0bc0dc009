import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { folderWith, temporaryFolder } from "../given/folder.ts";
import { ADMIN_KEY, type Server, startServer, waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";

/** `npm run prove:crashes` asks for many more. */
const CRASHES = Number(process.env.CRASHES ?? 5);
const TOKEN = "the-token";
const SENDERS = 8;

/** What a sender knows of a delivery: it sends it again and again, under its own id, until it is told 202. */
interface Sent {
  number: number;
  startsRun: boolean;
  deliveryId?: string;
}

function stage() {
  const witness = join(temporaryFolder(), "starts");
  const scripts = folderWith({ "agent.sh": `echo "$MILLRACE_RUN_ID" >> "${witness}"\nsleep 0.02\n` });
  const source = folderWith({
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(["ci"], { start: [true] }),
  });
  const options = {
    sources: [source],
    dataDir: join(temporaryFolder(), "data"),
    env: {
      MILLRACE_AGENT_COMMAND: `sh ${join(scripts, "agent.sh")}`,
      MILLRACE_RUN_CONCURRENCY: "2",
      MILLRACE_DELIVERIES_PER_MINUTE: "1000000",
    },
  };
  const starts = () => (existsSync(witness) ? readFileSync(witness, "utf8").split("\n").filter(Boolean) : []);
  return { options, starts };
}

async function send(url: string, one: Sent): Promise<void> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "x-service-delivery-id": `event-${one.number}` },
    body: JSON.stringify({ number: one.number, start: one.startsRun }),
  });
  if (answer.status !== 202) throw new Error(`answered ${answer.status}`);
  one.deliveryId = ((await answer.json()) as { delivery_id: string }).delivery_id;
}

/** Sends until the server is gone: first what was not answered before the last crash, then something new. */
async function sendUntilGone(url: string, unanswered: Sent[], fresh: () => Sent): Promise<void> {
  await Promise.all(
    Array.from({ length: SENDERS }, async () => {
      for (;;) {
        const one = unanswered.shift() ?? fresh();
        try {
          await send(url, one);
        } catch {
          unanswered.push(one);
          return;
        }
      }
    }),
  );
}

test(`under load and ${CRASHES} crashes, every 202 is in the log once with its run, and no run starts twice`, async () => {
  const { options, starts } = stage();
  const sent: Sent[] = [];
  const unanswered: Sent[] = [];
  const fresh = () => {
    const one: Sent = { number: sent.length, startsRun: sent.length % 10 === 0 };
    sent.push(one);
    return one;
  };

  const first = await startServer(options);
  await storyOf(first).setSecret("CI_SECRET", TOKEN);
  await storyOf(first).sync();
  let server: Server = first;
  for (let crash = 0; crash < CRASHES; crash += 1) {
    const { url } = await waitFor(() =>
      storyOf(server)
        .webhook("ci")
        .catch(() => undefined),
    );
    const sending = sendUntilGone(url, unanswered, fresh);
    await sleep(20 + Math.random() * 400);
    await server.kill();
    await sending;
    server = await startServer(options);
  }
  const story = storyOf(server);
  const { url, uid } = await waitFor(() => story.webhook("ci").catch(() => undefined));
  for (const one of unanswered) await send(url, one);

  const log = await acceptedLog(server, uid);
  const byIdentity = new Map(log.map((delivery) => [delivery.identity?.value, delivery]));
  expect(log).toHaveLength(sent.length);
  expect(byIdentity.size).toBe(sent.length);
  for (const { number, deliveryId, startsRun } of sent) {
    const delivery = byIdentity.get(`event-${number}`);
    expect(delivery?.delivery_id).toBe(deliveryId);
    expect(delivery?.run_ids).toHaveLength(startsRun ? 1 : 0);
  }

  const runIds = log.flatMap(({ run_ids }) => run_ids);
  await waitFor(async () => ((await unfinished(server)) === 0 ? true : undefined), 120);
  const started = starts();
  expect(new Set(started).size).toBe(started.length);
  expect(started.every((id) => runIds.includes(id))).toBe(true);
  for (const { number, deliveryId } of sent.filter(({ startsRun }) => startsRun).slice(-5)) {
    const [run = ""] = byIdentity.get(`event-${number}`)?.run_ids ?? [];
    const payload = await story.attachment(run, "event-payload.json");
    expect([deliveryId, JSON.parse(payload.toString())]).toEqual([deliveryId, { number, start: true }]);
  }
}, 1_200_000);

interface Logged {
  delivery_id: string;
  outcome: string;
  identity: { value: string } | null;
  run_ids: string[];
}

async function acceptedLog(server: Server, uid: string): Promise<Logged[]> {
  const all: Logged[] = [];
  let cursor = "";
  do {
    const page = await server.api<{ deliveries: Logged[]; page_info: { next_cursor?: string } }>(
      "GET",
      `/factories/acme/webhooks/${uid}/deliveries?limit=500${cursor}`,
    );
    all.push(...page.deliveries);
    cursor = page.page_info.next_cursor ? `&cursor=${encodeURIComponent(page.page_info.next_cursor)}` : "";
  } while (cursor);
  return all.filter(({ outcome }) => outcome === "Accepted");
}

async function unfinished(server: Server): Promise<number> {
  const text = await (
    await server.fetch("/metrics", { headers: { authorization: `Bearer ${ADMIN_KEY}` } })
  ).text();
  const counts = [...text.matchAll(/^millrace_runs\{state="(QUEUED|CLAIMED|INPROGRESS)"\} (\d+)$/gm)];
  return counts.reduce((sum, [, , count]) => sum + Number(count), 0);
}
