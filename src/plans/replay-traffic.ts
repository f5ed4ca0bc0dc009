import type { Worker } from "node:worker_threads";
import { TRAFFIC_DAYS } from "../definitions/changes/prune-guard.ts";
import type { Automation, RepositoryReference } from "../definitions/definition.ts";
import { asReadNow, isFormer } from "../definitions/events/compile-event.ts";
import type { NarrowedAutomation } from "../definitions/rules/server-rule.ts";
import { errorMessage } from "../errors/error.ts";
import type { DeliveryStore, StoredBodies } from "../ingress/delivery.ts";
import { asksForLinkedAuthors, nameOf } from "../ingress/linked-authors.ts";
import type { Log } from "../log.ts";
import { startThread as startProgramThread } from "../platform/threads.ts";
import type { ActiveDefinition } from "../reconcile/active-definition.ts";
import { DAY_MS } from "../time/duration.ts";
import type { AutomationTraffic, Traffic } from "./plan-report.ts";
import { type Listeners, listenersOf } from "./replay.ts";
import type { FromReplay, ReplayThreadData, ToReplay } from "./replay-thread.ts";

export interface ReplayDeps {
  deliveries: Pick<DeliveryStore, "listBodies" | "listAuthors">;
  now: () => Date;
}

/** Enough to tell. */
const MAX_DELIVERIES = 100_000;
/** Whoever waits for a plan wants it while they still know what it was about: then no further pages are taken. */
const MAX_MS = 10_000;
/** A filter that takes this long over a page it has, nobody waits for. */
const GIVEN_UP_AFTER_MS = MAX_MS + 5_000;
/** What a thread may hold: one page with what it parses to. */
const MAX_MEMORY_MB = 256;

/**
 * Holds the stored deliveries of the last seven days against two definitions, on a thread of its own.
 * @throws Error when the thread has come to no end, for lack of time or of memory
 */
export async function replayTraffic(
  { factoryUid, ...sides }: Sides,
  { deliveries, now }: ReplayDeps,
): Promise<Traffic> {
  const since = new Date(now().getTime() - TRAFFIC_DAYS * DAY_MS).toISOString();
  const webhooks = new Set([...Object.keys(sides.before), ...Object.keys(sides.after)]);
  const authors = asksForAuthors(sides) ? await deliveries.listAuthors(factoryUid) : [];
  const thread = startThread({
    ...sides,
    authors: new Map(authors.map((each) => [nameOf(each), each.author])),
  });
  const until = performance.now() + MAX_MS;
  let taken = 0;
  let complete = true;
  try {
    for await (const { webhookUid, page } of pagesInTurn(factoryUid, webhooks, since, deliveries)) {
      complete = taken + page.deliveries.length <= MAX_DELIVERIES && performance.now() < until;
      if (!complete) break;
      taken += page.deliveries.length;
      await thread.take(webhookUid, page);
    }
    return { since, deliveries: taken, complete, automations: await thread.end() };
  } finally {
    await thread.stop();
  }
}

/** Two definitions of one factory. */
interface Sides {
  factoryUid: string;
  before: Listeners;
  after: Listeners;
}

function asksForAuthors({ before, after }: Pick<Sides, "before" | "after">): boolean {
  return [...Object.values(before), ...Object.values(after)].some((listeners) =>
    listeners.some(({ triggers }) =>
      triggers.some((trigger) => trigger.provider !== "webhook" && asksForLinkedAuthors(trigger)),
    ),
  );
}

/** A page of each webhook in turn, the newest first: when there are too many, a busy one does not take all the room. */
async function* pagesInTurn(
  factoryUid: string,
  webhooks: Iterable<string>,
  since: string,
  deliveries: ReplayDeps["deliveries"],
): AsyncGenerator<{ webhookUid: string; page: StoredBodies }> {
  const reached = new Map<string, { before?: string }>([...webhooks].map((uid) => [uid, {}]));
  while (reached.size > 0) {
    for (const [webhookUid, from] of [...reached]) {
      const page = await deliveries.listBodies({ factoryUid, uid: webhookUid }, { since, ...from });
      const before = page.deliveries.at(-1)?.id;
      if (before === undefined) {
        reached.delete(webhookUid);
        continue;
      }
      reached.set(webhookUid, { before });
      yield { webhookUid, page };
    }
  }
}

interface ReplayThread {
  /** Resolves when the page before has been worked through: while one is, the next one is read. */
  take(webhookUid: string, page: StoredBodies): Promise<void>;
  end(): Promise<AutomationTraffic[]>;
  stop(): Promise<unknown>;
}

function startThread(sides: ReplayThreadData): ReplayThread {
  const worker = startProgramThread("replay", {
    workerData: sides,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  const answered = answersOf(worker);
  const alarm = setTimeout(() => void worker.terminate(), GIVEN_UP_AFTER_MS);
  let last: Promise<unknown> = Promise.resolve();
  const post = (message: ToReplay, moved: ArrayBuffer[]) => {
    const answer = answered();
    worker.postMessage(message, moved);
    // Somebody asks for it later, or the thread is stopped before.
    answer.catch(() => {});
    return answer;
  };
  return {
    async take(webhookUid, page) {
      const before = last;
      last = post({ webhookUid, page }, [page.bodies.buffer as ArrayBuffer]);
      await before;
    },
    async end() {
      await last;
      const result = await post({ end: true }, []);
      return "automations" in result ? result.automations : [];
    },
    stop() {
      clearTimeout(alarm);
      return worker.terminate();
    },
  };
}

/** The answers of a thread, one for each message in order. @returns what promises the next one */
function answersOf(worker: Worker): () => Promise<FromReplay> {
  const waiting: { resolve(answer: FromReplay): void; reject(error: Error): void }[] = [];
  let ended: Error | undefined;
  const end = (error: Error) => {
    ended ??= error;
    for (const one of waiting.splice(0)) one.reject(ended);
  };
  worker.on("message", (answer: FromReplay) => waiting.shift()?.resolve(answer));
  worker.on("error", end);
  worker.on("exit", () => end(new Error("the thread that replays deliveries exited")));
  return () =>
    new Promise((resolve, reject) => {
      if (ended) reject(ended);
      else waiting.push({ resolve, reject });
    });
}

/**
 * Of the automations that an earlier version has applied, those that count fewer of the last days' deliveries when this
 * version reads their triggers.
 */
export async function findNarrowed(
  factoryUid: string,
  { definition, webhooks }: ActiveDefinition,
  repositories: readonly RepositoryReference[],
  { log, ...deps }: ReplayDeps & { log: Log },
): Promise<NarrowedAutomation[]> {
  const former = definition.automations.filter(hasFormerTrigger);
  if (former.length === 0) return [];
  const now = former.map((automation) => asReadNow(automation, repositories));
  const sides = { factoryUid, before: listenersOf(former, webhooks), after: listenersOf(now, webhooks) };
  try {
    const { automations } = await replayTraffic(sides, deps);
    return automations
      .filter(({ before, after }) => before > after)
      .map(({ name, before, after }) => ({ name, dropped: before - after, started: before }));
  } catch (error) {
    log.warn(
      { error: errorMessage(error) },
      "deliveries could not be replayed to find runs that no longer start after an upgrade",
    );
    return [];
  }
}

function hasFormerTrigger({ enabled, triggers }: Automation): boolean {
  return enabled && triggers.some((trigger) => trigger.provider === "github" && isFormer(trigger));
}
