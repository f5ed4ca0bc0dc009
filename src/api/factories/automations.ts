import type { Models } from "../../client/typed-paths.ts";
import { writtenDebounce } from "../../definitions/changes/field-changes.ts";
import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { Automation, KeyedConcurrency, Trigger } from "../../definitions/definition.ts";
import { MillraceError } from "../../errors/error.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { fileOf, fileTag, findAutomation, resourceTag } from "../../reconcile/managed-edits/change-file.ts";
import type { Factory, RunningFactory } from "../../reconcile/running-factory.ts";
import { type NextFiresDeps, nextFires } from "../../schedules/timetable.ts";
import { formatDuration } from "../../time/duration.ts";
import type { Cursors } from "../http/cursor.ts";
import type { Endpoints } from "../http/endpoint.ts";
import { pageOf } from "../http/page.ts";
import { automationsOf } from "./active-automations.ts";
import { type AutomationActivityDeps, automationActivityEndpoints } from "./automation-activity.ts";
import { type BudgetViewDeps, budgetViews } from "./budget-view.ts";
import { findFactory } from "./factories.ts";

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
