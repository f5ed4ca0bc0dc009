import type {
  Automation,
  DeliveryGrouping,
  EventProviderName,
  ProviderTrigger,
  Webhook,
  WebhookTrigger,
} from "../definitions/definition.ts";
import { compileEvent, isFormer } from "../definitions/events/compile-event.ts";
import { EVENT_PROVIDERS } from "../definitions/events/event-provider.ts";
import { compileFilter } from "../definitions/filters/compile-filter.ts";
import { compileKey } from "../definitions/key-template.ts";
import { heardWebhook, listensAt } from "../definitions/listening.ts";
import { simulateRuns } from "../definitions/simulated-runs.ts";
import { instantOfUuid } from "../id.ts";
import { type AutomationTraffic, isChanged } from "./plan-report.ts";

/** Who listens at a webhook, by its uid. Plain data, so that it can be sent to a thread. */
export type Listeners = Readonly<Record<string, readonly ListeningAutomation[]>>;

interface ListeningAutomation {
  automation: string;
  grouping: DeliveryGrouping;
  /** Whose events the webhook brings. */
  provider?: EventProviderName;
  triggers: (WebhookTrigger | ProviderTrigger)[];
}

/** A delivery that was accepted once. */
export interface StoredDelivery {
  id: string;
  webhookUid: string;
  /** What the provider's header said. */
  event: string | null;
  payload: unknown;
  /** Of its body, in bytes. */
  size: number;
  /** Who opened the pull requests that it is linked to. */
  authors?: readonly string[];
}

/** Holds deliveries against two definitions. */
export interface Replay {
  take(delivery: StoredDelivery): void;
  /** Those that at least one delivery would have started; the ones that change stand first. */
  automations(): AutomationTraffic[];
}

/** The enabled automations of a definition by the webhooks that they listen to. A webhook without a uid is new. */
export function listenersOf(
  automations: readonly Automation[],
  webhooks: readonly { uid: string | undefined; webhook: Webhook }[],
): Listeners {
  const listeners: Record<string, ListeningAutomation[]> = {};
  const enabled = automations.filter((automation) => automation.enabled);
  for (const { uid, webhook } of webhooks) {
    if (uid === undefined || !webhook.enabled) continue;
    const at = heardWebhook(uid, webhook);
    const { provider } = at;
    listeners[uid] = enabled.flatMap(({ name, triggers, keyed, debounce }) => {
      const grouping = { ...(keyed ? { keyed } : {}), ...(debounce ? { debounce } : {}) };
      const listening = { automation: name, grouping, ...(provider ? { provider } : {}) };
      const heard = triggers.filter((trigger) => listensAt(trigger, at));
      return heard.length > 0 ? [{ ...listening, triggers: heard as ListeningAutomation["triggers"] }] : [];
    });
  }
  return listeners;
}

/** As many examples are kept of each kind. */
const MAX_EXAMPLES = 5;

/** Compares what two definitions make of deliveries. What is the same in both is held against them once. Pure. */
export function createReplay(before: Listeners, after: Listeners): Replay {
  const tallies = new Map<string, Tally>();
  const [old, planned] = [groupings(before), groupings(after)];
  const tallyOf = (name: string) => {
    const tally = tallies.get(name) ?? newTally(name, old.get(name) ?? {}, planned.get(name) ?? {});
    tallies.set(name, tally);
    return tally;
  };
  const byWebhook = new Map<string, Contest[]>();
  for (const uid of new Set([...Object.keys(before), ...Object.keys(after)])) {
    byWebhook.set(uid, contestsAt(before[uid] ?? [], after[uid] ?? [], tallyOf));
  }
  return {
    take(delivery) {
      for (const contest of byWebhook.get(delivery.webhookUid) ?? []) count(contest, delivery);
    },
    automations() {
      const started = [...tallies.values()].map(trafficOf).filter(({ before, after }) => before + after > 0);
      return started.sort(
        (a, b) => Number(isChanged(b)) - Number(isChanged(a)) || (a.name < b.name ? -1 : 1),
      );
    },
  };
}

/** What deliveries make of an automation, as it is and as it would be. */
interface Tally extends Pick<AutomationTraffic, "name" | "starts" | "stops"> {
  before: RunCounter;
  after: RunCounter;
  isGrouped: boolean;
}

function trafficOf({ name, starts, stops, isGrouped, ...counters }: Tally): AutomationTraffic {
  const before = counters.before.count();
  const after = counters.after.count();
  const { deliveries, continued } = after;
  return {
    name,
    before: before.runs,
    after: after.runs,
    starts,
    stops,
    ...(isGrouped && deliveries > 0 ? { grouped: { deliveries, continued } } : {}),
  };
}

type Matches = (delivery: StoredDelivery) => boolean;

