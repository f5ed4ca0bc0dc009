import { automationTitle, type TitleOf } from "../../definitions/automation-title.ts";
import type { EventProviderName, ProviderTrigger, WebhookTrigger } from "../../definitions/definition.ts";
import { type CompiledEvent, compileEvent } from "../../definitions/events/compile-event.ts";
import { EVENT_PROVIDERS } from "../../definitions/events/event-provider.ts";
import type { EventProvider } from "../../definitions/events/provider-event.ts";
import { type CompiledFilter, compileFilter } from "../../definitions/filters/compile-filter.ts";
import type { PayloadPattern } from "../../definitions/filters/filter.ts";
import type { OnSteps } from "../../definitions/filters/glob.ts";
import { isEventTrigger, providerOf } from "../../definitions/listening.ts";
import { newUid, newUuid } from "../../id.ts";
import { type AutomationTemplate, automationTemplate, type RunFactory } from "../../runs/new-run.ts";
import { type TaskFactory, taskEnvelope, taskFactory } from "../../runs/rules/run-task.ts";
import { EVENT_PAYLOAD } from "../../runs/rules/workspace-names.ts";
import type { NewRun } from "../../runs/run.ts";
import type { RunExecution } from "../../runs/run-config.ts";
import type { RunSource } from "../../runs/run-source.ts";
import { envelope } from "../envelope.ts";
import { eventCheckout } from "../event-checkout.ts";
import { eventName } from "../event-name.ts";
import { happeningKey } from "../identify.ts";
import { compileRunKey, type RunKeyOf } from "./run-key-of.ts";

/** An automation that listens to a webhook, with the triggers that select it. */
export interface TriggerListener extends MatchingListener {
  prompt: string;
  titleOf: TitleOf;
  template: AutomationTemplate;
  /** The factory, where each of its runs is the first one of a task. */
  opensTaskIn?: TaskFactory;
  /** What makes its runs one thing with others; left out where each delivery is a run of its own. */
  keyOf?: RunKeyOf;
  /** What several deliveries may tell of; left out where no two of them can start it. */
  happeningOf?: EventProvider["happeningOf"];
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
        ...{ prompt, titleOf, template, written, ...opensTask, ...compileRunKey(automation, provider) },
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

/** A delivery as matching needs it. */
export interface Matchable {
  webhookUid: string;
  webhookName: string;
  deliveryId: string;
  /** What the provider's header says that it tells of. */
  event: string | null;
  payload: unknown;
  /** Its body as it came: to parse it changes its numbers. */
  bytes: Uint8Array;
  /** Who opened the pull requests that it is linked to. */
  authors: readonly string[];
  /** Whether its sender tells something new: it was not sent from here. */
  isNews?: boolean;
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

/** A provider that signs its deliveries is believed where in a repository an event happened. */
function executionOf(
  { execution }: TriggerListener["template"],
  { payload }: Matchable,
  source: RunSource,
  event: string | undefined,
): RunExecution {
  const checkout = source === "CUSTOM_WEBHOOK" ? undefined : eventCheckout(payload);
  return { ...execution, ...(checkout ? { checkout } : {}), ...(event === undefined ? {} : { event }) };
}

/** The run of an automation that a delivery starts, whatever the automation's filters say of it. */
export function runOf(
  {
    template,
    prompt,
    titleOf,
    opensTaskIn,
    keyOf,
    happeningOf,
  }: Pick<TriggerListener, "template" | "prompt" | "titleOf" | "opensTaskIn" | "keyOf" | "happeningOf">,
  delivery: Matchable,
  source: RunSource,
): NewRun {
  const event = eventName(delivery, source);
  const title = titleOf(delivery.payload);
  const isEvent = source !== "CUSTOM_WEBHOOK";
  const happening = delivery.isNews && isEvent ? happeningOf?.(delivery.payload) : undefined;
  const task = opensTaskIn && { uid: newUid(), title, ticket: null };
  // The template stands after what it does not have: V8 takes microseconds for each property that is added to a copy of it.
  return {
    id: newUuid(),
    title,
    webhookUid: delivery.webhookUid,
    source,
    prompt: [
      prompt,
      envelope(delivery.webhookName, delivery.deliveryId, event),
      ...(task && opensTaskIn ? [taskEnvelope(task, opensTaskIn)] : []),
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
    attachments: [{ name: EVENT_PAYLOAD, mimeType: "application/json", deliveryBody: true }],
    ...template,
    execution: executionOf(template, delivery, source, event),
    ...(task ? { task } : {}),
    ...(keyOf ? { keyed: keyOf(delivery, event) } : {}),
    ...(happening === undefined ? {} : { happening: happeningKey(template.automationUid ?? "", happening) }),
  };
}
