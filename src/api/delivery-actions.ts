import { formatPath } from "../definitions/explain-violation.ts";
import { checkPattern, type PayloadPattern } from "../definitions/filter.ts";
import { MillraceError } from "../error.ts";
import { type Delivery, LARGEST_BODY_BYTES, whyNoPayload } from "../ingress/delivery.ts";
import { checkPayload, checkSelection, describeWebhook, explainDelivery } from "../ingress/explain.ts";
import type { Gate } from "../ingress/gate.ts";
import { findLinkedAuthors } from "../ingress/linked-authors.ts";
import { parseJson } from "../ingress/read-body.ts";
import { rejected } from "../ingress/refusal.ts";
import type { Factory } from "../reconcile/factories.ts";
import type { ServedDefinition } from "../reconcile/served.ts";
import { type DeliveryParts, deliveryView, findDelivery } from "./deliveries.ts";
import type { ApiRequest, Endpoints } from "./endpoint.ts";
import { findFactory } from "./factories.ts";

export interface DeliveryActionParts extends DeliveryParts {
  gate: Pick<Gate, "redeliver">;
}

/** What can be done with deliveries: ask why, try a filter, take one in again. */
export function deliveryActionEndpoints(parts: DeliveryActionParts): Endpoints {
  const { deliveries, runs, factories, gate } = parts;
  return {
    explainDelivery: {
      role: "viewer",
      async handle(request) {
        const factory = findFactory(request, factories);
        const delivery = await findDelivery(request, parts);
        const served = definitionInForce(factory);
        const payload = await deliveries.findPayload(delivery.id);
        const automations = payload ? await explain(served, delivery, payload) : [];
        const isGone = delivery.outcome === "Accepted" && !payload;
        const fitting = automations.filter(({ wouldTrigger }) => wouldTrigger).length;
        return {
          json: {
            delivery_id: delivery.id,
            outcome: delivery.outcome,
            summary: isGone ? "Its payload was deleted." : summaryOf(delivery, served, fitting),
            automations: automations.map(({ name, enabled, wouldTrigger, triggers }) => ({
              name,
              enabled,
              result: verdict(wouldTrigger),
              triggers: triggers.map((checks) => ({ checks })),
            })),
          },
        };
      },
    },
    redeliver: {
      role: "operator",
      async handle(request) {
        const { deliveryId } = await gate.redeliver(await findDelivery(request, parts));
        const made = await deliveries.find(deliveryId);
        if (!made) throw new Error(`the redelivery ${deliveryId} is not there`);
        const runIds = await runs.listIdsByDelivery([deliveryId]);
        return { json: deliveryView(made, runIds[deliveryId] ?? []) };
      },
    },
    testFilter: {
      role: "viewer",
      onlyReads: true,
      async handle(request) {
        const served = definitionInForce(findFactory(request, factories));
        const { webhook_ids: uids, payload: pattern } = request.body;
        refuseBrokenPattern(pattern);
        const subject = await subjectOf(request, parts);
        const checks = [
          checkSelection(uids, subject.webhookUid, served),
          ...checkPayload(pattern ? { payload: pattern as PayloadPattern } : {}, subject.payload),
        ];
        return { json: { result: verdict(checks.every(({ passed }) => passed)), checks } };
      },
    },
  };

  async function explain(served: ServedDefinition, delivery: Delivery, body: Uint8Array) {
    const subject = { ...delivery, payload: parseJson(body)?.value };
    const authors = await findLinkedAuthors(subject, deliveries);
    return explainDelivery(served, { ...subject, authors });
  }
}

function verdict(wouldTrigger: boolean): string {
  return wouldTrigger ? "Would trigger" : "Would not trigger";
}

function definitionInForce({ record, served }: Factory): ServedDefinition {
  if (served) return served;
  throw new MillraceError("conflict", `The factory "${record.name}" has no definition in force yet.`, {
    remedy: "`millrace status` shows what keeps it from being applied.",
    retryable: false,
  });
}

/** What became of a delivery, and what would today. */
function summaryOf(delivery: Delivery, served: ServedDefinition, fitting: number): string {
  const { outcome, reason, duplicateOf, webhookUid } = delivery;
  if (duplicateOf) return `It is a duplicate of ${duplicateOf} and started nothing; explain that one.`;
  if (outcome !== "Accepted") return `It was refused before any automation was asked: ${reason}.`;
  const all = served.definition.automations.length;
  return `It came to ${describeWebhook(webhookUid, served)}. By the definition in force, ${fitting} of ${all} automations would start a run.`;
}

function refuseBrokenPattern(pattern: unknown): void {
  const problems = pattern === undefined ? [] : checkPattern(pattern);
  if (problems.length === 0) return;
  const told = problems.map(({ at, message }) => `${formatPath(["payload", ...at])}: ${message}`);
  throw new MillraceError("invalid_request", `The payload filter is not valid: ${told.join("; ")}.`);
}

interface Subject {
  /** Nothing for a body that came from nowhere. */
  webhookUid: string | undefined;
  payload: unknown;
}

async function subjectOf(request: ApiRequest, parts: DeliveryActionParts): Promise<Subject> {
  const { delivery_id: id, body } = request.body;
  if (id === undefined) {
    if (JSON.stringify(body).length > LARGEST_BODY_BYTES) throw rejected("Rejected (too large)");
    return { webhookUid: undefined, payload: body };
  }
  const delivery = await findDelivery(request, parts, id);
  const payload = await parts.deliveries.findPayload(id);
  if (payload) return { webhookUid: delivery.webhookUid, payload: parseJson(payload)?.value };
  throw new MillraceError("conflict", `The delivery ${id} has no stored body: ${whyNoPayload(delivery)}.`, {
    retryable: false,
  });
}
