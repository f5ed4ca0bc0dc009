import { WHILE_RUNNING } from "../../definitions/definition.ts";
import { ref } from "../http/operation.ts";
import { described, instant, listOf, optionalInstant, optionalText, record, text } from "./shapes.ts";

/** Automations as the API shows them. */
export const automationModels = {
  Automation: record({
    uid: text,
    name: text,
    enabled: { type: "boolean" },
    agent: text,
    triggers: { type: "array", items: ref("AutomationTrigger") },
    prompt: text,
    concurrency: {
      type: ["integer", "null"],
      description: "How many runs of the automation can execute at the same time; null for no limit.",
    },
    "concurrency_key?": { ...ref("ConcurrencyKey"), description: "Only if the automation has one." },
    "debounce?": { ...ref("Debounce"), description: "Only if the automation has one." },
    missed: {
      type: "string",
      enum: ["skip", "once"],
      description: "Whether a schedule whose time passed while the server was down is skipped or fires once.",
    },
    timezone: { ...text, description: "The time zone of the cron expressions in its triggers." },
    push: { type: "boolean", description: "Whether its runs get a token with which they can push." },
    network: {
      type: "array",
      description:
        "What the definition says about the network of its runs. The last rule applies, and every locked one before it. The settings of the server and the runner can limit the network too.",
      items: ref("DefinedNetworkRule"),
    },
    title: {
      type: ["string", "null"],
      description: "The template of the titles of its runs; null for the default title.",
    },
    "budget?": { ...ref("Budget"), description: "Only if the automation has one." },
    next_fire_at: {
      ...optionalInstant,
      description:
        "When a schedule of the automation fires next; null if it has none, or while the automation is disabled or paused, or its factory is suspended.",
    },
    "content?": {
      type: "string",
      description: "The text of the automation's file; only in a managed definition.",
    },
    defined_in: ref("DefinedIn"),
    created_at: instant,
    updated_at: instant,
  }),
  DefinedNetworkRule: record({
    of: { type: "string", enum: ["factory", "agent", "automation"], description: "The file that says so." },
    rule: {
      description: "none (only the API of this server), all, or the hosts in allow.",
      anyOf: [
        { type: "string", enum: ["none", "all"] },
        record({ allow: { type: "array", items: text }, "locked?": { type: "boolean" } }),
      ],
    },
  }),
  ConcurrencyKey: described("What makes deliveries one thing.", {
    key: { ...text, description: "The template of the key." },
    while_running: {
      type: "string",
      enum: WHILE_RUNNING,
      description: "What a delivery does while a run of its key has not ended.",
    },
    forget_after: { ...text, description: "A duration, for example 24h." },
    max_turns: { type: "integer" },
  }),
  Debounce: described("How long a run waits for further deliveries, as durations such as 30s.", {
    quiet: { ...text, description: "Since the last delivery." },
    longest: { ...text, description: "Since the first delivery." },
  }),
  AutomationTrigger: record({
    provider: text,
    event: text,
    "webhooks?": { type: "array", items: ref("SelectedWebhook") },
    "payload?": { type: "object", description: "The payload filter, as written." },
    "schedule?": record({ "cron?": text, "name?": text }),
    "filter?": { type: "object", description: "The filter of another provider, as written." },
  }),
  SelectedWebhook: described(
    "A webhook that a trigger selects; uid or name is null if no such webhook exists.",
    { uid: optionalText, name: optionalText },
  ),
  AutomationList: listOf("automations", "Automation"),
} as const;
