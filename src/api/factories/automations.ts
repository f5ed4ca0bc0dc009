import type { Models } from "../../client/typed-paths.ts";
import { writtenDebounce } from "../../definitions/changes/field-changes.ts";
import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { Automation, KeyedConcurrency, Trigger } from "../../definitions/definition.ts";
import { MillraceError } from "../../errors/error.ts";
import { shownHours } from "../../ingress/delivery-hours.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { fileOf, fileTag, findAutomation, resourceTag } from "../../reconcile/managed-edits/change-file.ts";
import type { Factory, RunningFactory } from "../../reconcile/running-factory.ts";
import type { HourlyRuns, RunSummaryStore } from "../../runs/run-query.ts";
import { type NextFiresDeps, nextFires } from "../../runs/schedules/timetable.ts";
import type { TriggerStore } from "../../runs/triggers/factory-event.ts";
import { formatDuration } from "../../time/duration.ts";
import { type Endpoints, keyOf } from "../http/endpoint.ts";
import { type Cursors, pageOf } from "../http/page.ts";
import { runSummaryView } from "../runs/run-item.ts";
import { askedFactories, type BudgetViewDeps, budgetViews, findFactory } from "./factories.ts";

export interface AutomationDeps extends NextFiresDeps, AutomationActivityDeps, BudgetViewDeps {
  factories: Factories;
  cursors: Cursors;
}

export function automationEndpoints(deps: AutomationDeps) {
  const { factories, cursors } = deps;
  return {
    listAutomations: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const { items, pageInfo } = pageOf(automationsOf(factory), ({ name }) => name, request, cursors);
        const fires = await nextFires(factory, deps);
        const budgets = await budgetViews([factory], deps);
        const automations = items.map((item) => automationView(item, factory, { fires, budgets }));
        return { json: { automations, page_info: pageInfo } };
      },
    },
    getAutomation: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const { name } = request.path;
        const found = factory.active && findAutomation(name, factory.active);
        if (found) return automationReply(found, factory, deps);
        throw new MillraceError(
          "resource_not_found",
          `The factory "${factory.record.name}" has no automation "${name}".`,
          { remedy: "`millrace automations list` shows its automations." },
        );
      },
    },
    ...automationActivityEndpoints(deps),
  } satisfies Endpoints;
}

/** An automation; of a definition that millrace keeps, with the text of its file, which is what an edit begins with. */
export async function automationReply(
  resource: StoredResource,
  factory: RunningFactory,
  deps: NextFiresDeps & BudgetViewDeps,
) {
  const fires = await nextFires(factory, deps);
  const json = automationView(resource, factory, { fires, budgets: await budgetViews([factory], deps) });
  if (factory.record.mode !== "managed") return { json, etag: resourceTag(resource) };
  const tree = await factory.activeTree();
  const entry = fileOf(resource.path, tree, factory.record.name);
  const content = (await tree.read([entry])).get(entry.id)?.toString("utf8") ?? "";
  return { json: { ...json, content }, etag: fileTag(entry) };
}

function automationView(
  resource: StoredResource,
  factory: Factory,
  { fires, budgets }: { fires: ReadonlyMap<string, Date>; budgets: ReadonlyMap<string, Models["Budget"]> },
) {
  const automation = JSON.parse(resource.body) as Automation;
  const budget = budgets.get(resource.uid);
  return {
    uid: resource.uid,
    name: resource.name,
    enabled: automation.enabled,
    agent: automation.agent,
    triggers: automation.triggers.map((trigger) => triggerView(trigger, factory)),
    prompt: automation.prompt,
    concurrency: automation.concurrency ?? null,
    ...(automation.keyed ? { concurrency_key: keyView(automation.keyed) } : {}),
    ...(automation.debounce ? { debounce: writtenDebounce(automation.debounce) } : {}),
    missed: automation.missed,
    timezone: automation.timezone ?? "UTC",
    push: automation.push ?? false,
    network: networkView(automation, factory),
    title: automation.title ?? null,
    ...(budget ? { budget } : {}),
    next_fire_at: fires.get(resource.name)?.toISOString() ?? null,
    defined_in: { path: resource.path, url: null },
    created_at: resource.createdAt,
    updated_at: resource.updatedAt,
  };
}

/** What the definition says of the network of its runs, the nearest last. */
function networkView({ agent, network }: Automation, { active }: Factory) {
  const definition = active?.definition;
  const said = [
    { of: "factory" as const, rule: definition?.factory.network },
    { of: "agent" as const, rule: definition?.agents.find(({ name }) => name === agent)?.network },
    { of: "automation" as const, rule: network },
  ];
  return said.flatMap(({ of, rule }) => (rule === undefined ? [] : [{ of, rule }]));
}

function keyView({ key, whileRunning, forgetAfterMs, maxTurns }: KeyedConcurrency) {
  return {
    key,
    while_running: whileRunning,
    forget_after: formatDuration(forgetAfterMs),
    max_turns: maxTurns,
  };
}

function triggerView(trigger: Trigger, { active }: Factory) {
  const { provider, event } = trigger;
  if (provider === "webhook") {
    const nameOf = (uid: string) =>
      active?.webhooks.find((webhook) => webhook.uid === uid)?.webhook.name ?? null;
    const byUid = trigger.webhookIds.map((uid) => ({ uid, name: nameOf(uid) }));
    const byName = trigger.webhookNames.map((name) => ({
      uid: active?.uidOf("webhook", name) ?? null,
      name,
    }));
    return {
      provider,
      event,
      webhooks: [...byUid, ...byName],
      ...(trigger.payload ? { payload: trigger.payload } : {}),
    };
  }
  if (provider === "schedule") {
    const { cron, name } = trigger;
    return { provider, event, schedule: { ...(cron ? { cron } : {}), ...(name ? { name } : {}) } };
  }
  return { provider, event, filter: trigger.filter };
}

interface AutomationActivityDeps extends NextFiresDeps {
  runSummaries: RunSummaryStore;
  triggers: Pick<TriggerStore, "listRefused">;
  factories: Factories;
}

/** How the runs of automations went, and when their schedules fire. */
function automationActivityEndpoints(deps: AutomationActivityDeps) {
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

/** The automations of the active definition. */
function automationsOf({ active }: Factory): StoredResource[] {
  return active?.resources.filter((resource) => resource.kind === "automation" && !resource.deleted) ?? [];
}
