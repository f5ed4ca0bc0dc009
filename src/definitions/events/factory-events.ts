import { exact, name, one } from "../filters/payload-field.ts";
import type { EventProvider } from "./provider-event.ts";

/** The stages of a task, in the words of the public format. */
export const TASK_STAGES = ["TRIAGE", "SPEC", "IMPLEMENT", "REVIEW", "COMPLETE", "CANCELLED"] as const;

/** What happens inside a factory and can start its automations. */
export const FACTORY_EVENTS = ["work_item_stage_changed", "run_ended", "run_blocked"] as const;
export type FactoryEventName = (typeof FACTORY_EVENTS)[number];

/** The key of a filter that is a payload filter on the answer of a run, and no list. */
export const ANSWER_FILTER = "answer_json";

/** A run without an automation says so: a filter that only excludes some automations matches it. */
const ofRun = { agents: exact(one("run", "agent")), automations: exact(one("run", "automation")) };

/** The events that this server makes itself: no webhook brings them. */
export const FACTORY: EventProvider = {
  title: "the factory",
  saidAt: "event",
  describe: ({ event }) => event ?? "an event without a name",
  titles: ["{{task.title}}", "{{run.title}}"],
  events: {
    work_item_stage_changed: {
      happened: ({ event }) => event === "work_item_stage_changed",
      means: "a task that moves to another stage",
      fields: { stages: name(one("to")) },
    },
    run_ended: {
      happened: ({ event }) => event === "run_ended",
      means: "a run that ends",
      fields: { states: exact(one("run", "state")), ...ofRun },
    },
    run_blocked: {
      happened: ({ event }) => event === "run_blocked",
      means: "a run that asks a person",
      fields: ofRun,
    },
  },
};
