import { setTimeout as sleep } from "node:timers/promises";
import type { Webhook } from "../../src/definitions/definition.ts";
import { newUuid } from "../../src/id.ts";
import { signDelivery } from "../../src/ingress/test-delivery.ts";
import { githubExample } from "../../test/given/github.ts";
import { SIGNING_SECRET } from "../../test/given/sender.ts";
import type { Chance } from "../given/chance.ts";
import type { WindowsStage } from "./windows-stage.ts";

/** Something that was sent until the server took it. */
export interface SentWork {
  way: "github" | "alerts" | "slack";
  /** What it is about: those of one round with the same one belong together. */
  about: string;
  round: number;
  body: string;
  deliveryId: string;
  requests: number;
}

const WEBHOOKS: Record<SentWork["way"], Pick<Webhook, "name" | "authMode" | "signatureScheme">> = {
  github: { name: "github", authMode: "signature", signatureScheme: "github" },
  alerts: { name: "alerts", authMode: "token" } as Webhook,
  slack: { name: "slack", authMode: "signature", signatureScheme: "slack" },
};
const MAX_PAUSE_MS = 120;
const RETRY_MS = 50;

/** A push to a pull request, as GitHub sends it. */
function push(number: number, n: number): string {
  const changes = {
    pull_request: { number, title: `Change ${n}` },
    repository: { full_name: "acme/shop" },
    number,
  };
  return JSON.stringify(githubExample("pull_request", "synchronize", changes).payload);
}

/** An alert, as Alertmanager groups it. */
function alert(group: string, n: number): string {
  return JSON.stringify({
    version: "4",
    groupKey: group,
    status: "firing",
    alerts: [{ labels: { n: String(n) } }],
  });
}

/** A message in a thread of Slack. */
function message(thread: string, n: number): string {
  const event = {
    type: "message",
    channel: "C1",
    thread_ts: thread,
    ts: `${thread}${n}`,
    text: `Message ${n}`,
  };
  return JSON.stringify({ type: "event_callback", event_id: newUuid(), event });
}

/** Sends what a round has: pushes, alerts, and a message in each thread. @returns what was taken */
export async function sendRound(
  stage: WindowsStage,
  { round, threads, chance }: { round: number; threads: readonly string[]; chance: Chance },
): Promise<SentWork[]> {
  const works: Omit<SentWork, "deliveryId" | "requests">[] = [];
  for (let pull = 1; pull <= 3; pull += 1)
    for (let n = 0; n < 4; n += 1)
      works.push({ way: "github", about: `acme/shop#${pull}`, round, body: push(pull, round * 10 + n) });
  for (let n = 0; n < 6; n += 1)
    works.push({ way: "alerts", about: "outage", round, body: alert("outage", round * 10 + n) });
  for (const thread of threads)
    works.push({ way: "slack", about: `C1/${thread}`, round, body: message(thread, round) });
  const order = works
    .map((work) => ({ work, at: chance.next() * MAX_PAUSE_MS * 8 }))
    .sort((a, b) => a.at - b.at);
  let last = 0;
  const sent: Promise<SentWork>[] = [];
  for (const { work, at } of order) {
    await sleep(at - last);
    last = at;
    sent.push(sendUntilTaken(stage, work));
  }
  return Promise.all(sent);
}

/** As a sender does that gets no answer: the same delivery again. */
async function sendUntilTaken(
  stage: WindowsStage,
  work: Omit<SentWork, "deliveryId" | "requests">,
): Promise<SentWork> {
  const id = newUuid();
  for (let requests = 1; ; requests += 1) {
    const now = new Date(Date.now() + stage.clock.shift);
    const body = Buffer.from(work.body);
    const webhook = WEBHOOKS[work.way] as Webhook;
    const { headers } = signDelivery({ webhook, secret: SIGNING_SECRET, body, id, now });
    const answer = await fetch(`${stage.server.url}${stage.paths[work.way]}`, {
      ...{ method: "POST", body: work.body, headers },
      signal: AbortSignal.timeout(20_000),
    }).catch(() => undefined);
    const text = await answer?.text().catch(() => undefined);
    if (answer?.status === 202 && text)
      return { ...work, deliveryId: JSON.parse(text).delivery_id, requests };
    if (answer && answer.status !== 503) throw new Error(`a delivery was answered ${answer.status}: ${text}`);
    await sleep(RETRY_MS);
  }
}
