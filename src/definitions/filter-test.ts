import type { Trigger } from "./definition.ts";
import { compileEvent } from "./events/compile-event.ts";
import { FACTORY } from "./events/factory-events.ts";
import { type Clause, compileFilter } from "./filters/compile-filter.ts";
import { at } from "./filters/payload-field.ts";
import { isEventTrigger } from "./listening.ts";

/** A delivery, or an event of the factory, as a test of an automation describes it. */
export interface TestedDelivery {
  payload: unknown;
  /** The webhook that it comes to, by the name of its file. */
  webhook?: string;
  /** What `X-GitHub-Event` says, or the event of the factory. */
  event?: string;
}

/** What a trigger that a delivery could fire makes of it. */
export interface Trial {
  /** Its place in the file, from 0. */
  index: number;
  fires: boolean;
  clauses: Clause[];
}

/** Holds a delivery against every trigger that deliveries of its kind fire. Pure. */
export function tryTriggers(triggers: readonly Trigger[], delivery: TestedDelivery): Trial[] {
  return triggers.flatMap((trigger, index): Trial[] => {
    const clauses = clausesOf(trigger, delivery);
    return clauses ? [{ index, fires: clauses.every(({ passed }) => passed), clauses }] : [];
  });
}

/** Nothing for a trigger that the delivery has nothing to do with. */
function clausesOf(trigger: Trigger, delivery: TestedDelivery): Clause[] | undefined {
  const { payload, webhook, event } = delivery;
  if (trigger.provider === "factory") {
    const happened = factoryEventOf(delivery);
    return happened === undefined ? undefined : compileEvent(trigger).explain({ event: happened, payload });
  }
  if (isEventTrigger(trigger)) {
    // GitHub says only in a header what its deliveries tell of; of the others, the body has to fit.
    if (trigger.provider === "github" && event === undefined) return undefined;
    const clauses = compileEvent(trigger).explain({ event: event ?? null, payload });
    return trigger.provider === "github" || clauses[0]?.passed ? clauses : undefined;
  }
  if (trigger.provider !== "webhook") return undefined;
  const { webhookNames, webhookIds } = trigger;
  // Which webhook a uid stands for only the server knows, so a trigger that lists one may mean any.
  const isSelected = webhook === undefined || webhookNames.includes(webhook) || webhookIds.length > 0;
  if (!isSelected) return undefined;
  return trigger.payload ? compileFilter(trigger.payload).explain(payload) : [];
}

/** The event of the factory that a test is about; its payload says so too, as the file that a run gets does. */
function factoryEventOf({ payload, webhook, event }: TestedDelivery): string | undefined {
  const said = event ?? at(payload, "event");
  const isKnown = typeof said === "string" && Object.hasOwn(FACTORY.events, said);
  return isKnown && webhook === undefined ? said : undefined;
}
