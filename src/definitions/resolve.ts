import type { InjectRules } from "../network/inject-rule.ts";
import { DAY_MS, type DurationUnit, parseDuration } from "../time/duration.ts";
import { parseInstant } from "../time/instant.ts";
import {
  type Agent,
  type AgentType,
  type Automation,
  DEFAULT_AGENT,
  DEFAULT_FORGET_AFTER,
  DEFAULT_LONGEST,
  DEFAULT_MAX_TURNS,
  type Debounce,
  type Definition,
  type Execution,
  type Factory,
  type KeyedConcurrency,
  MATCHING,
  type Outbound,
  type OwnMcpServers,
  type Platform,
  type Priority,
  type ProviderTrigger,
  type RepositoryReference,
  type Runner,
  type Trigger,
  type Webhook,
} from "./definition.ts";
import type { PayloadPattern } from "./filters/filter.ts";
import { hasConstraint } from "./filters/matcher-list.ts";
import { inherit, NOTHING_SET, optional } from "./inherit.ts";
import { isForeman } from "./rules/agent-rules.ts";
import { outputSchemaOf } from "./rules/output-rules.ts";
import { writtenGrant } from "./start-grant.ts";
import type { WrittenFile, WrittenTree } from "./tree.ts";
import type {
  OwnHarness,
  WrittenAgent,
  WrittenAutomation,
  WrittenConcurrency,
  WrittenOutbound,
  WrittenRunner,
  WrittenTrigger,
  WrittenWebhook,
} from "./written.ts";

/**
 * Turns a checked tree into what the rest of the program trusts: defaults filled in, aliases replaced, and the way
 * each agent and automation executes resolved (factory defaults, then agent, then automation).
 * @param sourceName names a factory that has no factory.yaml
 */
export function resolveTree(tree: WrittenTree, sourceName: string): Definition {
  const ofFactory = tree.factory?.data;
  const defaults = withOwn(inherit(NOTHING_SET, ofFactory?.agentDefaults ?? {}), {
    ...optional("mcpServers", ofFactory?.millrace?.mcpServers),
  });
  const agents = tree.agents.map((agent) => resolveAgent(agent, defaults));
  const foreman = agents.find((agent) => agent.type === "FOREMAN")?.name ?? DEFAULT_AGENT;
  const executions = new Map(agents.map(({ name, execution }) => [name, execution]));
  const executionOf = (name: string) => executions.get(name) ?? defaults;
  return {
    factory: resolveFactory(tree, sourceName),
    agents,
    automations: tree.automations.map((automation) => {
      const agent = automation.data.agent ?? foreman;
      const inherited = inherit(executionOf(agent), automation.data);
      const execution = withOwn(inherited, automation.data.millrace);
      const starts = writtenGrant(automation.data.millrace, agent === foreman);
      const resolved = resolveAutomation(automation, agent, execution, tree.factory?.data.repositories ?? []);
      const outputSchema = outputSchemaOf(automation, tree);
      return {
        ...resolved,
        ...optional("starts", starts),
        ...(outputSchema ? { execution: { ...execution, outputSchema } } : {}),
      };
    }),
    runners: tree.runners.map(resolveRunner),
    webhooks: tree.webhooks.map(resolveWebhook),
    outbound: tree.outbound.map(resolveOutbound),
    skills: tree.skills,
    scorers: tree.scorers.map(({ name, path }) => ({ name, path })),
    benchmarks: tree.suites.map(({ name, path }) => ({ name, path })),
  };
}

function resolveFactory(tree: WrittenTree, sourceName: string): Factory {
  const data = tree.factory?.data;
  return {
    name: data?.name ?? sourceName,
    path: "factory.yaml",
    ...optional("description", data?.description),
    ...optional("alias", data?.alias || undefined),
    repositories: data?.repositories ?? [],
    ...optional("repositoriesAreOptional", data?.millrace?.repositories === "optional" || undefined),
    secrets: withNames(data?.secrets ?? [], Object.keys(data?.millrace?.inject ?? {})),
    ...optional("inject", data?.millrace?.inject),
    mcpServers: data?.mcpServers ?? {},
    integrations: data?.integrations?.map((integration) => integration.type) ?? [],
    ...optional("runsPerHour", data?.millrace?.runsPerHour),
    ...optional("budget", data?.millrace?.budget),
    ...optional("audiences", data?.millrace?.identity?.audiences),
    pruneGuard: data?.millrace?.pruneGuard ?? "warn",
    ...optional("notify", data?.millrace?.notify),
    ...optional("network", data?.millrace?.network),
    smallest: data === undefined,
  };
}

