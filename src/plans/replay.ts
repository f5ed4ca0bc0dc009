import type { Automation, ProviderTrigger, Webhook, WebhookTrigger } from "../definitions/definition.ts";
import { compileEvent } from "../definitions/events/compile-event.ts";
import { isFormer } from "../definitions/events/former-triggers.ts";
import { compileFilter } from "../definitions/filters/compile-filter.ts";
import { heardWebhook, listensAt } from "../definitions/listening.ts";
import { type AutomationTraffic, isChanged } from "./traffic.ts";

/** Who listens at a webhook, by its uid. Plain data, so that it can be sent to a thread. */
export type Listeners = Readonly<Record<string, readonly ListeningAutomation[]>>;

interface ListeningAutomation {
  automation: string;
  triggers: (WebhookTrigger | ProviderTrigger)[];
}

/** A delivery that was accepted once. */
export interface StoredDelivery {
  id: string;
  webhookUid: string;
  /** What the provider's header said. */
  event: string | null;
  payload: unknown;
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
    listeners[uid] = enabled.flatMap(({ name, triggers }) => {
      const heard = triggers.filter((trigger) => listensAt(trigger, at));
      return heard.length > 0
        ? [{ automation: name, triggers: heard as ListeningAutomation["triggers"] }]
        : [];
    });
  }
  return listeners;
}

/** As many examples are kept of each kind. */
const MAX_EXAMPLES = 5;

/** Compares what two definitions make of deliveries. What is the same in both is held against them once. Pure. */
export function createReplay(before: Listeners, after: Listeners): Replay {
  const tallies = new Map<string, AutomationTraffic>();
  const byWebhook = new Map<string, Contest[]>();
  for (const uid of new Set([...Object.keys(before), ...Object.keys(after)])) {
    byWebhook.set(uid, contestsAt(before[uid] ?? [], after[uid] ?? [], tallies));
  }
  return {
    take(delivery) {
      for (const contest of byWebhook.get(delivery.webhookUid) ?? []) count(contest, delivery);
    },
    automations() {
      const started = [...tallies.values()].filter((tally) => tally.before + tally.after > 0);
      return started.sort(
        (a, b) => Number(isChanged(b)) - Number(isChanged(a)) || (a.name < b.name ? -1 : 1),
      );
    },
  };
}

type Matches = (delivery: StoredDelivery) => boolean;

/** An automation at a webhook, as it is and as it would be. */
interface Contest {
  tally: AutomationTraffic;
  before: Matches;
  /** Nothing when it is the same. */
  after: Matches | undefined;
}

function contestsAt(
  before: readonly ListeningAutomation[],
  after: readonly ListeningAutomation[],
  tallies: Map<string, AutomationTraffic>,
): Contest[] {
  const names = new Set([...before, ...after].map(({ automation }) => automation));
  return [...names].map((name) => {
    const tally = tallies.get(name) ?? { name, before: 0, after: 0, starts: [], stops: [] };
    tallies.set(name, tally);
    const triggersIn = (side: readonly ListeningAutomation[]) =>
      side.find(({ automation }) => automation === name)?.triggers ?? [];
    const [old, planned] = [triggersIn(before), triggersIn(after)];
    const isSame = JSON.stringify(old) === JSON.stringify(planned);
    return { tally, before: compile(old), after: isSame ? undefined : compile(planned) };
  });
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

function count({ tally, before, after }: Contest, delivery: StoredDelivery): void {
  const did = before(delivery);
  const would = after ? after(delivery) : did;
  if (did) tally.before += 1;
  if (would) tally.after += 1;
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
