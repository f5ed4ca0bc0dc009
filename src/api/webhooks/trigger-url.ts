import type { Factories } from "../../reconcile/factories.ts";
import type { Run } from "../../runs/run.ts";

export interface TriggerDeps {
  publicUrl: () => string;
  factories: Pick<Factories, "list">;
}

type Origin = Pick<
  Run,
  "metadata" | "source" | "factoryUid" | "automationUid" | "webhookUid" | "deliveryId" | "scheduleId"
>;

/** Where to look at what has started a run: its ticket, else its delivery, its automation's schedule, or its own. */
export function triggerUrl(run: Origin, deps: TriggerDeps): string | undefined {
  return ticketUrl(run) ?? pageOfTrigger(run, deps);
}

/** Metadata can be any text: only a web address is followed. */
function ticketUrl({ metadata: { ticket_url = "" } }: Origin): string | undefined {
  return URL.canParse(ticket_url) && /^https?:$/.test(new URL(ticket_url).protocol) ? ticket_url : undefined;
}

function pageOfTrigger(run: Origin, { publicUrl, factories }: TriggerDeps): string | undefined {
  const factory = factories.list().find(({ record }) => record.uid === run.factoryUid);
  const page = factory && `${publicUrl()}/factories/${encodeURIComponent(factory.record.name)}`;
  if (page && run.webhookUid && run.deliveryId) {
    return `${page}/webhooks/${run.webhookUid}?delivery=${run.deliveryId}`;
  }
  if (run.source !== "SCHEDULED_AGENT") return undefined;
  if (run.automationUid === null) return `${publicUrl()}/schedules`;
  const automation = factory?.active?.resources.find(
    ({ kind, uid, deleted }) => kind === "automation" && uid === run.automationUid && !deleted,
  );
  return automation && `${page}/automations/${encodeURIComponent(automation.name)}`;
}
