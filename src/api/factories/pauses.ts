import type { Models } from "../../client/typed-paths.ts";
import { MillraceError } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { Pauses } from "../../runs/pauses.ts";
import type { Pause } from "../../runs/rules/pause.ts";
import { reachesFactory } from "../http/authorize.ts";
import type { Cursors } from "../http/cursor.ts";
import { type BodyOf, type Called, type Endpoints, keyOf, unlimitedKeyOf } from "../http/endpoint.ts";
import { pageOf } from "../http/page.ts";
import { creatorInfo } from "../runs/run-item.ts";
import { pausedScope } from "./paused-scope.ts";

export interface PauseDeps {
  pauses: Pauses;
  factories: Factories;
  cursors: Cursors;
  now: () => Date;
}

export function pauseEndpoints({ pauses, factories, cursors, now }: PauseDeps) {
  const view = (pause: Pause) => pauseView(pause, factories);
  return {
    listPauses: {
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
      subject: ({ body }) => subjectOf(body),
      async handle(request) {
        const scope = pausedScope(request.body, reachedFactories(request, factories));
        if (scope.factoryUid === null) unlimitedKeyOf(request);
        const { pause, isNew } = await pauses.create({
          ...scope,
          id: newUuid(),
          reason: request.body.reason ?? null,
          createdBy: keyOf(request).principal,
          createdAt: now().toISOString(),
        });
        return { status: isNew ? 201 : 200, json: view(pause) };
      },
    },
    endPause: {
      async handle(request) {
        const { id } = request.path;
        const pause = pauses.list().find((each) => each.id === id);
        const key = keyOf(request);
        const isVisible = pause && (pause.factoryUid === null || reachesFactory(key, pause.factoryUid));
        if (!isVisible) throw noSuchPause(id);
        if (pause.factoryUid === null) unlimitedKeyOf(request);
        if (!(await pauses.end(id, now().toISOString()))) throw noSuchPause(id);
        return { status: 204 };
      },
    },
  } satisfies Endpoints;
}

function reachedFactories(request: Called, factories: Factories): Factory[] {
  const key = keyOf(request);
  return factories.list().filter(({ record }) => reachesFactory(key, record.uid));
}

function subjectOf({ factory, webhook, automation }: BodyOf<"createPause">): string {
  return [factory, webhook ?? automation].filter((part) => part !== undefined).join("/") || "server";
}

function noSuchPause(id: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no active pause "${id}".`, {
    remedy: "`millrace pauses` lists the active pauses.",
  });
}

function pauseView(pause: Pause, factories: Factories): Models["Pause"] {
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

function scopeOf({ factoryUid, webhookUid, automationUid }: Pause): Models["Pause"]["scope"] {
  if (automationUid !== null) return "automation";
  if (webhookUid !== null) return "webhook";
  return factoryUid === null ? "server" : "factory";
}
