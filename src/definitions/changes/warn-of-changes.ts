import { isDeepStrictEqual } from "node:util";
import { allowedBy, isLocked, type NetworkRule, widerEntries } from "../../network/network-rule.ts";
import { pluralize } from "../../pluralize.ts";
import type { Agent, Automation, Definition, EventProviderName, StartGrant, Webhook } from "../definition.ts";
import { EVENT_PROVIDERS, isEventProvider } from "../events/event-provider.ts";
import { type HeardWebhook, heardWebhook, listensAt, providerOf } from "../listening.ts";
import type { DataPath } from "../loading/parse.ts";
import type { Position } from "../problem.ts";
import { grantOf, grantsAgent } from "../start-grant.ts";
import type { DefinitionChange, StoredResource } from "./plan.ts";
import type { PlanWarning, WarningCode } from "./plan-warning.ts";

/** Where a value stands in a file of the new tree. */
export type Locate = (path: string, at: DataPath) => Position;

/** A plan's input and its changes, as the warnings need them. */
interface PlannedChange {
  stored: readonly StoredResource[];
  changes: readonly DefinitionChange[];
  definition: Definition;
  locate: Locate;
}

/** What the changes of a plan bring with them that a list of files does not show. Pure. */
export function warnOfChanges(planned: PlannedChange): PlanWarning[] {
  return [
    ...urlsThatChange(planned),
    ...automationsThatStop(planned),
    ...providersNotConnected(planned),
    ...grantsThatWiden(planned),
    ...networksThatWiden(planned),
  ];
}

function urlsThatChange(planned: PlannedChange): PlanWarning[] {
  const { changes, stored } = planned;
  const webhooks = changes.filter(({ kind }) => kind === "webhook");
  const created = webhooks.filter(({ action, uid }) => action === "create" && uid === undefined);
  const renames = webhooks
    .filter(({ action }) => action === "delete")
    .flatMap((gone): PlanWarning[] => {
      const index = created.findIndex((made) => isSameButForItsName(gone, made));
      const [made] = index < 0 ? [] : created.splice(index, 1);
      if (!made) return [];
      const message =
        `the webhook "${gone.name}" is renamed to "${made.name}", which deletes it and creates a new one: ` +
        "its senders get 404 until they use the new URL";
      return [warning(planned, "url_will_change", made.path, [], message)];
    });
  const readdressed = webhooks
    .filter(({ action }) => action === "update")
    .flatMap((change): PlanWarning[] => {
      const before = stored.find(({ uid }) => uid === change.uid);
      if (!before || !changesUrl(webhookOf(before), webhookOf(change))) return [];
      const message = `the URL of the webhook "${change.name}" changes with its token: give its senders the new URL`;
      return [warning(planned, "url_will_change", change.path, ["authMode"], message)];
    });
  return [...renames, ...readdressed];
}

/** A webhook that goes and one that comes are one that was renamed when their senders prove themselves alike. */
function isSameButForItsName(gone: DefinitionChange, made: DefinitionChange): boolean {
  const [before, after] = [webhookOf(gone), webhookOf(made)];
  return (
    before.secretName === after.secretName &&
    before.authMode === after.authMode &&
    before.signatureScheme === after.signatureScheme
  );
}

function changesUrl(before: Webhook, after: Webhook): boolean {
  const hasToken = (webhook: Webhook) => webhook.authMode === "url_token";
  if (hasToken(before) !== hasToken(after)) return true;
  return hasToken(after) && before.secretName !== after.secretName;
}

function automationsThatStop(planned: PlannedChange): PlanWarning[] {
  const { stored, changes, definition } = planned;
  const before = liveWebhooks(stored.filter((resource) => resource.kind === "webhook" && !resource.deleted));
  const after = liveWebhooks(changes.filter(({ kind, action }) => kind === "webhook" && action !== "delete"));
  const updated = new Set(
    changes
      .filter(({ kind, action }) => kind === "automation" && action === "update")
      .map(({ name }) => name),
  );
  // Nothing is lost where neither the automation nor any webhook is another; and there may be thousands of them.
  const sameWebhooks = isDeepStrictEqual(before, after);
  const isTouched = ({ name }: StoredResource) => !sameWebhooks || updated.has(name);
  const automations = new Map(
    stored
      .filter((resource) => resource.kind === "automation" && !resource.deleted && isTouched(resource))
      .map((resource) => [resource.name, resource]),
  );
  return definition.automations.flatMap((automation): PlanWarning[] => {
    const known = automations.get(automation.name);
    const old = known && (JSON.parse(known.body) as Automation);
    const sources = old ? sourcesOf(old, before) : [];
    const left = sourcesOf(automation, after);
    const lost = sources.filter((source) => !left.includes(source));
    if (!old || lost.length === 0) return [];
    const rewritten = JSON.stringify(old.triggers) !== JSON.stringify(automation.triggers);
    if (left.length > 0 && rewritten) return [];
    const message = whyItStops(automation, lost, left);
    const at: DataPath = automation.enabled ? ["triggers"] : ["enabled"];
    return [warning(planned, "automation_stops_firing", automation.path, at, message)];
  });
}