function resolveAgent(agent: WrittenFile<WrittenAgent>, defaults: Execution): Agent {
  return {
    name: agent.name,
    path: agent.path,
    ...optional("description", agent.data.description),
    type: isForeman(agent) ? "FOREMAN" : ((agent.data.agentType ?? "CUSTOM") as AgentType),
    prompt: agent.file.body,
    execution: withOwn(inherit(defaults, agent.data), agent.data.millrace),
    ...optional("starts", writtenGrant(agent.data.millrace, isForeman(agent))),
    ...optional("network", agent.data.millrace?.network),
    ...optional("budget", agent.data.millrace?.budget),
    ...optional("audiences", agent.data.millrace?.identity?.audiences),
  };
}

function resolveAutomation(
  automation: WrittenFile<WrittenAutomation>,
  agent: string,
  execution: Execution,
  repositories: readonly RepositoryReference[],
): Automation {
  const { data } = automation;
  return {
    name: automation.name,
    path: automation.path,
    enabled: data.enabled ?? true,
    agent,
    prompt: automation.file.body,
    execution,
    triggers: data.triggers.map((trigger) => resolveTrigger(trigger, repositories)),
    ...writtenConcurrency(data.millrace ?? {}),
    ...optional("budget", data.millrace?.budget),
    missed: data.millrace?.missed ?? "skip",
    ...optional("timezone", data.millrace?.timezone),
    ...optional("title", data.millrace?.title),
    ...optional("push", data.millrace?.push || undefined),
    ...optional("opensTask", data.millrace?.task || undefined),
    ...optional("network", data.millrace?.network),
    ...optional("audiences", data.millrace?.identity?.audiences),
  };
}

/**
 * A trigger as written, with every default in place.
 * @param repositories those of the factory
 */
export function resolveTrigger(
  trigger: WrittenTrigger,
  repositories: readonly RepositoryReference[] = [],
): Trigger {
  const filter = trigger.filter ?? {};
  if (trigger.provider === "webhook") {
    return {
      provider: "webhook",
      event: "received",
      webhookIds: inclusion(filter.webhook_ids),
      webhookNames: trigger.millrace?.webhooks ?? [],
      ...optional("payload", filter.payload as PayloadPattern | undefined),
    };
  }
  if (trigger.provider === "schedule") {
    return {
      provider: "schedule",
      event: "cron_fired",
      ...optional("cron", trigger.schedule?.cron),
      ...optional("name", trigger.schedule?.name),
      scheduleIds: inclusion(filter.schedule_ids),
    };
  }
  const provider = trigger.provider as ProviderTrigger["provider"];
  if (provider !== "github") return { provider, event: trigger.event, filter };
  const isLimited = repositories.length > 0 && !hasConstraint(filter.repos);
  return {
    provider,
    event: trigger.event,
    filter,
    ...optional("repositories", isLimited ? repositories.map(fullName) : undefined),
    matching: MATCHING,
  };
}

function fullName({ owner, name }: RepositoryReference): string {
  return `${owner}/${name}`;
}

/** A bare list or `{in: list}`. */
/** The values that a matcher lets in, as a list or below `in`. */
export function inclusion(matcher: unknown): string[] {
  if (Array.isArray(matcher)) return matcher;
  return (matcher as { in?: string[] } | undefined)?.in ?? [];
}

function resolveRunner(runner: WrittenFile<WrittenRunner>): Runner {
  const { data } = runner;
  return {
    name: runner.name,
    path: runner.path,
    ...optional("description", data.description),
    setupCommands: data.setupCommands ?? [],
    ...optional("dockerImage", data.platform?.linux?.dockerImage),
    ...optional("registryCredentialSecretName", data.platform?.linux?.registryCredentialSecretName),
    ...optional("instanceShape", data.instanceShape),
    ...optional("platform", platformOf(data)),
    ...optional("network", data.millrace?.network),
    ...optional("cacheSetup", data.millrace?.cacheSetup),
  };
}

/**
 * What a file injects takes the place of what its level inherits, and its MCP servers that of servers with the same names. The
 * secrets of both are granted with them.
 */
