import type { Models } from "../../client/typed-paths.ts";
import type { StoredResource } from "../../definitions/changes/plan.ts";
import { MillraceError } from "../../errors/error.ts";
import { newUuid } from "../../id.ts";
import { reachesFactory } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { Pauses } from "../../runs/pauses.ts";
import type { Pause } from "../../runs/rules/pause.ts";
import type { HoldStore, ProviderHold } from "../../runs/rules/provider-limit.ts";
import { type BodyOf, type Called, type Endpoints, keyOf, unlimitedKeyOf } from "../http/endpoint.ts";
import { type Cursors, pageOf } from "../http/page.ts";
import { creatorInfo } from "../runs/run-item.ts";

export interface PauseDeps {
  pauses: Pauses;
  holds: HoldStore;
  /** Says that runs may start that have waited. */
  onScheduleChange(): void;
  factories: Factories;
  cursors: Cursors;
  now: () => Date;
}

export function pauseEndpoints({ pauses, holds, onScheduleChange, factories, cursors, now }: PauseDeps) {
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
    listHolds: {
      async handle(request) {
        const key = keyOf(request);
        const visible = (await holds.list()).filter(({ factoryUid }) => reachesFactory(key, factoryUid));
        return { json: { holds: visible.map((hold) => holdView(hold, factories)) } };
      },
    },
    endHold: {
      async handle(request) {
        const { id } = request.path;
        const key = keyOf(request);
        const hold = (await holds.list()).find((each) => each.id === id);
        if (!hold || !reachesFactory(key, hold.factoryUid) || !(await holds.end(id, now().toISOString())))
          throw noSuchHold(id);
        onScheduleChange();
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

function noSuchHold(id: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no hold "${id}" of a provider.`, {
    remedy: "`millrace holds` lists all holds.",
  });
}

function holdView(hold: ProviderHold, factories: Factories): Models["Hold"] {
  const { id, credential, model, until, reason, kind, factoryUid, isShared, since } = hold;
  return {
    ...{ id, credential, model, until, reason, kind, since },
    factory: factoryUid === null ? null : (factories.find(factoryUid)?.record.name ?? factoryUid),
    factory_uid: factoryUid,
    is_shared: isShared,
  };
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

type Scope = Pick<Pause, "factoryUid" | "webhookUid" | "automationUid" | "name">;
type Kind = "webhook" | "automation";

/**
 * Finds what a request wants to pause among the factories that its key reaches; nothing of it means the server.
 * @throws MillraceError `invalid_request` for two things at once, or a name that several factories have;
 *   `resource_not_found`
 */
function pausedScope(request: BodyOf<"createPause">, reached: readonly Factory[]): Scope {
  const { factory: named, webhook, automation } = request;
  const candidates = named === undefined ? reached : [findFactory(named, reached)];
  if (webhook !== undefined && automation !== undefined) {
    throw new MillraceError("invalid_request", "A pause applies to a webhook or an automation, not both.", {
      remedy: "Create a separate pause for each.",
      extra: { field: "automation" },
    });
  }
  if (webhook !== undefined) return resourceScope("webhook", webhook, candidates);
  if (automation !== undefined) return resourceScope("automation", automation, candidates);
  const factoryUid = named === undefined ? null : (candidates[0]?.record.uid ?? null);
  return { factoryUid, webhookUid: null, automationUid: null, name: null };
}

function findFactory(named: string, reached: readonly Factory[]): Factory {
  const found = reached.find(({ record }) => record.uid === named || record.name === named);
  if (found) return found;
  throw new MillraceError("resource_not_found", `There is no factory "${named}" on this server.`, {
    remedy: "`millrace status` shows the factories that the key can access.",
    extra: { field: "factory" },
  });
}

function resourceScope(kind: Kind, named: string, candidates: readonly Factory[]): Scope {
  const found = candidates.flatMap((factory) =>
    resourcesOf(factory, kind)
      .filter(({ uid, name }) => uid === named || name === named)
      .map((resource) => ({ factory, resource })),
  );
  const [only, another] = found;
  if (!only) {
    throw new MillraceError(
      "resource_not_found",
      `There is no ${kind} "${named}" in ${nameAll(candidates)}.`,
      {
        remedy: `\`millrace ${kind}s list\` shows the ${kind}s of a factory.`,
        extra: { field: kind },
      },
    );
  }
  if (another) {
    const all = found.map(({ factory }) => factory);
    throw new MillraceError(
      "invalid_request",
      `Several factories have a ${kind} "${named}": ${nameAll(all)}.`,
      {
        remedy: "Specify the factory as well.",
        extra: { field: "factory" },
      },
    );
  }
  const { factory, resource } = only;
  const uids = { webhookUid: null, automationUid: null, [`${kind}Uid`]: resource.uid };
  return { factoryUid: factory.record.uid, ...uids, name: resource.name };
}

function resourcesOf({ active }: Factory, kind: Kind): StoredResource[] {
  return active?.resources.filter((resource) => resource.kind === kind && !resource.deleted) ?? [];
}

function nameAll(factories: readonly Factory[]): string {
  if (factories.length === 0) return "any factory that the key can access";
  return factories.map(({ record }) => `"${record.name}"`).join(", ");
}
