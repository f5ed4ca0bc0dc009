import { leaderRounds } from "../concurrency/leader-rounds.ts";
import type { Leadership } from "../concurrency/leadership.ts";
import type { Wakeable } from "../concurrency/wakeable.ts";
import { errorMessage } from "../errors/error.ts";
import type { Log } from "../log.ts";
import type { AttemptOutcome, Notification, NotificationStore } from "./notification.ts";
import type { Target } from "./target.ts";

export interface SenderDeps {
  store: NotificationStore;
  leadership: Leadership;
  find(target: string): Target | undefined;
  /** One attempt, in its turn among those of all targets. */
  attempt(target: Target, notification: Notification): Promise<AttemptOutcome>;
  /** Hears of attempts, and of notifications that are dropped because their target is gone. */
  onEnded(outcome: AttemptOutcome["state"] | "dropped", count?: number): void;
  /** Nothing waits for a target that is gone, so it needs no sender. */
  onGone(): void;
  isStopping(): boolean;
  log: Log;
  now(): Date;
}

const AFTER_FAILURE_MS = 5_000;
const DROPPED_AT_A_TIME = 100;

/** Sends what waits for one target, one after the other; what waits for others neither waits for it nor passes it. */
export function createTargetSender(
  id: string,
  { store, leadership, find, attempt, onEnded, onGone, isStopping, log, now }: SenderDeps,
): Wakeable {
  return leaderRounds(leadership, {
    async round() {
      const target = find(id);
      if (!target) {
        const dropped = await store.drop(id, now().toISOString(), DROPPED_AT_A_TIME);
        if (dropped > 0) onEnded("dropped", dropped);
        if (dropped === DROPPED_AT_A_TIME) return 0;
        onGone();
        return undefined;
      }
      const next = await store.findNext(id);
      if (!next) return undefined;
      const wait = Date.parse(next.nextAttemptAt ?? "") - now().getTime();
      if (wait > 0) return wait;
      const outcome = await attempt(target, next);
      // It counts as not tried: a receiver that has got it knows its id.
      if (isStopping() && outcome.state !== "sent") return undefined;
      await store.saveAttempt(next.id, outcome, now().toISOString());
      onEnded(outcome.state);
      const about = { notification: next.id, target: target.name, event: next.event };
      if (outcome.state === "sent") log.debug(about, "notification sent");
      else log.warn({ ...about, error: outcome.error }, "notification not sent");
      return 0;
    },
    onError(error) {
      log.warn({ target: id, error: errorMessage(error) }, "notifications could not be sent; retrying");
      return AFTER_FAILURE_MS;
    },
  });
}
