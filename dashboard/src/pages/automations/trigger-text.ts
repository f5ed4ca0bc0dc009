import type { Models } from "../../api/client.ts";

const FACTORY_EVENTS: Readonly<Record<string, string>> = {
  run_ended: "the end of a run",
  run_blocked: "a question of an agent",
  work_item_stage_changed: "a task that enters a stage",
};

/** What starts an automation, in a line. */
export function triggerText({ provider, event, webhooks, schedule }: Models["AutomationTrigger"]): string {
  if (provider === "webhook") {
    const names = webhooks?.map(({ name, uid }) => name ?? uid ?? "?") ?? [];
    return names.length > 0 ? `a delivery to ${names.join(", ")}` : "a delivery to no webhook";
  }
  if (provider === "schedule") return schedule?.cron ? `${schedule.cron} (UTC)` : "a schedule";
  const own = provider === "factory" ? FACTORY_EVENTS[event] : undefined;
  return own ?? `${provider} ${event.replaceAll("_", " ")}`;
}
