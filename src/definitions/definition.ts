import type { NotificationEvent } from "../config/notification-settings.ts";
import type { OutboundEvent } from "../config/outbound-events.ts";
import type { InjectRules } from "../network/inject-rule.ts";
import type { NetworkRule } from "../network/network-rule.ts";
import type { PayloadPattern } from "./filters/filter.ts";
import type { WrittenScheme } from "./schemes/scheme.ts";

/** A definition tree that has passed every check: names resolved, defaults filled in, safe to act on. */
export interface Definition {
  factory: Factory;
  agents: Agent[];
  automations: Automation[];
  runners: Runner[];
  webhooks: Webhook[];
  outbound: Outbound[];
  skills: Skill[];
  /** Kinds that are part of the format and checked, but have no effect on this server. */
  scorers: Named[];
  benchmarks: Named[];
}

/** Whatever a definition file describes has a name and knows its file. */
export interface Named {
  name: string;
  /** Relative to the root of the tree. */
  path: string;
}

export interface Factory extends Named {
  description?: string;
  alias?: string;
  repositories: RepositoryReference[];
  /** Whether runs go without those that cannot be cloned; left out where they do not. */
  repositoriesAreOptional?: true;
  /** Managed secrets that every run of the factory gets. */
  secrets: string[];
  /** Those of them that runs use without having them; left out where there are none. */
  inject?: InjectRules;
  mcpServers: Record<string, { warpId: string }>;
  /** The kinds of outside services, for example `linear`. */
  integrations: string[];
  runsPerHour?: number;
  /** Of all of its runs together. */
  budget?: Budget;
  /** For whom its runs may get identity tokens; left out where its file says nothing. */
  audiences?: string[];
  pruneGuard: "off" | "warn" | "block";
  /** Where its notifications go; left out when there is no such place. */
  notify?: NotifyTarget[];
  /** What its runs can reach over the network, unless a nearer file says otherwise. */
  network?: NetworkRule;
  /** Whether there is no factory.yaml: the tree holds webhooks and automations only. */
  smallest: boolean;
}

/** A place that the definition has notifications of its factory sent to. */
export interface NotifyTarget {
  name?: string;
  kind: "webhook" | "slack";
  /** Slack may have it in its secret. */
  url?: string;
  secretName?: string;
  events: NotificationEvent[];
}

export interface RepositoryReference {
  owner: string;
  name: string;
}

export type AgentType = "CUSTOM" | "FOREMAN" | "TRIAGE" | "SPEC" | "IMPLEMENT" | "REVIEW" | "VERIFY";

export interface Agent extends Named {
  description?: string;
  type: AgentType;
  prompt: string;
  execution: Execution;
  /** Which agents its runs may start, as its file says; left out where it says nothing. */
  starts?: StartGrant;
  /** As of a factory. */
  network?: NetworkRule;
  /** Of its runs, whatever starts them. */
  budget?: Budget;
  /** As of the factory, which it replaces. */
  audiences?: string[];
}

/** Which agents a run may start, and how many runs. */
export interface StartGrant {
  /** Names of agents of the same factory. */
  agents: string[] | "all";
  /** How many runs, in all turns together. */
  children: number;
  /** How many generations of runs may descend from it. At 0, it may start none. */
  depth: number;
}

/** How a run executes: factory defaults, then the agent's own keys, then the automation's. */
export interface Execution {
  harness: Harness;
  runner?: string;
  environmentId?: string;
  workerHost?: string;
  /** Managed secrets beside the factory-wide ones. */
  secrets: string[];
  /** Those of them that runs use without having them; left out where there are none. */
  inject?: InjectRules;
  mcpServers: Record<string, { warpId: string }>;
  /** Those that a definition describes itself, with what is inherited; left out where there are none. */
  ownMcpServers?: OwnMcpServers;
  /** For how long a session waits for messages; left out where it ends with its turn. */
  idleTimeoutMinutes?: number;
  /** Left out where it is that of the one that starts the run, or normal. */
  priority?: Priority;
  /** The JSON Schema of its answers; left out where they are texts. */
  outputSchema?: Record<string, unknown>;
}

