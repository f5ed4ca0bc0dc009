import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { Automation } from "../../definitions/definition.ts";
import { shownHours } from "../../ingress/delivery-hours.ts";
import type { Factories } from "../../reconcile/factories.ts";
import type { HourlyRuns, RunSummaryStore } from "../../runs/run-query.ts";
import { type NextFiresDeps, nextFires } from "../../schedules/timetable.ts";
import type { TriggerStore } from "../../triggers/factory-event.ts";
import { type Endpoints, keyOf } from "../http/endpoint.ts";
import { runSummaryView } from "../runs/run-summary-view.ts";
import { automationsOf } from "./active-automations.ts";
import { askedFactories } from "./factories.ts";

export interface AutomationActivityDeps extends NextFiresDeps {
  runSummaries: RunSummaryStore;
  triggers: Pick<TriggerStore, "listRefused">;
  factories: Factories;
}

/** How the runs of automations went, and when their schedules fire. */
export function automationActivityEndpoints(deps: AutomationActivityDeps) {
  return {
    listAutomationActivity: {
      async handle(request) {
        const { uid, scheduled } = request.query;
        const asked = askedFactories(request, deps.factories).map((factory) => ({
          factory,
          automations: automationsOf(factory)
            .filter((each) => uid === undefined || each.uid === uid)
            .map(scheduledAutomation)
            .filter(({ schedules }) => !scheduled || schedules.length > 0),
        }));
        const uids = asked.flatMap(({ automations }) => automations.map((each) => each.uid));
        const hours = shownHours(deps.now());
        const since = new Date(hours[0] ?? 0).toISOString();
        const [summaries, counts, refusals] = await Promise.all([
          deps.runSummaries.listSummaries({ by: "automation", uids }),
          deps.runSummaries.listHourlyRuns(hours[0] ?? 0),
          deps.triggers.listRefused(since),
        ]);
        const summaryOf = new Map(summaries.map((summary) => [summary.uid, summary]));
        const countsOf = byAutomation(counts);
        const refusedOf = new Map(refusals.map(({ automationUid, refused }) => [automationUid, refused]));
        const activities = await Promise.all(
          asked.map(async ({ factory, automations }) => {
            const fires = await nextFires(factory, deps);
            return automations.map((automation) => ({
              uid: automation.uid,
              name: automation.name,
              factory: factory.record.name,
              factory_uid: factory.record.uid,
              enabled: automation.enabled,
              schedules: automation.schedules,
              missed: automation.missed,
              timezone: automation.timezone,
              next_fire_at: fires.get(automation.name)?.toISOString() ?? null,
              ...runSummaryView(summaryOf.get(automation.uid), keyOf(request)),
              ...hourlyView(countsOf.get(automation.uid) ?? [], hours),
              starts_refused: refusedOf.get(automation.uid) ?? 0,
            }));
          }),
        );
        return { json: { since, automations: activities.flat() } };
      },
    },
  } satisfies Endpoints;
}

function scheduledAutomation({ uid, name, body }: StoredResource) {
  const { enabled, missed, timezone = "UTC", triggers } = JSON.parse(body) as Automation;
  const schedules = triggers.flatMap((trigger) =>
    trigger.provider === "schedule" ? [{ cron: trigger.cron ?? null, name: trigger.name ?? null }] : [],
  );
  return { uid, name, enabled, missed, timezone, schedules };
}

function byAutomation(counts: readonly HourlyRuns[]): Map<string, HourlyRuns[]> {
  const found = new Map<string, HourlyRuns[]>();
  for (const each of counts) {
    const known = found.get(each.automationUid);
    if (known) known.push(each);
    else found.set(each.automationUid, [each]);
  }
  return found;
}

function hourlyView(counts: readonly HourlyRuns[], hours: readonly number[]) {
  const at = new Map(counts.map((each) => [each.hour, each]));
  return {
    runs: hours.map((hour) => at.get(hour)?.runs ?? 0),
    runs_failed: hours.map((hour) => at.get(hour)?.failed ?? 0),
  };
}