function withOwn(
  execution: Execution,
  own: {
    inject?: InjectRules;
    mcpServers?: OwnMcpServers;
    harness?: OwnHarness;
    idleTimeoutMinutes?: number;
    priority?: Priority;
  } = {},
): Execution {
  const inject = own.inject ?? execution.inject;
  const servers = { ...execution.ownMcpServers, ...own.mcpServers };
  const named = [...Object.keys(inject ?? {}), ...secretsOfServers(servers)];
  const { fallbackModels } = own.harness ?? {};
  return {
    ...execution,
    harness: { ...execution.harness, ...optional("fallbackModels", fallbackModels) },
    secrets: withNames(execution.secrets, named),
    ...optional("inject", inject),
    ...(Object.keys(servers).length > 0 ? { ownMcpServers: servers } : {}),
    ...optional("idleTimeoutMinutes", own.idleTimeoutMinutes ?? execution.idleTimeoutMinutes),
    ...optional("priority", own.priority ?? execution.priority),
  };
}

function secretsOfServers(servers: OwnMcpServers): string[] {
  return Object.values(servers).flatMap(({ env, headers }) =>
    Object.values({ ...env, ...headers }).flatMap((value) =>
      typeof value === "string" ? [] : [value.secret],
    ),
  );
}

function withNames(secrets: readonly string[], names: readonly string[]): string[] {
  return [...new Set([...secrets, ...names])];
}

/** What a runner says of its system, and nothing when it says none. */
function platformOf({ platform: { os, arch } = {} }: WrittenRunner): Platform | undefined {
  return os || arch ? { ...optional("os", os), ...optional("arch", arch) } : undefined;
}

function resolveWebhook(webhook: WrittenFile<WrittenWebhook>): Webhook {
  const { data } = webhook;
  return {
    name: webhook.name,
    path: webhook.path,
    authMode: data.authMode ?? "token",
    ...optional("signatureScheme", data.signatureScheme),
    secretName: data.secretName,
    ...optional("previous", previousOf(data)),
    ...optional("deliveryIdHeader", data.deliveryIdHeader),
    enabled: data.enabled ?? true,
    ...optional("customScheme", data.millrace?.scheme),
    ...optional("provider", data.millrace?.provider),
  };
}

function resolveOutbound({ name, path, data }: WrittenFile<WrittenOutbound>): Outbound {
  const { url, secretName, events, filter, enabled = true, ordered = false } = data;
  const pattern = filter as PayloadPattern | undefined;
  return { name, path, url, secretName, events, ...optional("filter", pattern), enabled, ordered };
}

/** The schema asks for both or none. */
function previousOf({ millrace: { previousSecretName, until } = {} }: WrittenWebhook): Webhook["previous"] {
  if (previousSecretName === undefined || until === undefined) return undefined;
  const at = parseInstant(until);
  // What is no instant is reported by a rule, and nothing of it comes into force.
  return { secretName: previousSecretName, until: at === undefined ? until : new Date(at).toISOString() };
}

const UNITS: readonly DurationUnit[] = ["ms", "s", "m", "h", "d"];

/** A duration of the blocks `concurrency` and `debounce` in milliseconds; 0 for one that is not valid, which is an error elsewhere. */
export function writtenDuration(text: string): number {
  return parseDuration(text, UNITS) ?? 0;
}

/** What an automation says of deliveries that belong together, with every default in place. */
export function writtenConcurrency({
  concurrency,
  debounce,
}: NonNullable<WrittenAutomation["millrace"]>): Pick<Automation, "concurrency" | "keyed" | "debounce"> {
  return {
    ...(typeof concurrency === "object"
      ? { keyed: keyed(concurrency) }
      : optional("concurrency", concurrency)),
    ...optional("debounce", debounce && resolveDebounce(debounce)),
  };
}

function keyed({ key, whileRunning = "queue", forgetAfter, maxTurns }: WrittenConcurrency): KeyedConcurrency {
  return {
    key,
    whileRunning,
    forgetAfterMs: writtenDuration(forgetAfter ?? DEFAULT_FORGET_AFTER),
    maxTurns: maxTurns ?? DEFAULT_MAX_TURNS,
  };
}

function resolveDebounce({ quiet, longest }: { quiet: string; longest?: string }): Debounce {
  const quietMs = writtenDuration(quiet);
  return {
    quietMs,
    longestMs: longest === undefined ? Math.min(DEFAULT_LONGEST * quietMs, DAY_MS) : writtenDuration(longest),
  };
}