function whyItStops({ name, enabled }: Automation, lost: readonly string[], left: readonly string[]): string {
  if (!enabled) return `the automation "${name}" stops firing: it is disabled`;
  const fired = lost.join(", ");
  return left.length > 0
    ? `the automation "${name}" no longer fires for ${fired}; it still fires for ${left.join(", ")}`
    : `the automation "${name}" stops firing: it was started only by ${fired}`;
}

function liveWebhooks(
  resources: readonly { uid: string | undefined; name: string; body: string }[],
): HeardWebhook[] {
  return resources.flatMap((resource) => {
    const webhook = webhookOf(resource);
    return webhook.enabled ? [heardWebhook(resource.uid, webhook)] : [];
  });
}

/** What starts runs of an automation, each in words. */
function sourcesOf({ enabled, triggers }: Automation, webhooks: readonly HeardWebhook[]): string[] {
  if (!enabled) return [];
  const sources = triggers.flatMap((trigger): string[] => {
    if (trigger.provider === "schedule") return ["its schedule"];
    if (trigger.provider === "factory") return ["events of the factory"];
    const what = isEventProvider(trigger.provider)
      ? `events from ${EVENT_PROVIDERS[trigger.provider].title} at`
      : "the webhook";
    return webhooks.filter((webhook) => listensAt(trigger, webhook)).map(({ name }) => `${what} "${name}"`);
  });
  return [...new Set(sources)];
}

/** Triggers of a webhook name theirs; the others happen on the server itself. */
const NEEDS_NO_WEBHOOK_OF_ITS_OWN: ReadonlySet<string> = new Set(["webhook", "schedule", "factory"]);

function providersNotConnected(planned: PlannedChange): PlanWarning[] {
  const { definition } = planned;
  const fed = new Set<string | undefined>(
    definition.webhooks.filter(({ enabled }) => enabled).map(providerOf),
  );
  const silent = (provider: string) => !NEEDS_NO_WEBHOOK_OF_ITS_OWN.has(provider) && !fed.has(provider);
  const places = new Map<string, { path: string; at: DataPath; automations: Set<string> }>();
  for (const { name, path, enabled, triggers } of definition.automations) {
    for (const [index, { provider }] of triggers.entries()) {
      if (!enabled || !silent(provider)) continue;
      const at = ["triggers", index, "provider"];
      const place = places.get(provider) ?? { path, at, automations: new Set() };
      place.automations.add(name);
      places.set(provider, place);
    }
  }
  return [...places].map(([provider, { path, at, automations }]) => {
    const remedy = isEventProvider(provider) ? `; add a webhook with ${schemeFor(provider)}` : "";
    const message =
      `no webhook receives events of ${provider}, so its triggers do not fire ` +
      `(${pluralize(automations.size, "automation")})${remedy}`;
    return warning(planned, "provider_not_connected", path, at, message);
  });
}

/** What a webhook file needs to feed the triggers of a provider. */
function schemeFor(provider: EventProviderName): string {
  return provider === "jira"
    ? "signatureScheme: custom and millrace: { provider: jira }"
    : `signatureScheme: ${provider}`;
}

function webhookOf({ body }: { body: string }): Webhook {
  return JSON.parse(body) as Webhook;
}

function warning(
  { locate }: PlannedChange,
  code: WarningCode,
  path: string,
  at: DataPath,
  message: string,
): PlanWarning {
  return { code, message, path, ...locate(path, at), blocking: false };
}

/**
 * Agents and automations whose runs may start more than those of today. Those of a factory's first definition are all new,
 * and so is each that nothing was known of: it is told of when its file has a grant.
 */
