// Own file: the program of a thread.
import { parentPort, workerData } from "node:worker_threads";
import { parseJson } from "../edge/read-body.ts";
import type { StoredBodies } from "../ingress/delivery.ts";
import { linkedAuthorsIn } from "../ingress/linked-authors.ts";
import { lowerPriorityOfThread } from "../platform/processes.ts";
import type { AutomationTraffic } from "./plan-report.ts";
import { createReplay, type Listeners, type Replay } from "./replay.ts";

/** The two definitions that a thread compares. */
export interface ReplayThreadData {
  before: Listeners;
  after: Listeners;
  /** Of pull requests by their names, where a trigger asks for them. */
  authors: ReadonlyMap<string, string>;
}

/** Messages to the thread: some deliveries of a webhook, or the wish for the result. */
export type ToReplay = { webhookUid: string; page: StoredBodies } | { end: true };
/** Messages from it: that a page is done, or what has come of all. */
export type FromReplay = { done: true } | { automations: AutomationTraffic[] };

if (parentPort) {
  lowerPriorityOfThread();
  const { before, after, authors } = workerData as ReplayThreadData;
  answer(createReplay(before, after), authors, parentPort);
}

function answer(
  replay: Replay,
  authors: ReplayThreadData["authors"],
  port: NonNullable<typeof parentPort>,
): void {
  port.on("message", (message: ToReplay) => {
    if ("end" in message) {
      port.postMessage({ automations: replay.automations() } satisfies FromReplay);
      port.close();
      return;
    }
    takePage(replay, authors, message.webhookUid, message.page);
    port.postMessage({ done: true } satisfies FromReplay);
  });
}

function takePage(
  replay: Replay,
  authors: ReplayThreadData["authors"],
  webhookUid: string,
  { deliveries, bodies }: StoredBodies,
): void {
  const all = Buffer.from(bodies.buffer, bodies.byteOffset, bodies.byteLength);
  let start = 0;
  for (const { id, event, size } of deliveries) {
    const payload = parseJson(all.subarray(start, start + size))?.value;
    start += size;
    replay.take({ id, webhookUid, event, payload, size, authors: linkedAuthorsIn(payload, authors) });
  }
}
