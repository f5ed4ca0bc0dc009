import { setTimeout as sleep } from "node:timers/promises";
import { wakeable } from "../concurrency/wakeable.ts";
import { errorMessage } from "../errors/error.ts";
import type { Feedback } from "../feedback/feedback.ts";
import { atMostEvery } from "../log.ts";
import type { Pauses } from "../runs/pauses.ts";
import type { Queue } from "../runs/queue.ts";
import type { RunStore } from "../runs/run.ts";
import type { WorkerTurns } from "../workers/worker-turns.ts";
import type { Workers } from "../workers/workers.ts";
import { type FollowDefinitionsDeps, followDefinitions } from "./follow-definitions.ts";
import type { Clocks } from "./start-clocks.ts";
import type { Stops } from "./stops.ts";

export interface FollowOthersDeps extends FollowDefinitionsDeps {
  queue: Pick<Queue, "wake" | "cancel" | "notify" | "executing"> & Pick<WorkerTurns, "lookForNews">;
  store: Pick<RunStore, "listNews" | "listQueuedPlacements">;
  registry: Pick<Workers, "refresh">;
  feedback: Pick<Feedback, "look">;
  pauses: Pick<Pauses, "refresh">;
  /** They wait for times that others may have changed. */
  clocks: Pick<Clocks, "wakeSchedules" | "wakeWaits">;
}

/** What other servers of the store have done, for the parts of this one that would hear of it if it were alone. */
export interface OthersFollower {
  /** Another server has committed something. @param isNews whether runs may be concerned that execute here */
  committed(isNews: boolean): void;
}

/** What is told of is looked for at most so often. */
const REST_MS = 100;
/** In case that nothing was told. */
const NEWS_EVERY_MS = 2_000;
const QUEUE_EVERY_MS = 1_000;
const OTHERS_EVERY_MS = 2_000;
const FAILURES_LOGGED_MS = 60_000;

/** Begins to follow what other servers do. */
export function followOthers(deps: FollowOthersDeps, stops: Stops): OthersFollower {
  const { queue, store, registry, feedback, pauses, clocks, log } = deps;
  stops.push(followDefinitions(deps));
  const failed = atMostEvery(FAILURES_LOGGED_MS, (error: string) =>
    log.warn({ error }, "cannot look for what was done through other servers"),
  );
  const lastMessages = new Map<string, string>();

  /** Messages to runs that execute here, and cancellations of them. */
  async function findNews(): Promise<void> {
    queue.lookForNews();
    const executing = queue.executing().map(({ id }) => id);
    const news = await store.listNews(executing);
    for (const { id, isCancelled, lastMessage } of news) {
      if (isCancelled) queue.cancel(id);
      if (lastMessage !== (lastMessages.get(id) ?? "")) queue.notify(id);
    }
    lastMessages.clear();
    for (const { id, lastMessage } of news) lastMessages.set(id, lastMessage);
  }

  /** To claim takes the writer's turn from everybody else: only where something waits. */
  async function findQueued(): Promise<void> {
    if ((await store.listQueuedPlacements()).length > 0) queue.wake();
  }

  const paced = (everyMs: number, work: () => Promise<void>) => {
    const rounds = wakeable({
      async round() {
        await work();
        await sleep(REST_MS);
        return everyMs;
      },
      onError(error) {
        failed(errorMessage(error));
        return everyMs;
      },
    });
    rounds.wake();
    stops.push(rounds.stop);
    return rounds.wake;
  };
  const wakeNews = paced(NEWS_EVERY_MS, async () => {
    await Promise.all([findNews(), pauses.refresh()]);
  });
  const wakeQueue = paced(QUEUE_EVERY_MS, findQueued);
  paced(OTHERS_EVERY_MS, async () => {
    await registry.refresh();
    feedback.look();
    clocks.wakeSchedules();
    clocks.wakeWaits();
  });
  return {
    committed(isNews) {
      wakeQueue();
      if (isNews) wakeNews();
    },
  };
}
