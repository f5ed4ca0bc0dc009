import type { Models } from "../../client/typed-paths.ts";
import { checkPattern, type PayloadPattern } from "../../definitions/filters/filter.ts";
import { providerOf } from "../../definitions/listening.ts";
import { formatPath } from "../../definitions/loading/explain-violation.ts";
import { parseJson } from "../../edge/read-body.ts";
import { MillraceError } from "../../errors/error.ts";
import { type Delivery, MAX_BODY_BYTES, whyNoPayload } from "../../ingress/delivery.ts";
import {
  checkPayload,
  checkSelection,
  closestFirst,
  describeWebhook,
  explainDelivery,
  whyNot,
} from "../../ingress/explain.ts";
import type { Gate } from "../../ingress/gate.ts";
import { findLinkedAuthors } from "../../ingress/linked-authors.ts";
import { rejected } from "../../ingress/refusal.ts";
import type { ActiveDefinition } from "../../reconcile/active-definition.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { Pauses } from "../../runs/pauses.ts";
import { findFactory } from "../factories/factories.ts";
import { type ApiRequest, type Endpoints, keyOf, readIdempotencyKey } from "../http/endpoint.ts";
import {
  type DeliveryDeps,
  type DeliveryDispositions,
  deliveryOf,
  deliveryView,
  findDelivery,
  findDispositions,
  findEarlierRun,
  lacksFields,
} from "./deliveries.ts";
import { deliveryTestEndpoints } from "./test-deliveries.ts";

export interface DeliveryActionDeps extends DeliveryDeps {
  gate: Pick<Gate, "redeliver">;
  pauses: Pick<Pauses, "isPaused">;
}

/** What can be done with deliveries: ask why, try a filter, take one in again. */
export function deliveryActionEndpoints(deps: DeliveryActionDeps) {
  const { deliveries, runs, factories, gate, pauses } = deps;
  return {
    ...deliveryTestEndpoints(deps),
    explainDelivery: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const delivery = await findDelivery(request, deps);
        const active = requireActive(factory);
        const payload = await deliveries.findPayload(delivery.id);
        const automations = payload ? await explain(active, delivery, payload) : [];
        const told = await findDispositions(delivery.id, runs);
        const dispositions = payload ? await withMore(told, active, delivery, payload) : told.dispositions;
        const isGone = delivery.outcome === "Accepted" && !payload;
        const { skipped } = told;
        const fitting = automations.filter(({ wouldTrigger }) => wouldTrigger).length;
        return {
          json: {
            delivery_id: delivery.id,
            outcome: delivery.outcome,
            summary: isGone ? "Its payload was deleted." : summaryOf(delivery, active, fitting),
            automations: closestFirst(automations).map((automation) => ({
              disposition: dispositions.get(active.uidOf("automation", automation.name) ?? null) ?? null,
              name: automation.name,
              enabled: automation.enabled,
              paused: pauses.isPaused({
                factoryUid: delivery.factoryUid,
                webhookUid: delivery.webhookUid,
                automationUid: active.uidOf("automation", automation.name) ?? null,
              }),
              result: verdict(automation.wouldTrigger),
              reason: whyNot(automation) ?? null,
              ...skipped.get(active.uidOf("automation", automation.name) ?? null),
              triggers: automation.triggers.map((checks) => ({ checks })),
            })),
          },
        };
      },
    },
    redeliver: {
      async handle(request) {
        const { principal } = keyOf(request);
        const once = readIdempotencyKey(request.http.request, principal.uid, {});
        const { deliveryId } = await gate.redeliver(await findDelivery(request, deps), once);
        const made = await deliveries.find(deliveryId);
        if (!made) throw deletedMeanwhile(deliveryId);
        const runIds = await runs.listIdsByDelivery([deliveryId]);
        const { dispositions } = await findDispositions(deliveryId, runs);
        const view = deliveryView(made, runIds[deliveryId] ?? [], findFactory(request, factories));
        return { json: { ...view, dispositions: [...dispositions.values()] } };
      },
    },
    testFilter: {
      onlyReads: true,
      async handle(request) {
        const active = requireActive(findFactory(request, factories));
        const { webhook_ids: uids, payload: pattern } = request.body;
        const filter = pattern === undefined ? {} : { payload: checkedPattern(pattern) };
        const subject = await subjectOf(request, deps);
        const checks = [
          checkSelection(uids, subject.webhookUid, active),
          ...checkPayload(filter, subject.payload),
        ];
        return { json: { result: verdict(checks.every(({ passed }) => passed)), checks } };
      },
    },
  } satisfies Endpoints;

  /** What only the payload tells: of which run an earlier delivery is, and which field a key lacks. */
  async function withMore(
    { dispositions, lacksKey }: DeliveryDispositions,
    active: ActiveDefinition,
    { id, webhookUid, redeliveryOf }: Delivery,
    body: Uint8Array,
  ): Promise<DeliveryDispositions["dispositions"]> {
    const webhook = active.webhooks.find(({ uid }) => uid === webhookUid)?.webhook;
    if (!webhook) return dispositions;
    const fired = { provider: providerOf(webhook), payload: parseJson(body)?.value };
    const all = new Map(dispositions);
    for (const { name, keyed } of active.definition.automations) {
      const automationUid = active.uidOf("automation", name);
      const known = automationUid && all.get(automationUid);
      if (known && lacksKey.has(automationUid)) all.set(automationUid, lacksFields(known, keyed?.key, fired));
      if (automationUid === undefined || known || redeliveryOf !== null) continue;
      const earlier = await findEarlierRun(id, { automationUid, ...fired }, deps);
      if (earlier) all.set(automationUid, earlier);
    }
    return all;
  }

  async function explain(active: ActiveDefinition, delivery: Delivery, body: Uint8Array) {
    const subject = { ...delivery, payload: parseJson(body)?.value };
    const authors = await findLinkedAuthors(subject, deliveries);
    return explainDelivery(active, { ...subject, authors });
  }
}

