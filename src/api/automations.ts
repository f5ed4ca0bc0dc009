import type { Automation, Trigger } from "../definitions/definition.ts";
import type { StoredResource } from "../definitions/plan.ts";
import { MillraceError } from "../error.ts";
import { fileOf, findAutomation } from "../reconcile/edits/change-file.ts";
import { fileTag, resourceTag } from "../reconcile/edits/tag.ts";
import type { Factories, Factory } from "../reconcile/factories.ts";
import type { Cursors } from "./cursor.ts";
import type { Endpoints } from "./endpoint.ts";
import { findFactory } from "./factories.ts";
import { pageOf } from "./page.ts";

export interface AutomationParts {
  factories: Factories;
  cursors: Cursors;
}

export function automationEndpoints({ factories, cursors }: AutomationParts): Endpoints {
  return {
    listAutomations: {
      role: "viewer",
      async handle(request) {
        const factory = findFactory(request, factories);
        const { items, pageInfo } = pageOf(automationsOf(factory), ({ name }) => name, request, cursors);
        return {
          json: { automations: items.map((item) => automationView(item, factory)), page_info: pageInfo },
        };
      },
    },
    getAutomation: {
      role: "viewer",
      async handle(request) {
        const factory = findFactory(request, factories);
        const { name = "" } = request.path;
        const found = factory.served && findAutomation(name, factory.served);
        if (found) return automationReply(found, factory, factories);
        throw new MillraceError(
          "resource_not_found",
          `The factory "${factory.record.name}" has no automation "${name}".`,
          { remedy: "`millrace automations list` shows those it has." },
        );
      },
    },
  };
}

/** An automation; of a definition that millrace keeps, with the text of its file, which is what an edit begins with. */
export async function automationReply(resource: StoredResource, factory: Factory, factories: Factories) {
  const json = automationView(resource, factory);
  if (factory.record.mode !== "managed") return { json, etag: resourceTag(resource) };
  const tree = await factories.inForce(factory.record.uid);
  const entry = fileOf(resource.path, tree, factory.record.name);
  const content = (await tree.read([entry])).get(entry.id)?.toString("utf8") ?? "";
  return { json: { ...json, content }, etag: fileTag(entry) };
}

function automationsOf({ served }: Factory): StoredResource[] {
  return served?.resources.filter((resource) => resource.kind === "automation" && !resource.deleted) ?? [];
}

function automationView(resource: StoredResource, factory: Factory) {
  const automation = JSON.parse(resource.body) as Automation;
  return {
    uid: resource.uid,
    name: resource.name,
    enabled: automation.enabled,
    agent: automation.agent,
    triggers: automation.triggers.map((trigger) => triggerView(trigger, factory)),
    prompt: automation.prompt,
    defined_in: { path: resource.path, url: null },
    created_at: resource.createdAt,
    updated_at: resource.updatedAt,
  };
}

function triggerView(trigger: Trigger, { served }: Factory) {
  const { provider, event } = trigger;
  if (provider === "webhook") {
    const nameOf = (uid: string) =>
      served?.webhooks.find((webhook) => webhook.uid === uid)?.webhook.name ?? null;
    const byUid = trigger.webhookIds.map((uid) => ({ uid, name: nameOf(uid) }));
    const byName = trigger.webhookNames.map((name) => ({
      uid: served?.uidOf("webhook", name) ?? null,
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