/** Which runs of a factory come first. The first one is the most urgent. */
export const PRIORITIES = ["interactive", "normal", "batch"] as const;
export type Priority = (typeof PRIORITIES)[number];

/** MCP servers by name. */
export type OwnMcpServers = Record<string, OwnMcpServer>;

/** A program that is started, or a URL. */
export interface OwnMcpServer {
  command?: string;
  args?: string[];
  env?: Record<string, TextOrSecret>;
  url?: string;
  headers?: Record<string, TextOrSecret>;
  /** Whether a turn fails without it. */
  required?: boolean;
}

/** A secret stands there by its name. */
export type TextOrSecret = string | { secret: string };

export interface Harness {
  /** `oz` stands for the server's default harness, which a `model` alone means too. */
  type: string;
  model?: string;
  /** The models that are used while the provider of the model refuses more, in this order; left out where there are none. */
  fallbackModels?: string[];
  reasoningLevel?: string;
  auth?: { source: "managedSecret"; secretName: string } | { source: "workerEnvironment" };
}

export interface Automation extends Named, DeliveryGrouping {
  enabled: boolean;
  /** The name of the agent that runs. */
  agent: string;
  prompt: string;
  execution: Execution;
  triggers: Trigger[];
  concurrency?: number;
  missed: "skip" | "once";
  /** In which the cron expressions of its triggers are meant; UTC where it is left out. */
  timezone?: string;
  /** A template of the titles of its runs. */
  title?: string;
  /** Whether its runs get a token to push with; left out where they do not. */
  push?: true;
  /** Whether a delivery that starts one of its runs makes a task of it; left out where it does not. */
  opensTask?: true;
  /** As of an agent; they replace what its agent says. */
  starts?: StartGrant;
  /** As of a factory. */
  network?: NetworkRule;
  /** Of its runs; it adds to what its agent and its factory say. */
  budget?: Budget;
  audiences?: string[];
}

export type Trigger = WebhookTrigger | ScheduleTrigger | ProviderTrigger;

export interface WebhookTrigger {
  provider: "webhook";
  event: "received";
  /** Webhooks by UID. */
  webhookIds: string[];
  /** Webhooks by the names of their files. */
  webhookNames: string[];
  payload?: PayloadPattern;
}

export interface ScheduleTrigger {
  provider: "schedule";
  event: "cron_fired";
  cron?: string;
  name?: string;
  scheduleIds: string[];
}

/** A service whose events come in by its signed webhooks. */
export type EventProviderName = "github" | "gitlab" | "linear" | "jira" | "slack";

/** A trigger of an outside service, with its filter as written. */
export interface ProviderTrigger {
  provider: EventProviderName | "factory" | "azure-devops" | "teams";
  event: string;
  filter: Record<string, unknown>;
  /** Of a GitHub trigger that names no repositories: those of the factory, which alone count; left out when it has none. */
  repositories?: string[];
  /** How the filter is read. Definitions that an earlier version has applied lack it (see `former-triggers.ts`). */
  matching?: typeof MATCHING;
}

/** 2: a branch is matched as a whole. */
export const MATCHING = 2;

/** The system that a runner asks for, as written: what is left out is any. */
export interface Platform {
  os?: "linux" | "macos";
  arch?: "x86_64" | "aarch64";
}

export interface Runner extends Named {
  description?: string;
  setupCommands: string[];
  /** Whether what they make is kept for later workspaces: by default unless they see secrets. */
  cacheSetup?: boolean;
  dockerImage?: string;
  /** The secret with which the image is pulled. */
  registryCredentialSecretName?: string;
  instanceShape?: { vcpus: number; memoryGb: number };
  /** The system that it asks for. */
  platform?: Platform;
  /** As of a factory. */
  network?: NetworkRule;
}

