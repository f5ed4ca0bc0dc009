import { automationTitle } from "../../definitions/automation-title.ts";
import type {
  Automation,
  EventProviderName,
  ProviderTrigger,
  WebhookTrigger,
} from "../../definitions/definition.ts";
import { type CompiledEvent, compileEvent } from "../../definitions/events/compile-event.ts";
import { EVENT_PROVIDERS } from "../../definitions/events/event-provider.ts";
import { type CompiledFilter, compileFilter } from "../../definitions/filters/compile-filter.ts";
import type { PayloadPattern } from "../../definitions/filters/filter.ts";
import type { OnSteps } from "../../definitions/filters/glob.ts";
import { compileKey } from "../../definitions/key-template.ts";
import { isEventTrigger, providerOf } from "../../definitions/listening.ts";
import type { RunKey } from "../../runs/rules/run-key.ts";
import { taskFactory } from "../../runs/rules/run-task.ts";
import type { NewRun } from "../../runs/run.ts";
import type { RunSource } from "../../runs/run-source.ts";
import {
  automationTemplate,
  type DeliveryRunTemplate,
  type Matchable,
  messageOf,
  type RunKeyOf,
  runOf,
} from "../../runs/start/automation-run.ts";
import type { RunFactory } from "../../runs/start/requested-run.ts";

/** An automation that listens to a webhook, with the triggers that select it. */
export interface TriggerListener extends MatchingListener, DeliveryRunTemplate {
  written: WrittenListener;
}

/** What matching needs of it. Without a filter, every delivery starts it. */
export interface MatchingListener {
  filters: (CompiledFilter | undefined)[];
  /** Its triggers of the provider that the webhook feeds. */
  events: CompiledEvent[];
  /** What a run is started by that one of these triggers has matched. */
  eventSource: RunSource;
}

/** The same as its author has written it: plain data, which can be sent to a thread. */
export interface WrittenListener {
  filters: (PayloadPattern | undefined)[];
  events: ProviderTrigger[];
  eventSource: RunSource;
}

export function compileListener({ filters, events, eventSource }: WrittenListener): MatchingListener {
  return {
    filters: filters.map((pattern) => pattern && compileFilter(pattern)),
    events: events.map((trigger) => compileEvent(trigger)),
    eventSource,
  };
}

/** The enabled automations of a factory by the uid of each webhook that they select. */
export function listenersByWebhook(factory: RunFactory): Map<string, TriggerListener[]> {
  const { definition, uidOf, webhooks } = factory.active;
  const providers = new Map(webhooks.map(({ uid, webhook }) => [uid, providerOf(webhook)]));
  const listeners = new Map<string, TriggerListener[]>();
  for (const automation of definition.automations.filter(({ enabled }) => enabled)) {
    const filters = new Map<string, (PayloadPattern | undefined)[]>();
    for (const trigger of automation.triggers) {
      if (trigger.provider !== "webhook") continue;
      for (const uid of selectedWebhooks(trigger, uidOf)) append(filters, uid, trigger.payload);
    }
    const events = new Map<EventProviderName, ProviderTrigger[]>();
    for (const trigger of automation.triggers.filter(isEventTrigger)) {
      append(events, trigger.provider, trigger);
    }
    const fed = webhooks.flatMap(({ uid }) =>
      events.has(providers.get(uid) as EventProviderName) ? [uid] : [],
    );
    if (filters.size === 0 && fed.length === 0) continue;
    const template = automationTemplate(factory, automation);
    for (const uid of new Set([...filters.keys(), ...fed])) {
      const provider = providers.get(uid);
      const written: WrittenListener = {
        filters: filters.get(uid) ?? [],
        events: (provider && events.get(provider)) ?? [],
        eventSource: provider ? EVENT_SOURCES[provider] : "CUSTOM_WEBHOOK",
      };
      const titleOf = automationTitle(automation, provider);
      const { prompt } = automation;
      const opensTask = automation.opensTask
        ? { opensTaskIn: taskFactory(definition.factory.name, definition.agents, template.execution.starts) }
        : {};
      append(listeners, uid, {
        prompt,
        titleOf,
        template,
        written,
        ...opensTask,
        ...compileRunKey(automation, provider),
        ...happeningsOf(provider, written),
        ...compileListener(written),
      });
    }
  }
  return listeners;
}

function happeningsOf(provider: EventProviderName | undefined, { events }: WrittenListener) {
  const happeningOf = provider && EVENT_PROVIDERS[provider].happeningOf;
  return happeningOf && events.length > 1 ? { happeningOf } : {};
}

/** What the public API calls a run that an event of a provider has started. */
const EVENT_SOURCES: Readonly<Record<EventProviderName, RunSource>> = {
  github: "GITHUB_WEBHOOK",
  gitlab: "GITLAB_WEBHOOK",
  linear: "LINEAR",
  jira: "JIRA",
  slack: "SLACK",
};

function append<Key, Item>(lists: Map<Key, Item[]>, key: Key, item: Item): void {
  const list = lists.get(key);
  if (list) list.push(item);
  else lists.set(key, [item]);
}

/** The webhooks that a trigger selects, by uid or by the name of a file; each once. */
export function selectedWebhooks(trigger: WebhookTrigger, uidOf: RunFactory["active"]["uidOf"]): Set<string> {
  const named = trigger.webhookNames.flatMap((name) => uidOf("webhook", name) ?? []);
  return new Set([...trigger.webhookIds, ...named]);
}

/** Of each automation, how a delivery starts its run, or null when it does not; several matching triggers start one run. */
export function sourcesOf(
  listeners: readonly MatchingListener[],
  delivery: Pick<Matchable, "event" | "payload" | "authors">,
  onSteps?: OnSteps,
): (RunSource | null)[] {
  return listeners.map(({ filters, events, eventSource }) => {
    onSteps?.(1 + filters.length + events.length);
    if (events.some((trigger) => trigger.matches(delivery, onSteps))) return eventSource;
    const matches = filters.some((filter) => !filter || filter.matches(delivery.payload, onSteps));
    return matches ? "CUSTOM_WEBHOOK" : null;
  });
}

/** One run for each automation that a delivery starts. */
export function runsOf(
  listeners: readonly TriggerListener[],
  sources: readonly (RunSource | null)[],
  delivery: Matchable,
): NewRun[] {
  return listeners.flatMap((listener, index) => {
    const source = sources[index];
    return source ? [runOf(listener, delivery, source)] : [];
  });
}

/** Without a key, the deliveries in a window are one thing. */
const WHOLE_AUTOMATION = "";

/**
 * Compiles what an automation says of deliveries that belong together.
 * @returns nothing to add where each delivery is a run of its own
 */
function compileRunKey(
  { keyed, debounce }: Pick<Automation, "keyed" | "debounce">,
  provider: EventProviderName | undefined,
): { keyOf?: RunKeyOf } {
  if (!keyed && !debounce) return {};
  const windows = debounce ? { debounce } : {};
  if (!keyed) return { keyOf: () => ({ key: WHOLE_AUTOMATION, ...windows }) };
  const { key: template, ...concurrency } = keyed;
  const keyOfPayload = compileKey(template, provider);
  return {
    keyOf(delivery, event) {
      const key = keyOfPayload(delivery.payload) ?? null;
      const made: RunKey = { key, concurrency, ...windows };
      const continues = key !== null && concurrency.whileRunning === "continue";
      return continues ? { ...made, message: messageOf(delivery, event) } : made;
    },
  };
}
