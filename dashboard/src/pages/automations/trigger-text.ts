import type { Models } from "../../api/client.ts";

/** What starts an automation, in a line. */
export function triggerText({ provider, event, webhooks, schedule }: Models["AutomationTrigger"]): string {
  if (provider === "webhook") {
    const names = webhooks?.map(({ name, uid }) => name ?? uid ?? "?") ?? [];
    return names.length > 0 ? `a delivery to ${names.join(", ")}` : "a delivery to no webhook";
  }
  if (provider === "schedule") return schedule?.cron ? `${schedule.cron} (UTC)` : "a schedule";
  return `${provider} ${event.replaceAll("_", " ")}`;
}
