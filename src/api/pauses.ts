import { MillraceError } from "../error.ts";
import { newUuid } from "../id.ts";
import type { Factories, Factory } from "../reconcile/factories.ts";
import type { Pause } from "../runs/pause.ts";
import type { Pauses } from "../runs/pauses.ts";
import { reachesFactory } from "./authorize.ts";
import type { Cursors } from "./cursor.ts";
import { type ApiRequest, type Endpoints, keyOf, unlimitedKeyOf } from "./endpoint.ts";
import { pageOf } from "./page.ts";
import { type PauseRequest, pausedScope } from "./paused-scope.ts";
import { creatorInfo } from "./run-item.ts";

export interface PauseParts {
  pauses: Pauses;
  factories: Factories;
  cursors: Cursors;
  now: () => Date;
}

export function pauseEndpoints({ pauses, factories, cursors, now }: PauseParts): Endpoints {
  const view = (pause: Pause) => pauseView(pause, factories);
  return {
    listPauses: {
      role: "viewer",
      async handle(request) {
        const key = keyOf(request);
        const visible = pauses
          .list()
          .filter(({ factoryUid }) => factoryUid === null || reachesFactory(key, factoryUid));
        const { items, pageInfo } = pageOf(visible, ({ id }) => id, request, cursors);
        return { json: { pauses: items.map(view), page_info: pageInfo } };
      },
    },
    createPause: {
      role: "operator",
      subject: ({ body }) => subjectOf(body),
      async handle(request) {
        const wanted: PauseRequest & { reason?: string } = request.body;
        const scope = pausedScope(wanted, reachedFactories(request, factories));
        if (scope.factoryUid === null) unlimitedKeyOf(request);
        const { pause, isNew } = await pauses.create({
          ...scope,
          id: newUuid(),
          reason: wanted.reason ?? null,
          createdBy: keyOf(request).principal,
          createdAt: now().toISOString(),
        });
        return { status: isNew ? 201 : 200, json: view(pause) };
      },
    },
    endPause: {
      role: "operator",
      async handle(request) {
        const { id = "" } = request.path;
        const pause = pauses.list().find((each) => each.id === id);
        const key = keyOf(request);
        const isVisible = pause && (pause.factoryUid === null || reachesFactory(key, pause.factoryUid));
        if (!isVisible) throw noSuchPause(id);
        if (pause.factoryUid === null) unlimitedKeyOf(request);
        if (!(await pauses.end(id, now().toISOString()))) throw noSuchPause(id);
        return { status: 204 };
      },
    },
  };
}

function reachedFactories(request: ApiRequest, factories: Factories): Factory[] {
  const key = keyOf(request);
  return factories.list().filter(({ record }) => reachesFactory(key, record.uid));
}

function subjectOf({ factory, webhook, automation }: PauseRequest): string {
  return [factory, webhook ?? automation].filter((part) => part !== undefined).join("/") || "server";
}

function noSuchPause(id: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no active pause "${id}".`, {
    remedy: "`millrace pauses` lists the active pauses.",
  });
}

function pauseView(pause: Pause, factories: Factories) {
  const { id, factoryUid, webhookUid, automationUid, name, reason, createdBy, createdAt } = pause;
  return {
    id,
    scope: scopeOf(pause),
    factory: factoryUid === null ? null : (factories.find(factoryUid)?.record.name ?? factoryUid),
    factory_uid: factoryUid,
    webhook: webhookUid === null ? null : name,
    webhook_uid: webhookUid,
    automation: automationUid === null ? null : name,
    automation_id: automationUid,
    reason,
    created_by: creatorInfo(createdBy),
    created_at: createdAt,
  };
}

function scopeOf({ factoryUid, webhookUid, automationUid }: Pause) {
  if (automationUid !== null) return "automation";
  if (webhookUid !== null) return "webhook";
  return factoryUid === null ? "server" : "factory";
}
