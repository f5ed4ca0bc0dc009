import { compileFilter } from "../definitions/compile-filter.ts";
import type { Automation, WebhookTrigger } from "../definitions/definition.ts";
import type { ServedDefinition } from "../reconcile/served.ts";
import { selectedWebhooks } from "./match.ts";

/** One thing that a trigger asks of a delivery, and whether it is so. */
export interface Check {
  check: "enabled" | "webhook" | "payload";
  passed: boolean;
  /** A sentence for a person: what was expected, and what was found. */
  reason: string;
  /** Of a payload check: the field, for example `pull_request.labels[2].name`. */
  field: string | null;
}

/** A delivery as its explanation needs it. */
export interface Explained {
  webhookUid: string;
  payload: unknown;
}

export interface AutomationExplanation {
  name: string;
  wouldTrigger: boolean;
  /** The checks of the trigger that came closest; of an automation without a webhook trigger, none. */
  checks: Check[];
}

/** Why each automation of a definition would or would not start a run for a delivery, disabled ones too. */
export function explainDelivery(served: ServedDefinition, delivery: Explained): AutomationExplanation[] {
  return served.definition.automations.map((automation) => explainAutomation(automation, served, delivery));
}

function explainAutomation(
  automation: Automation,
  served: ServedDefinition,
  delivery: Explained,
): AutomationExplanation {
  const tried = automation.triggers
    .filter((trigger) => trigger.provider === "webhook")
    .map((trigger) => [
      checkWebhook(trigger, served, delivery.webhookUid),
      ...checkPayload(trigger, delivery.payload),
    ]);
  const [closest = [nothingToCheck]] = tried.sort((a, b) => failures(a) - failures(b));
  const checks = automation.enabled ? closest : [disabled, ...closest];
  return { name: automation.name, wouldTrigger: failures(checks) === 0, checks };
}

const disabled: Check = {
  check: "enabled",
  passed: false,
  reason: "the automation is disabled",
  field: null,
};
const nothingToCheck: Check = {
  check: "webhook",
  passed: false,
  reason: "it has no webhook trigger",
  field: null,
};

function failures(checks: readonly Check[]): number {
  return checks.filter(({ passed }) => !passed).length;
}

function checkWebhook(trigger: WebhookTrigger, served: ServedDefinition, uid: string): Check {
  const selected = [...selectedWebhooks(trigger, served.uidOf)];
  const unknownNames = trigger.webhookNames.filter((name) => served.uidOf("webhook", name) === undefined);
  const passed = selected.includes(uid);
  const listed = [
    ...selected.map((one) => describeWebhook(one, served)),
    ...unknownNames.map((name) => `"${name}", which names no webhook`),
  ];
  const reason = passed
    ? `it selects ${describeWebhook(uid, served)}`
    : `it selects ${listed.join(" and ")}; the delivery came to ${describeWebhook(uid, served)}`;
  return { check: "webhook", passed, reason, field: null };
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
  if (!pattern)
    return [{ check: "payload", passed: true, reason: "there is no payload filter", field: null }];
  return compileFilter(pattern)
    .explain(payload)
    .map(({ field, passed, expected, found }) => ({
      check: "payload",
      passed,
      reason: `expected ${expected}, found ${found}`,
      field: field === "" ? null : field,
    }));
}
