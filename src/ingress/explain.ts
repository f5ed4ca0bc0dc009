import { compileEvent } from "../definitions/compile-event.ts";
import { type Clause, compileFilter } from "../definitions/compile-filter.ts";
import type { EventProviderName, Trigger, WebhookTrigger } from "../definitions/definition.ts";
import { isEventTrigger, providerOf } from "../definitions/listening.ts";
import type { ServedDefinition } from "../reconcile/served.ts";
import { selectedWebhooks } from "./match.ts";

/** One thing that a trigger asks of a delivery, and whether it is so. */
export interface Check {
  check: "webhook" | "payload";
  passed: boolean;
  /** A sentence for a person: what was expected, and what was found. */
  reason: string;
  /** Of a payload check: the field, for example `pull_request.labels[2].name`. */
  field: string | null;
}

/** A delivery as its explanation needs it. */
export interface Explained {
  webhookUid: string;
  /** What the provider's header said that it tells of. */
  event: string | null;
  payload: unknown;
  /** Who opened the pull requests that it is linked to. */
  authors: readonly string[];
}

export interface AutomationExplanation {
  name: string;
  enabled: boolean;
  wouldTrigger: boolean;
  /** The checks of each trigger that deliveries fire, in the order of the file. */
  triggers: Check[][];
}

/** Why each automation of a definition would or would not start a run for a delivery, disabled ones too. */
export function explainDelivery(served: ServedDefinition, delivery: Explained): AutomationExplanation[] {
  return served.definition.automations.map(({ name, enabled, triggers }) => {
    const explained = triggers.flatMap((trigger) => {
      const checks = checkTrigger(trigger, served, delivery);
      return checks ? [checks] : [];
    });
    const fires = explained.some((checks) => checks.every(({ passed }) => passed));
    return { name, enabled, wouldTrigger: enabled && fires, triggers: explained };
  });
}

/** Nothing for a trigger that no delivery fires. */
function checkTrigger(trigger: Trigger, served: ServedDefinition, delivery: Explained): Check[] | undefined {
  if (trigger.provider === "webhook") {
    return [checkWebhook(trigger, served, delivery.webhookUid), ...checkPayload(trigger, delivery.payload)];
  }
  if (!isEventTrigger(trigger)) return undefined;
  const webhook = checkFeedingWebhook(trigger.provider, served, delivery.webhookUid);
  return [webhook, ...(webhook.passed ? compileEvent(trigger).explain(delivery).map(toCheck) : [])];
}

function checkFeedingWebhook(provider: EventProviderName, served: ServedDefinition, uid: string): Check {
  const passed = served.webhooks.some((each) => each.uid === uid && providerOf(each.webhook) === provider);
  const kind = provider === "jira" ? "provider jira" : `scheme ${provider}`;
  const came = `the delivery came to ${describeWebhook(uid, served)}`;
  const reason = passed ? `${came}, of the ${kind}` : `it needs a webhook of the ${kind}; ${came}`;
  return { check: "webhook", passed, reason, field: null };
}

function checkWebhook(trigger: WebhookTrigger, served: ServedDefinition, uid: string): Check {
  const selected = [...selectedWebhooks(trigger, served.uidOf)];
  const passed = selected.includes(uid);
  const listed = [
    ...selected.map((one) => describeWebhook(one, served)),
    ...trigger.webhookNames.flatMap((name) => describeMissing(name, served)),
  ];
  const reason = passed
    ? `it selects ${describeWebhook(uid, served)}`
    : `it selects ${listed.join(" or ")}; the delivery came to ${describeWebhook(uid, served)}`;
  return { check: "webhook", passed, reason, field: null };
}

/** A file name that a trigger selects and that is not there: it was deleted, or never was. */
function describeMissing(name: string, { uidOf, resources }: ServedDefinition): string[] {
  if (uidOf("webhook", name) !== undefined) return [];
  const wasThere = resources.some((each) => each.kind === "webhook" && each.name === name);
  return [`"${name}", which ${wasThere ? "is deleted" : "names no webhook"}`];
}

/** A webhook as a person knows it: by name, with what keeps it from taking deliveries. */
export function describeWebhook(uid: string, { resources, definition }: ServedDefinition): string {
  const resource = resources.find((each) => each.kind === "webhook" && each.uid === uid);
  if (!resource) return `the uid ${uid}, which names no webhook`;
  if (resource.deleted) return `"${resource.name}", which is deleted`;
  const enabled = definition.webhooks.some(({ name, enabled }) => name === resource.name && enabled);
  return enabled ? `"${resource.name}"` : `"${resource.name}", which is disabled`;
}

/** Every clause of a payload filter. */
export function checkPayload(
  { payload: pattern }: Pick<WebhookTrigger, "payload">,
  payload: unknown,
): Check[] {
  if (!pattern || Object.keys(pattern).length === 0)
    return [{ check: "payload", passed: true, reason: "there is no payload filter", field: null }];
  return compileFilter(pattern).explain(payload).map(toCheck);
}

function toCheck({ field, passed, expected, found }: Clause): Check {
  const reason = `expected ${expected}, found ${found}`;
  return { check: "payload", passed, reason, field: field === "" ? null : field };
}

/** A delivery has to have come to one of the webhooks; for a mere body, one of them has to take deliveries at all. */
export function checkSelection(
  uids: readonly string[] | undefined,
  webhookUid: string | undefined,
  served: ServedDefinition,
): Check {
  const answer = (passed: boolean, reason: string): Check => ({
    check: "webhook",
    passed,
    reason,
    field: null,
  });
  if (uids === undefined) return answer(true, "no webhooks were named, so any will do");
  const listed = uids.map((uid) => describeWebhook(uid, served)).join(" or ") || "no webhook";
  if (webhookUid !== undefined) {
    const passed = uids.includes(webhookUid);
    const came = describeWebhook(webhookUid, served);
    return answer(
      passed,
      passed ? `the delivery came to ${came}` : `it selects ${listed}; the delivery came to ${came}`,
    );
  }
  const live = served.webhooks.filter(({ webhook, uid }) => webhook.enabled && uids.includes(uid));
  return answer(
    live.length > 0,
    live.length > 0 ? `it selects ${listed}` : `it selects ${listed}: nothing can come in there`,
  );
}