function grantsThatWiden({ stored, definition, locate }: PlannedChange): PlanWarning[] {
  const known = new Map(
    stored
      .filter(({ deleted }) => !deleted)
      .map((resource) => [`${resource.kind} ${resource.name}`, resource]),
  );
  if (known.size === 0) return [];
  const agents = new Map(definition.agents.map((agent) => [agent.name, agent]));
  const agentBefore = (name: string) => bodyOf<Agent>(known.get(`agent ${name}`));
  const ofAgents = definition.agents.map((agent) => {
    const before = agentBefore(agent.name);
    return {
      what: "agent",
      of: agent,
      before: grantOf(before),
      after: before || agent.starts ? grantOf(agent) : undefined,
    };
  });
  const ofAutomations = definition.automations.map((automation) => {
    const before = bodyOf<Automation>(known.get(`automation ${automation.name}`));
    const isOfAgent = !automation.starts && !before?.starts && (!before || before.agent === automation.agent);
    // What its agent may do is told of the agent.
    const after = isOfAgent ? undefined : grantOf(agents.get(automation.agent), automation);
    const former = before && grantOf(agentBefore(before.agent), before);
    return { what: "automation", of: automation, before: former, after };
  });
  return [...ofAgents, ...ofAutomations].flatMap(({ what, of, before, after }): PlanWarning[] => {
    const more = after ? grantedMore(before, after, [...agents.keys()]) : [];
    if (more.length === 0) return [];
    const message = `runs of the ${what} "${of.name}" may start more than before: ${more.join("; ")}`;
    return [
      { code: "grant_widened", message, path: of.path, ...locate(of.path, ["millrace"]), blocking: false },
    ];
  });
}

function grantedMore(before: StartGrant | undefined, after: StartGrant, agents: readonly string[]): string[] {
  const former = before ?? { agents: [], children: 0, depth: 0 };
  const added = agents.filter((name) => grantsAgent(after, name) && !grantsAgent(former, name));
  if (!before) return [`${listOf(added)} (${pluralize(after.children, "run")}, ${generations(after.depth)})`];
  return [
    ...(added.length > 0 ? [listOf(added)] : []),
    ...(after.children > before.children
      ? [`${pluralize(after.children, "run")} instead of ${before.children}`]
      : []),
    ...(after.depth > before.depth ? [`${generations(after.depth)} instead of ${before.depth}`] : []),
  ];
}

const generations = (depth: number) => pluralize(depth, "generation");
const listOf = (names: readonly string[]) =>
  `the ${names.length === 1 ? "agent" : "agents"} ${names.map((name) => `"${name}"`).join(", ")}`;

function bodyOf<Resource>(resource: StoredResource | undefined): Resource | undefined {
  return resource && (JSON.parse(resource.body) as Resource);
}

interface Ruled {
  kind: "factory" | "runner" | "agent" | "automation";
  name: string;
  path: string;
  network?: NetworkRule;
}

/** Files that limited what runs can reach, and limit it less. */
function networksThatWiden({ stored, definition, locate }: PlannedChange): PlanWarning[] {
  const { factory, runners, agents, automations } = definition;
  const all: Ruled[] = [
    { ...factory, kind: "factory" },
    ...runners.map((runner): Ruled => ({ ...runner, kind: "runner" })),
    ...agents.map((agent): Ruled => ({ ...agent, kind: "agent" })),
    ...automations.map((automation): Ruled => ({ ...automation, kind: "automation" })),
  ];
  return all.flatMap(({ kind, name, path, network }): PlanWarning[] => {
    const before = ruleOf(stored.find((each) => isOf(each, kind, name)));
    const more = before === undefined ? undefined : reachedMore(before, network);
    if (more === undefined) return [];
    const whose = kind === "factory" ? "the factory" : `the ${kind} "${name}"`;
    const message = `runs of ${whose} can reach more than before: ${more}`;
    return [
      {
        code: "network_widened",
        message,
        path,
        blocking: false,
        ...locate(path, ["millrace", "network"]),
      },
    ];
  });
}

/** There is one factory, which may get another name. */
function isOf({ deleted, kind, name }: StoredResource, ofKind: Ruled["kind"], ofName: string): boolean {
  return !deleted && kind === ofKind && (kind === "factory" || name === ofName);
}

function ruleOf(resource: StoredResource | undefined): NetworkRule | undefined {
  return resource && (JSON.parse(resource.body) as { network?: NetworkRule }).network;
}

/** @returns what a rule allows that the one before did not, the end of a sentence */
function reachedMore(before: NetworkRule, after: NetworkRule | undefined): string | undefined {
  const most = allowedBy(before);
  if (most === undefined) return undefined;
  if (after === undefined) return "network is not set any more";
  const allowed = allowedBy(after);
  if (allowed === undefined) return "all";
  const added = widerEntries(allowed, most);
  if (added.length > 0) return added.join(", ");
  return isLocked(before) && !isLocked(after) ? "the list is not locked any more" : undefined;
}
