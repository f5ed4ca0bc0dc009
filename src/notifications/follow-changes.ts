import { type CommitRounds, commitRounds } from "../concurrency/commit-rounds.ts";
import type { Leadership } from "../concurrency/leadership.ts";
import { errorMessage } from "../errors/error.ts";
import { newUuid } from "../id.ts";
import type { Log } from "../log.ts";
import { type DecideDeps, decide, keyOfSeries, type News } from "./decide.ts";
import type { NewNotification, NotificationStore } from "./notification.ts";
import type { Target } from "./target.ts";

export interface FollowDeps extends DecideDeps {
  store: NotificationStore;
  leadership: Leadership;
  targets(): readonly Target[];
  /** Resolves after the next commit, or after so many milliseconds. */
  nextCommit(maxMs: number, signal: AbortSignal): Promise<void>;
  /** Something waits for these targets. */
  onWaiting(targets: readonly string[]): void;
  onDropped(count: number): void;
  log: Log;
}

const PAGE = 2_000;
/** Where nothing is to be told, the progress is written down this seldom: each time costs a sync of the disk. */
const MAX_UNRECORDED = 1_000;
const MAX_OPEN_WEBHOOKS = 500;

/**
 * Reads the log of changes behind the commits, so that the acceptance of a delivery and the moves of a run do no more work
 * than without it. What a change leads to is written together with how far it was read: it is neither lost nor told twice.
 * @returns what ends it
 */
export function followChanges(deps: FollowDeps): CommitRounds {
  const { store, leadership, targets, log, now, nextCommit } = deps;
  /** After which change to go on; nothing while nobody is to be told. */
  let position: { read: number; written: number; open: Set<string> } | undefined;

  async function round(): Promise<"more" | "caught up" | "idle"> {
    if (!leadership.isLeader()) {
      // Another server goes on from where it was written down.
      position = undefined;
      return "caught up";
    }
    if (targets().length === 0) {
      if ((await store.findProgress()).isActive) await store.pass();
      position = undefined;
      return "caught up";
    }
    if (!position) {
      const read = await store.follow();
      const open = new Set((await store.listSeries()).map(keyOfSeries));
      position = { read, written: read, open };
    }
    return (await read(position)) ? "more" : "caught up";
  }

  /** @returns whether there is more */
  async function read(from: NonNullable<typeof position>): Promise<boolean> {
    const webhooks = [...from.open]
      .filter((key) => key.startsWith("webhook:"))
      .slice(0, MAX_OPEN_WEBHOOKS)
      .map((key) => key.slice("webhook:".length));
    const { causes, upTo } = await store.findCauses(from.read, webhooks, PAGE);
    if (upTo === from.read) return false;
    // What could not be written is decided again.
    const open = new Set(from.open);
    const { news, opened, closed } = await decide(causes, open, deps);
    const at = now().toISOString();
    const notifications = news.flatMap((each) => addressed(each, targets(), at));
    if (notifications.length > 0 || opened.length > 0 || closed.length > 0) {
      const dropped = await store.saveFollowed({
        from: from.written,
        upTo,
        opened,
        closed,
        notifications,
        at,
      });
      if (dropped > 0) deps.onDropped(dropped);
      from.written = upTo;
    } else if (upTo - from.written >= MAX_UNRECORDED) {
      await store.saveProgress(upTo);
      from.written = upTo;
    }
    const isFullPage = upTo - from.read >= PAGE;
    from.read = upTo;
    from.open = open;
    deps.onWaiting([...new Set(notifications.map(({ target }) => target))]);
    return isFullPage;
  }

  const rounds = commitRounds({
    round,
    nextCommit,
    onError(error) {
      log.warn({ error: errorMessage(error) }, "notifications could not be decided on; retrying");
      position = undefined;
    },
  });
  leadership.onLeading(rounds.wake);
  return rounds;
}

/** One notification for each target that takes it. */
function addressed(
  { cause, factory, factoryUid, runId, content }: News,
  targets: readonly Target[],
  at: string,
): NewNotification[] {
  const { event } = content;
  const of = factory && { ...factory.record, sourceName: factory.sourceName };
  return targets
    .filter((target) => event !== "test" && target.events.includes(event) && target.takes(of ?? null))
    .map((target) => ({
      id: newUuid(),
      cause,
      target: target.id,
      fingerprint: target.fingerprint,
      ownerUid: target.owner?.uid ?? null,
      factoryUid,
      runId,
      event,
      content,
      at,
    }));
}
