import { setTimeout as sleep } from "node:timers/promises";
import { type CommitSignal, commitRounds, wakeable } from "../concurrency/rounds.ts";
import { errorMessage } from "../errors/error.ts";
import type { Feedback } from "../feedback/feedback.ts";
import { atMostEvery, type Log } from "../log.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { Pauses } from "../runs/pauses.ts";
import type { Queue } from "../runs/queue.ts";
import type { RunStore } from "../runs/run-store.ts";
import type { WorkerTurns } from "../workers/worker-turns.ts";
import type { Workers } from "../workers/workers.ts";
import type { Clocks } from "./start-clocks.ts";
import type { Stops } from "./stops.ts";

export interface FollowOthersDeps extends FollowDefinitionsDeps {
  queue: Pick<Queue, "wake" | "cancel" | "notify" | "executing"> & Pick<WorkerTurns, "lookForNews">;
  store: Pick<RunStore, "listNews" | "listQueuedPlacements">;
  registry: Pick<Workers, "refresh">;
  feedback: Pick<Feedback, "look">;
  pauses: Pick<Pauses, "refresh">;
  /** They wait for times that others may have changed. */
  clocks: Pick<Clocks, "wakeSchedules" | "wakeWaits" | "wakeHolds">;
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
    clocks.wakeHolds();
  });
  return {
    committed(isNews) {
      wakeQueue();
      if (isNews) wakeNews();
    },
  };
}

interface FollowDefinitionsDeps {
  factories: Pick<Factories, "catchUp">;
  commits: Pick<CommitSignal, "next">;
  log: Log;
}

/** Without a word of a commit. What must not be a second late does not wait for it: it is checked when it is recorded. */
const LOOK_EVERY_MS = 1_000;

/** Takes in what other servers change of the definitions, soon after they have. @returns what ends it */
export function followDefinitions({ factories, commits, log }: FollowDefinitionsDeps): () => Promise<void> {
  const failed = atMostEvery(FAILURES_LOGGED_MS, (error: string) =>
    log.warn({ error }, "cannot look for changes that were made through other servers"),
  );
  const rounds = commitRounds({
    async round() {
      await factories.catchUp();
      return "caught up";
    },
    nextCommit: commits.next,
    lookEveryMs: LOOK_EVERY_MS,
    onError: (error) => failed(errorMessage(error)),
  });
  return rounds.stop;
}
