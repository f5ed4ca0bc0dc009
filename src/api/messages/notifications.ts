import type { Models } from "../../client/typed-paths.ts";
import { MillraceError } from "../../errors/error.ts";
import type { NotificationStore, NotificationTarget, Notifier } from "../../messages/notifications.ts";
import type { Notification, TargetStanding } from "../../messages/outbox.ts";
import { addressOf } from "../../messages/target.ts";
import { type ApiKey, reachesFactory } from "../../principals/principal.ts";
import { type Endpoints, keyOf } from "../http/endpoint.ts";
import { type Cursors, cutPage, pageOf } from "../http/page.ts";

export interface NotificationDeps {
  notifications: Pick<NotificationStore, "list" | "find" | "listStandings">;
  notifier: Pick<Notifier, "targets" | "test">;
  cursors: Cursors;
}

/**
 * What was sent to whom. A key that is limited to factories sees what goes to the targets of their definitions: those of the
 * settings are the operator's, also where they are told of its factories.
 */
export function notificationEndpoints({ notifications, notifier, cursors }: NotificationDeps) {
  const view = (notification: Notification) => notificationView(notification, notifier.targets());
  return {
    listNotifications: {
      async handle(request) {
        const { limit, cursor, target, state, event } = request.query;
        const { factories } = keyOf(request);
        const scope = { list: "notifications", target, state: state?.join(), event: event?.join() };
        const [before] = cursor ? cursors.decode(scope, cursor, 1) : [];
        const found = await notifications.list({
          limit: limit + 1,
          ...(before === undefined ? {} : { before }),
          ...(target === undefined ? {} : { target }),
          ...(state === undefined ? {} : { states: state }),
          ...(event === undefined ? {} : { events: event }),
          ...(factories === null ? {} : { ownedBy: factories }),
        });
        const { items, pageInfo } = cutPage(found, limit, (last) => cursors.encode(scope, [last.id]));
        return { json: { notifications: items.map(view), page_info: pageInfo } };
      },
    },
    getNotification: {
      async handle(request) {
        const { id } = request.path;
        const found = await notifications.find(id);
        if (!found || !reachesFactory(keyOf(request), found.ownerUid)) throw noSuchNotification(id);
        return { json: view(found) };
      },
    },
    listNotificationTargets: {
      async handle(request) {
        const visible = visibleTargets(notifier.targets(), keyOf(request));
        const { items, pageInfo } = pageOf(visible, ({ id }) => id, request, cursors);
        const standings = await notifications.listStandings(items.map(({ id }) => id));
        const views = items.map((target, index) => targetView(target, standings[index]));
        return { json: { notification_targets: views, page_info: pageInfo } };
      },
    },
    testNotificationTarget: {
      subject: ({ path }) => path.id,
      async handle(request) {
        const { id } = request.path;
        const target = visibleTargets(notifier.targets(), keyOf(request)).find((each) => each.id === id);
        if (!target) throw noSuchTarget(id);
        return { json: view(await notifier.test(target)) };
      },
    },
  } satisfies Endpoints;
}

function visibleTargets(targets: readonly NotificationTarget[], key: ApiKey): NotificationTarget[] {
  return targets.filter(({ owner }) => reachesFactory(key, owner?.uid ?? null));
}

function noSuchNotification(id: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no notification "${id}".`, {
    remedy: "`millrace notifications list` shows the notifications that the key can access.",
  });
}

function noSuchTarget(id: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no notification target "${id}".`, {
    remedy: "`millrace notifications targets` shows the targets that the key can access.",
  });
}

function notificationView(
  { id, event, target, state, content, factoryUid, runId, attempts, lastError, ...times }: Notification,
  targets: readonly NotificationTarget[],
): Models["Notification"] {
  return {
    id,
    event,
    target,
    target_name: targets.find((each) => each.id === target)?.name ?? null,
    state,
    summary: content.summary,
    url: content.url,
    factory: content.factory?.name ?? null,
    factory_uid: factoryUid,
    run_id: runId,
    attempts,
    last_error: lastError,
    created_at: times.createdAt,
    next_attempt_at: times.nextAttemptAt,
    ended_at: times.endedAt,
  };
}

function targetView(
  target: NotificationTarget,
  standing: TargetStanding | undefined,
): Models["NotificationTarget"] {
  const isStopped = standing?.gone === target.fingerprint;
  const isFailing = (standing?.failures ?? 0) > 0;
  return {
    id: target.id,
    name: target.name,
    kind: target.kind,
    address: addressOf(target),
    factory: target.owner?.name ?? null,
    factory_uid: target.owner?.uid ?? null,
    events: [...target.events],
    state: isStopped ? "stopped" : isFailing ? "failing" : "ready",
    waiting: standing?.waiting ?? 0,
    next_attempt_at: standing?.restsUntil ?? null,
    last_state: standing?.last?.state ?? null,
    last_at: standing?.last ? (standing.last.endedAt ?? standing.last.createdAt) : null,
    last_error: standing?.failedBy ?? standing?.last?.lastError ?? null,
  };
}
