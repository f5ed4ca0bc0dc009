import type { EventProviderName, Trigger, WebhookTrigger } from "../definitions/definition.ts";
import { compileEvent } from "../definitions/events/compile-event.ts";
import { type Clause, compileFilter } from "../definitions/filters/compile-filter.ts";
import { isEventTrigger, providerOf } from "../definitions/listening.ts";
import type { ActiveDefinition } from "../reconcile/active-definition.ts";
import { selectedWebhooks } from "./matching/match.ts";

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
export function explainDelivery(active: ActiveDefinition, delivery: Explained): AutomationExplanation[] {
  return active.definition.automations.map(({ name, enabled, triggers }) => {
    const explained = triggers.flatMap((trigger) => {
      const checks = checkTrigger(trigger, active, delivery);
      return checks ? [checks] : [];
    });
    const fires = explained.some((checks) => checks.every(({ passed }) => passed));
    return { name, enabled, wouldTrigger: enabled && fires, triggers: explained };
  });
}

/** Nothing for a trigger that no delivery fires. */
function checkTrigger(trigger: Trigger, active: ActiveDefinition, delivery: Explained): Check[] | undefined {
  if (trigger.provider === "webhook") {
    return [checkWebhook(trigger, active, delivery.webhookUid), ...checkPayload(trigger, delivery.payload)];
  }
  if (!isEventTrigger(trigger)) return undefined;
  const webhook = checkFeedingWebhook(trigger.provider, active, delivery.webhookUid);
  return [webhook, ...(webhook.passed ? compileEvent(trigger).explain(delivery).map(toCheck) : [])];
}

function checkFeedingWebhook(provider: EventProviderName, active: ActiveDefinition, uid: string): Check {
  const passed = active.webhooks.some((each) => each.uid === uid && providerOf(each.webhook) === provider);
  const kind = provider === "jira" ? "provider jira" : `scheme ${provider}`;
  const came = `the delivery was sent to ${describeWebhook(uid, active)}`;
  const reason = passed ? `${came}, with the ${kind}` : `it requires a webhook with the ${kind}; ${came}`;
  return { check: "webhook", passed, reason, field: null };
}

function checkWebhook(trigger: WebhookTrigger, active: ActiveDefinition, uid: string): Check {
  const selected = [...selectedWebhooks(trigger, active.uidOf)];
  const passed = selected.includes(uid);
  const listed = [
    ...selected.map((one) => describeWebhook(one, active)),
    ...trigger.webhookNames.flatMap((name) => describeMissing(name, active)),
  ];
  const reason = passed
    ? `it selects ${describeWebhook(uid, active)}`
    : `it selects ${listed.join(" or ")}; the delivery was sent to ${describeWebhook(uid, active)}`;
  return { check: "webhook", passed, reason, field: null };
}

/** A file name that a trigger selects and that is not there: it was deleted, or never was. */
function describeMissing(name: string, { uidOf, resources }: ActiveDefinition): string[] {
  if (uidOf("webhook", name) !== undefined) return [];
  const wasThere = resources.some((each) => each.kind === "webhook" && each.name === name);
  return [`"${name}", which ${wasThere ? "was deleted" : "does not exist"}`];
}

/** A webhook as a person knows it: by name, with what keeps it from taking deliveries. */
export function describeWebhook(uid: string, { resources, definition }: ActiveDefinition): string {
  const resource = resources.find((each) => each.kind === "webhook" && each.uid === uid);
  if (!resource) return `the UID ${uid}, which does not belong to any webhook`;
  if (resource.deleted) return `"${resource.name}", which was deleted`;
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
  active: ActiveDefinition,
): Check {
  const answer = (passed: boolean, reason: string): Check => ({
    check: "webhook",
    passed,
    reason,
    field: null,
  });
  if (uids === undefined) return answer(true, "no webhooks were specified, so any webhook matches");
  const listed = uids.map((uid) => describeWebhook(uid, active)).join(" or ") || "no webhook";
  if (webhookUid !== undefined) {
    const passed = uids.includes(webhookUid);
    const came = describeWebhook(webhookUid, active);
    return answer(
      passed,
      passed ? `the delivery was sent to ${came}` : `it selects ${listed}; the delivery was sent to ${came}`,
    );
  }
  const live = active.webhooks.filter(({ webhook, uid }) => webhook.enabled && uids.includes(uid));
  return answer(
    live.length > 0,
    live.length > 0 ? `it selects ${listed}` : `it selects ${listed}, which cannot receive deliveries`,
  );
}

/**
 * Orders automations by how close each one is to a start by the delivery: those that would start first, then by the
 * trigger that came closest. One that selects another webhook comes after all that select this one.
 */
export function closestFirst(
  automations: readonly AutomationExplanation[],
): readonly AutomationExplanation[] {
  const ranked = automations.map((automation) => ({ automation, rank: rankOf(automation) }));
  return ranked.sort((a, b) => compare(a.rank, b.rank)).map(({ automation }) => automation);
}

/** The checks of the trigger that came closest; nothing where no delivery can fire any. */
function closestTrigger({ triggers }: Pick<AutomationExplanation, "triggers">): readonly Check[] | undefined {
  return [...triggers].sort((a, b) => compare(distanceOf(a), distanceOf(b)))[0];
}

/** Why an automation does not start a run, in a sentence; nothing where it does. */
export function whyNot(automation: AutomationExplanation): string | undefined {
  if (automation.wouldTrigger) return undefined;
  const checks = closestTrigger(automation);
  if (!checks) return "It has no trigger that reacts to deliveries.";
  const failed = checks.filter(({ passed }) => !passed);
  if (failed.length === 0) return "It is disabled; otherwise it would start a run.";
  const disabled = automation.enabled ? "" : "It is disabled. ";
  const [first] = failed;
  const more = failed.length > 1 ? `, and ${failed.length - 1} more` : "";
  return `${disabled}${checks.length - failed.length} of ${checks.length} conditions are met. Not met: ${textOf(first as Check)}${more}.`;
}

function textOf({ check, field, reason }: Check): string {
  return `${field ?? check} (${reason})`;
}

/** The smaller, the closer: compared number by number. */
type Rank = readonly number[];

function rankOf(automation: AutomationExplanation): Rank {
  const closest = closestTrigger(automation);
  if (!closest) return [2];
  return [automation.wouldTrigger ? 0 : 1, ...distanceOf(closest)];
}

function distanceOf(checks: readonly Check[]): Rank {
  const failed = checks.filter(({ passed }) => !passed);
  const isElsewhere = failed.some(({ check }) => check === "webhook");
  return [isElsewhere ? 1 : 0, failed.length, -checks.length];
}

function compare(a: Rank, b: Rank): number {
  const place = a.findIndex((value, index) => value !== b[index]);
  return place === -1 ? 0 : (a[place] ?? 0) - (b[place] ?? 0);
}