export type AuthMode = "token" | "url_token" | "signature";

export interface Webhook extends Named {
  authMode: AuthMode;
  signatureScheme?: string;
  secretName: string;
  /** A secret that is accepted too, until an instant (RFC 3339). */
  previous?: { secretName: string; until: string };
  deliveryIdHeader?: string;
  enabled: boolean;
  /** For the scheme `custom`: how signatures are made. */
  customScheme?: WrittenScheme;
  /** For the scheme `custom`: whose triggers the deliveries feed. */
  provider?: EventProviderName;
}

/** Where events of the factory are posted to. */
export interface Outbound extends Named {
  url: string;
  secretName: string;
  events: OutboundEvent[];
  /** What the body of an event has to match. */
  filter?: PayloadPattern;
  enabled: boolean;
  /** Whether the events of one run wait for each other. */
  ordered: boolean;
}

/** A folder with a SKILL.md, shared or an agent's own. */
export interface Skill extends Named {
  description?: string;
  /** The agent it belongs to; nothing for a shared one. */
  agent?: string;
  content: string;
  /** What lies beside it; left out when there is nothing. */
  files?: SkillFile[];
}

/** A file beside a SKILL.md. */
export interface SkillFile {
  /** Relative to the folder of the skill, with `/`. */
  path: string;
  /** Text, or bytes in base64. */
  content: string;
  encoding?: "base64";
  executable?: true;
}

/** A factory may own this many webhooks (spec, Limits). */
export const MAX_WEBHOOKS = 20;

/** The agent that runs in a factory without agents of its own. */
export const DEFAULT_AGENT = "default";

/** What runs may use; what is left out is without a limit. */
export interface RunLimits {
  /** In US dollars, for all turns of a run together. */
  usdPerRun?: number;
  /** Input and output, with what was read from a cache, for all turns of a run together. */
  tokensPerRun?: number;
}

/** The budget of a factory, an agent or an automation, as its file says. A day is the last 24 hours. */
export interface Budget extends RunLimits {
  /** In US dollars. */
  usdPerDay?: number;
  /** Runs that start for the first time. */
  runsPerDay?: number;
  /** What becomes of further runs while the day is used up; left out, they wait. */
  onExhausted?: "wait" | "skip";
}

/** What becomes of an event while an earlier one of the same key is not done. */
export const WHILE_RUNNING = ["queue", "join", "replace", "continue"] as const;
export type WhileRunning = (typeof WHILE_RUNNING)[number];

/** What makes events one thing, and what becomes of those that come while it is at work. */
export interface KeyedConcurrency {
  /** A template of the key; see `key-template.ts`. */
  key: string;
  whileRunning: WhileRunning;
  /** How long after its creation a run can be continued, or holds its key while it is blocked; in milliseconds. */
  forgetAfterMs: number;
  /** How many turns a run can have that deliveries continue. */
  maxTurns: number;
}

/** How long an event waits for others that it becomes one run with; in milliseconds. */
export interface Debounce {
  /** Since the last one. */
  quietMs: number;
  /** Since the first one. */
  longestMs: number;
}

/** What makes deliveries to an automation one thing; left out where each one is a run of its own. */
export interface DeliveryGrouping {
  keyed?: KeyedConcurrency;
  debounce?: Debounce;
}

export const DEFAULT_FORGET_AFTER = "24h";
export const DEFAULT_MAX_TURNS = 50;
/** As a multiple of the quiet time. */
export const DEFAULT_LONGEST = 10;
/** A run holds no more deliveries, and no more bytes of their bodies; the next one begins another run. */
export const MAX_JOINED = 500;
export const MAX_JOINED_BYTES = 64 * 1024 * 1024;

/** The name of the server's own tools in every run; no other server may have it. */
export const OWN_SERVER = "millrace";