/** An automation at a webhook, as it is and as it would be. */
interface Contest {
  tally: Tally;
  provider: EventProviderName | undefined;
  before: Matches;
  /** Nothing when it is the same. */
  after: Matches | undefined;
}

function contestsAt(
  before: readonly ListeningAutomation[],
  after: readonly ListeningAutomation[],
  tallyOf: (name: string) => Tally,
): Contest[] {
  const names = new Set([...before, ...after].map(({ automation }) => automation));
  return [...names].map((name) => {
    const of = (side: readonly ListeningAutomation[]) => side.find(({ automation }) => automation === name);
    const [old, planned] = [of(before), of(after)];
    const tally = tallyOf(name);
    const [triggers = [], plannedTriggers = []] = [old?.triggers, planned?.triggers];
    const isSame = JSON.stringify(triggers) === JSON.stringify(plannedTriggers);
    const provider = planned?.provider ?? old?.provider;
    return {
      tally,
      provider,
      before: compile(triggers),
      after: isSame ? undefined : compile(plannedTriggers),
    };
  });
}

function newTally(name: string, before: DeliveryGrouping, after: DeliveryGrouping): Tally {
  const counters = { before: createRunCounter(before), after: createRunCounter(after) };
  return { name, ...counters, starts: [], stops: [], isGrouped: Object.keys(after).length > 0 };
}

/** An automation says the same at each of its webhooks. */
function groupings(listeners: Listeners): Map<string, DeliveryGrouping> {
  return new Map(
    Object.values(listeners).flatMap((all) => all.map((each) => [each.automation, each.grouping])),
  );
}

function compile(triggers: ListeningAutomation["triggers"]): Matches {
  const matches = triggers.map((trigger): Matches => {
    if (trigger.provider !== "webhook") {
      const compiled = compileEvent(trigger, { readsAsBefore: isFormer(trigger) });
      return (delivery) => compiled.matches(delivery);
    }
    if (!trigger.payload) return () => true;
    const filter = compileFilter(trigger.payload);
    return ({ payload }) => filter.matches(payload);
  });
  return (delivery) => matches.some((match) => match(delivery));
}

function count({ tally, provider, before, after }: Contest, delivery: StoredDelivery): void {
  const did = before(delivery);
  const would = after ? after(delivery) : did;
  if (did) tally.before.take(delivery, provider);
  if (would) tally.after.take(delivery, provider);
  if (would && !did) note(tally.starts, delivery.id);
  if (did && !would) note(tally.stops, delivery.id);
}

/** Ids rise with time: the greatest are the newest. */
function note(examples: string[], id: string): void {
  const last = examples.at(-1);
  if (examples.length === MAX_EXAMPLES && last !== undefined && id < last) return;
  examples.push(id);
  examples.sort((a, b) => (a < b ? 1 : -1));
  if (examples.length > MAX_EXAMPLES) examples.pop();
}

/** The runs of the deliveries that fire an automation. */
export interface CountedRuns {
  deliveries: number;
  runs: number;
  /** How many of the deliveries would be a message to a run that has started. */
  continued: number;
}

interface RunCounter {
  take(delivery: StoredDelivery, provider: EventProviderName | undefined): void;
  count(): CountedRuns;
}

/**
 * Counts the runs of deliveries, which may come in any order: their ids tell the time. Nobody knows how long the runs would take, so
 * that each turn counts as if it took no time: no fewer runs than that would start, except where they would wait for each other.
 */
function createRunCounter({ keyed, debounce }: DeliveryGrouping): RunCounter {
  const firing: { id: string; key: string | undefined; size: number }[] = [];
  const keysOf = new Map<EventProviderName | undefined, (payload: unknown) => string | undefined>();
  const happenings = new Set<string>();
  let deliveries = 0;
  return {
    take({ id, payload, size }, provider) {
      const happening = provider && EVENT_PROVIDERS[provider].happeningOf?.(payload);
      if (happening !== undefined && happenings.has(happening)) return;
      if (happening !== undefined) happenings.add(happening);
      deliveries += 1;
      if (!keyed && !debounce) return;
      const keyOf = keyed && (keysOf.get(provider) ?? compileKey(keyed.key, provider));
      if (keyOf) keysOf.set(provider, keyOf);
      firing.push({ id, key: keyOf?.(payload), size });
    },
    count() {
      if (!keyed && !debounce) return { deliveries, runs: deliveries, continued: 0 };
      firing.sort((one, other) => (one.id < other.id ? -1 : 1));
      const timed = firing.map(({ id, ...rest }) => ({ at: Date.parse(instantOfUuid(id)), ...rest }));
      const runs = simulateRuns(timed, { keyed, debounce, runMs: 0 }).filter(
        ({ replaced }) => replaced !== "waiting",
      );
      const continued = runs.reduce((sum, run) => sum + run.continued, 0);
      return { deliveries, runs: runs.length, continued };
    },
  };
}
