import { type CompiledFilter, compileFilter } from "../definitions/compile-filter.ts";
import type { WebhookTrigger } from "../definitions/definition.ts";
import { newUuid } from "../id.ts";
import { type AutomationTemplate, automationTemplate, type RunFactory } from "../runs/new-run.ts";
import type { NewRun } from "../runs/run.ts";
import { EVENT_PAYLOAD } from "../runs/workspace/own-names.ts";
import { envelope } from "./envelope.ts";

/** An automation that listens to a webhook. Without a filter, every delivery starts it. */
export interface Listener {
  prompt: string;
  template: AutomationTemplate;
  filters: (CompiledFilter | undefined)[];
}

/** The enabled automations of a factory by the uid of each webhook that they select. */
export function listenersByWebhook(factory: RunFactory): Map<string, Listener[]> {
  const { definition, uidOf } = factory.served;
  const listeners = new Map<string, Listener[]>();
  for (const automation of definition.automations.filter(({ enabled }) => enabled)) {
    const filters = new Map<string, (CompiledFilter | undefined)[]>();
    for (const trigger of automation.triggers) {
      if (trigger.provider !== "webhook") continue;
      const filter = trigger.payload && compileFilter(trigger.payload);
      for (const uid of selectedWebhooks(trigger, uidOf)) append(filters, uid, filter);
    }
    if (filters.size === 0) continue;
    const template = automationTemplate(factory, automation);
    for (const [uid, own] of filters)
      append(listeners, uid, { prompt: automation.prompt, template, filters: own });
  }
  return listeners;
}

function append<Item>(lists: Map<string, Item[]>, key: string, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** The webhooks that a trigger selects, by uid or by the name of a file; each once. */
export function selectedWebhooks(trigger: WebhookTrigger, uidOf: RunFactory["served"]["uidOf"]): Set<string> {
  const named = trigger.webhookNames.flatMap((name) => uidOf("webhook", name) ?? []);
  return new Set([...trigger.webhookIds, ...named]);
}

/** A delivery as matching needs it. */
export interface Matchable {
  webhookUid: string;
  webhookName: string;
  deliveryId: string;
  payload: unknown;
}

/** One run for each automation with a trigger whose filter matches; several matching triggers start one run. */
export function matchDelivery(listeners: readonly Listener[], delivery: Matchable): NewRun[] {
  return listeners
    .filter(({ filters }) => filters.some((filter) => !filter || filter.matches(delivery.payload)))
    .map(({ template, prompt }) => ({
      ...template,
      id: newUuid(),
      webhookUid: delivery.webhookUid,
      source: "CUSTOM_WEBHOOK",
      prompt: [prompt, envelope(delivery.webhookName, delivery.deliveryId)]
        .filter((part) => part !== "")
        .join("\n\n"),
      attachments: [{ name: EVENT_PAYLOAD, mimeType: "application/json", deliveryBody: true }],
    }));
}
