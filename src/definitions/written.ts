import type { OutboundEvent } from "../config/outbound-events.ts";
import type { InjectRules } from "../network/inject-rule.ts";
import type { NetworkRule } from "../network/network-rule.ts";
import type {
  Budget,
  EventProviderName,
  NotifyTarget,
  OwnMcpServers,
  Priority,
  WhileRunning,
} from "./definition.ts";
import type { WrittenScheme } from "./schemes/scheme.ts";
/** Definition files as people write them. The schemas have checked these shapes; the rules between files have not. */

export interface WrittenFactory
  extends WrittenMillrace<{
    identity?: WrittenIdentity;
    pruneGuard?: "off" | "warn" | "block";
    runsPerHour?: number;
    budget?: Budget;
    repositories?: "required" | "optional";
    notify?: NotifyTarget[];
    network?: NetworkRule;
    inject?: InjectRules;
    mcpServers?: OwnMcpServers;
  }> {
  schemaVersion: "v1alpha1";
  name: string;
  description?: string;
  alias?: string;
  credentialStrategy?: string;
  repositories: { owner: string; name: string }[];
  secrets?: string[];
  mcpServers?: WrittenMcpServers;
  cloudProviders?: object;
  providers?: object;
  integrations?: { type: string }[];
  agentDefaults: WrittenExecution;
  codeForges?: string[];
}

/** The keys that factory defaults, agents and automations share. `null` inherits; see the schemas for the exceptions. */
export interface WrittenExecution {
  model?: string | null;
  harness?: WrittenHarness;
  runner?: string | null;
  environmentId?: string | null;
  workerHost?: string | null;
  secrets?: string[];
  mcpServers?: WrittenMcpServers;
}

export type WrittenMcpServers = Record<string, { warpId: string }>;

export interface WrittenHarness {
  type?: string;
  model?: string;
  reasoningLevel?: string | null;
  auth?: { source: "managedSecret"; secretName: string } | { source: "workerEnvironment" } | null;
}

/** Which runs may be started by those of an agent or an automation. */
export interface WrittenGrant {
  mayStart?: string[];
  children?: number;
  depth?: number;
}

/** What runs may prove to other services. */
export interface WrittenIdentity {
  audiences: string[];
}

export interface WrittenAgent
  extends WrittenExecution,
    WrittenMillrace<
      WrittenGrant & {
        budget?: Budget;
        network?: NetworkRule;
        inject?: InjectRules;
        mcpServers?: OwnMcpServers;
        harness?: OwnHarness;
        idleTimeoutMinutes?: number;
        priority?: Priority;
        identity?: WrittenIdentity;
      }
    > {
  description?: string;
  agentType?: string;
  credentialStrategy?: string;
}

/** What millrace adds to a harness. */
export interface OwnHarness {
  fallbackModels?: string[];
}

/** What makes events one thing, as written. */
export interface WrittenConcurrency {
  key: string;
  whileRunning?: WhileRunning;
  forgetAfter?: string;
  maxTurns?: number;
}

export interface WrittenAutomation
  extends WrittenExecution,
    WrittenMillrace<
      WrittenGrant & {
        identity?: WrittenIdentity;
        concurrency?: number | WrittenConcurrency;
        debounce?: { quiet: string; longest?: string };
        budget?: Budget;
        push?: boolean;
        task?: boolean;
        missed?: "skip" | "once";
        timezone?: string;
        title?: string;
        output?: string;
        network?: NetworkRule;
        inject?: InjectRules;
        mcpServers?: OwnMcpServers;
        harness?: OwnHarness;
        idleTimeoutMinutes?: number;
        priority?: Priority;
      }
    > {
  enabled?: boolean;
  agent?: string;
  triggers: WrittenTrigger[];
}

export interface WrittenTrigger extends WrittenMillrace<{ webhooks: string[] }> {
  provider: string;
  event: string;
  filter?: Record<string, unknown> | null;
  schedule?: { cron: string; name?: string };
}

export interface WrittenWebhook
  extends WrittenMillrace<{
    scheme?: WrittenScheme;
    provider?: EventProviderName;
    previousSecretName?: string;
    until?: string;
  }> {
  authMode?: "token" | "url_token" | "signature";
  signatureScheme?: string;
  secretName: string;
  deliveryIdHeader?: string;
  enabled?: boolean;
}

export interface WrittenOutbound {
  url: string;
  secretName: string;
  events: OutboundEvent[];
  filter?: object;
  enabled?: boolean;
  ordered?: boolean;
}

/** A test of one delivery, or of several ones in their order. */
export type WrittenFilterTest = { description?: string } & (WrittenDeliveryTest | WrittenSequenceTest);

export interface WrittenDelivery {
  payload: unknown;
  webhook?: string;
  event?: string;
}

export interface WrittenDeliveryTest extends WrittenDelivery {
  fires: boolean;
}

export interface WrittenSequenceTest {
  deliveries: (WrittenDelivery & { at?: string })[];
  /** The runs that they make, each by the numbers of its deliveries, from 1. */
  runs: number[][];
  /** How long each run takes. */
  runsTake?: string;
}

export interface WrittenRunner extends WrittenMillrace<{ network?: NetworkRule; cacheSetup?: boolean }> {
  description?: string;
  setupCommands?: string[];
  instanceShape?: { vcpus: number; memoryGb: number };
  platform?: {
    os?: "linux" | "macos";
    arch?: "x86_64" | "aarch64";
    linux?: { dockerImage: string; registryCredentialSecretName?: string };
    mac?: { version: string };
  };
}

export interface WrittenScorer {
  name?: string;
  agents: string[];
  enabled?: boolean;
  labels: { value: string; score: number; description?: string }[];
  passingScore: number;
}

export interface WrittenSuite {
  name: string;
  agent: string;
  configurations?: { name: string; role: "baseline" | "candidate"; agents?: { agent: string }[] }[];
  tasks?: string[];
}

/** What millrace offers beyond the public format stands in one block, and nowhere else. */
interface WrittenMillrace<Block> {
  millrace?: Block;
}

/** A matcher of a trigger filter, as written. */
export type WrittenMatcher = unknown[] | { in?: unknown[] | null; not_in?: unknown[] | null } | null;