/** The key of the request stands for a delivery that is no longer there. */
function deletedMeanwhile(id: string): MillraceError {
  return new MillraceError(
    "conflict",
    `The delivery ${id}, which was made with this Idempotency-Key, was deleted.`,
    {
      remedy: "To redeliver again, use a new key.",
      retryable: false,
      extra: { field: "Idempotency-Key" },
    },
  );
}

function verdict(wouldTrigger: boolean): Models["FilterTest"]["result"] {
  return wouldTrigger ? "Would trigger" : "Would not trigger";
}

function requireActive({ record, active }: Factory): ActiveDefinition {
  if (active) return active;
  throw new MillraceError("conflict", `The factory "${record.name}" has no applied definition yet.`, {
    remedy: "`millrace status` shows why no definition is applied.",
    retryable: false,
  });
}

/** What became of a delivery, and what would today. */
function summaryOf(delivery: Delivery, active: ActiveDefinition, fitting: number): string {
  const { outcome, reason, duplicateOf, webhookUid } = delivery;
  if (duplicateOf)
    return `The delivery is a duplicate of ${duplicateOf} and started no runs; explain that delivery instead.`;
  if (outcome !== "Accepted")
    return `The delivery was refused before any automation was evaluated: ${reason}.`;
  const all = active.definition.automations.length;
  return `The delivery was sent to ${describeWebhook(webhookUid, active)}. Under the active definition, ${fitting} of ${all} automations would start a run.`;
}

/** @throws MillraceError `invalid_request` that names what of a payload filter is wrong */
function checkedPattern(pattern: unknown): PayloadPattern {
  const problems = checkPattern(pattern);
  if (problems.length === 0) return pattern as PayloadPattern;
  const lines = problems.map(({ at, message }) => `${formatPath(["payload", ...at])}: ${message}`);
  throw new MillraceError("invalid_request", `The payload filter is not valid: ${lines.join("; ")}.`);
}

interface Subject {
  /** Nothing for a body that came from nowhere. */
  webhookUid: string | undefined;
  payload: unknown;
}

async function subjectOf(request: ApiRequest<"testFilter">, deps: DeliveryActionDeps): Promise<Subject> {
  const { delivery_id: id, body } = request.body;
  if (id === undefined) {
    if (JSON.stringify(body).length > MAX_BODY_BYTES) throw rejected("Rejected (too large)");
    return { webhookUid: undefined, payload: body };
  }
  const delivery = await deliveryOf(request, id, deps);
  const payload = await deps.deliveries.findPayload(id);
  if (payload) return { webhookUid: delivery.webhookUid, payload: parseJson(payload)?.value };
  throw new MillraceError("conflict", `The delivery ${id} has no stored body: ${whyNoPayload(delivery)}.`, {
    retryable: false,
  });
}
