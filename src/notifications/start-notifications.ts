import type { NotificationSetting } from "../config/notification-settings.ts";
import type { Log } from "../log.ts";
import type { FollowDeps } from "../outbox/follow-changes.ts";
import { type MessageOutcome, type RunningOutbox, startOutbox } from "../outbox/start-outbox.ts";
import type { Factories } from "../reconcile/factories.ts";
import { type AttemptDeps, attempt } from "./attempt.ts";
import type { NotificationContent } from "./content.ts";
import { type DecideDeps, readChanges } from "./decide.ts";
import type { FollowedChanges, Notification, NotificationStore, SentEvent } from "./notification.ts";
import { listTargets, type Target } from "./target.ts";

export interface NotifierDeps
  extends AttemptDeps,
    Pick<DecideDeps, "deliveries" | "publicUrl">,
    Pick<FollowDeps<FollowedChanges>, "leadership" | "catchUp" | "nextCommit"> {
  factories: Pick<Factories, "find" | "list">;
  settings: readonly NotificationSetting[];
  store: NotificationStore;
  onEnded(outcome: MessageOutcome, count?: number): void;
  log: Log;
}

/** Tells those whom settings and definitions name that something needs a person. */
export interface Notifier
  extends Omit<RunningOutbox<Target, SentEvent, NotificationContent>, "sendTest" | "wake"> {
  /** Sends a test to a target at once. @returns how it ended, as the outbox shows it */
  test(target: Target): Promise<Notification>;
}

const PAGE = 2_000;

/** Begins to follow the changes, and to send what waits from before the start. */
export function startNotifications(deps: NotifierDeps): Notifier {
  const { settings, store, factories, publicUrl } = deps;
  const {
    sendTest,
    wake: _,
    ...running
  } = startOutbox({
    ...deps,
    outbox: store,
    factories: factories.list(),
    targetsOf: (served) => listTargets(settings, served),
    page: PAGE,
    noun: "notification",
    startReading: (targets) => readChanges({ ...deps, targets }),
    attempt: (target: Target, notification: Notification, failures, signal) =>
      attempt(target, notification, failures, deps, signal),
  });
  return {
    ...running,
    test: (target) =>
      sendTest(target, (at) => ({
        event: "test",
        at,
        summary: `Test of the notification target ${target.name}`,
        url: `${publicUrl()}/notifications`,
        factory: target.owner,
      })),
  };
}
