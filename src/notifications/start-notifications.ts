import { inBatches } from "../concurrency/periodic-jobs.ts";
import type { Wakeable } from "../concurrency/wakeable.ts";
import type { NotificationSetting } from "../config/notification-settings.ts";
import { MillraceError } from "../errors/error.ts";
import { newUuid } from "../id.ts";
import type { Log } from "../log.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { DAY_MS } from "../time/duration.ts";
import { type AttemptDeps, attempt } from "./attempt.ts";
import { type FollowDeps, followChanges } from "./follow-changes.ts";
import type { AttemptOutcome, Notification, NotificationStore } from "./notification.ts";
import { listTargets, type Target } from "./target.ts";
import { createTargetSender, type SenderDeps } from "./target-sender.ts";
import { createTurns } from "./turns.ts";

export interface NotifierDeps
  extends AttemptDeps,
    Pick<FollowDeps, "deliveries" | "leadership" | "publicUrl" | "nextCommit"> {
  factories: Pick<Factories, "find" | "list">;
  settings: readonly NotificationSetting[];
  store: NotificationStore;
  onEnded(outcome: NotifiedOutcome, count?: number): void;
  log: Log;
}

/** How an attempt ended; or that there was no room for some. */
export type NotifiedOutcome = AttemptOutcome["state"] | "dropped";

/** Tells those whom settings and definitions name that something needs a person. */
export interface Notifier {
  targets(): readonly Target[];
  /** The definitions in force have changed. */
  activated(factories: readonly Factory[]): void;
  /** Sends a test to a target at once. @returns how it ended, as the outbox shows it */
  test(target: Target): Promise<Notification>;
  /** How many wait to be sent. */
  waiting(): Promise<number>;
  stop(): Promise<void>;
}

/** So many requests at a time: some receivers that do not answer keep no other from its turn. */
const MAX_AT_A_TIME = 64;
const KEPT_MS = 30 * DAY_MS;
const NEWEST_KEPT = 10_000;

/** Begins to follow the changes, and to send what waits from before the start. */
export function startNotifications(deps: NotifierDeps): Notifier {
  const { settings, store, leadership, log, now } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const turns = createTurns(MAX_AT_A_TIME);
  const senders = new Map<string, Wakeable>();
  // Those of definitions too: while nobody is to be told, the follower lets changes pass by.
  let targets = targetsOf(deps.factories.list());

  function targetsOf(factories: readonly Factory[]): Map<string, Target> {
    return new Map(listTargets(settings, factories).map((target) => [target.id, target]));
  }

  const tryOnce = (target: Target, notification: Notification) =>
    turns.take(() => attempt(target, notification, deps, signal));
  const senderDeps: Omit<SenderDeps, "onGone"> = {
    store,
    leadership,
    find: (id) => targets.get(id),
    attempt: tryOnce,
    onEnded: deps.onEnded,
    isStopping: () => signal.aborted,
    log,
    now,
  };

  function wakeSender(id: string): void {
    if (signal.aborted) return;
    const sender =
      senders.get(id) ?? createTargetSender(id, { ...senderDeps, onGone: () => senders.delete(id) });
    senders.set(id, sender);
    sender.wake();
  }

  const follower = followChanges({
    ...deps,
    targets: () => [...targets.values()],
    onWaiting: (ids) => ids.forEach(wakeSender),
    onDropped(count) {
      deps.onEnded("dropped", count);
      log.warn({ count }, "notifications were dropped: too many are waiting for their target");
    },
  });
  let resumed = resume();
  leadership.onLeading(() => {
    resumed = resume();
  });

  /** Goes on with what waits from before this server led. */
  async function resume(): Promise<void> {
    if (!leadership.isLeader()) return;
    const ids = await store.listWaitingTargets().catch(() => []);
    ids.forEach(wakeSender);
  }

  return {
    targets: () => [...targets.values()],
    activated(factories) {
      const before = targets;
      targets = targetsOf(factories);
      follower.wake();
      // What waits for one that is no more is dropped; what waited for one that has changed may be sent now.
      for (const [id, { fingerprint }] of before)
        if (targets.get(id)?.fingerprint !== fingerprint) wakeSender(id);
    },
    async test(target) {
      const at = now().toISOString();
      const id = newUuid();
      const notification = {
        id,
        cause: `test:${id}`,
        target: target.id,
        fingerprint: target.fingerprint,
        ownerUid: target.owner?.uid ?? null,
        factoryUid: target.owner?.uid ?? null,
        runId: null,
        event: "test" as const,
        content: {
          event: "test" as const,
          at,
          summary: `Test of the notification target ${target.name}`,
          url: `${deps.publicUrl()}/notifications`,
          factory: target.owner,
        },
        at,
      };
      const outcome = await tryOnce(target, { ...notification, ...UNTRIED, createdAt: at });
      await store.record(notification, outcome);
      deps.onEnded(outcome.state === "sent" ? "sent" : "failed");
      if (outcome.state === "sent") wakeSender(target.id);
      const stored = await store.find(id);
      if (!stored) throw new MillraceError("service_unavailable", "The test was not recorded.");
      return stored;
    },
    waiting: store.findWaiting,
    async stop() {
      stopping.abort();
      await resumed;
      await Promise.all([follower.stop(), ...[...senders.values()].map((sender) => sender.stop())]);
    },
  };
}

const UNTRIED = {
  state: "waiting",
  attempts: 0,
  lastError: null,
  nextAttemptAt: null,
  endedAt: null,
} as const;

/** Keeps the outbox from growing for ever. */
export function pruneNotifications(
  { store, now }: { store: Pick<NotificationStore, "prune">; now: () => Date },
  signal?: AbortSignal,
): Promise<void> {
  const before = new Date(now().getTime() - KEPT_MS).toISOString();
  return inBatches((limit) => store.prune(before, NEWEST_KEPT, limit), signal);
}
