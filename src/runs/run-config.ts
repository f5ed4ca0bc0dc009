import type { Harness, Priority, RunLimits, StartGrant } from "../definitions/definition.ts";
import type { FactoryEventName } from "../definitions/events/factory-events.ts";
import type { EventCheckout, RequestedCheckout } from "../git/checkout.ts";
import type { InjectRules } from "../network/inject-rule.ts";
import type { NetworkRule } from "../network/network-rule.ts";
import type { RunMode } from "./rules/plan.ts";
import type { RunNetwork } from "./turn/network-policy.ts";

/** What executing a run takes, beyond what its configuration shows. */
export interface RunExecution {
  harness: Harness;
  /** Names of the managed secrets that the agent gets. */
  secrets: string[];
  /** Those of them that its programs use without having them. */
  inject?: InjectRules;
  /** The only secrets that the run gets of whatever else grants it some: the list of its request. */
  onlySecrets?: string[];
  /** What the event that started the run is about. */
  checkout?: EventCheckout;
  /** Where whoever started the run wants one of its repositories to be checked out. */
  requestedCheckout?: RequestedCheckout;
  /** It belongs to no factory because there were several, and its request named none. */
  betweenFactories?: boolean;
  /** What the sender of the delivery that started it calls its event. */
  event?: string;
  /** Whether it gets a token with which it may push to one repository. */
  push?: boolean;
  /** The event of its factory that started it. */
  trigger?: RunTrigger;
  /** How it works, where that is not as usual. */
  mode?: RunMode;
  /**
   * How many of its ancestors, the first ones, have no say over it: an event has started it, or one of its ancestors, and
   * no agent has. Left out where all have.
   */
  foreignAncestors?: number;
  /** What its definition and its request say of what it may reach; left out where they say nothing. */
  network?: RunNetwork;
  /** Which agents it may start; left out of a run that may start none. */
  starts?: StartGrant;
}

/** An event of a factory, as the run that it starts remembers it. */
export interface RunTrigger {
  event: FactoryEventName;
  /** The run that has ended or asks, or whose agent has moved the task. */
  runId?: string;
  taskUid?: string;
}

/** The resolved configuration of a run, in the shape of the public API. */
export interface AmbientAgentConfig {
  name?: string;
  model_id?: string;
  base_prompt?: string;
  environment_id?: string;
  runner_id?: string;
  skill_spec?: string;
  skills?: string[];
  worker_host?: string;
  mcp_servers?: Record<string, object>;
  harness?: { type?: string; model_id?: string; reasoning_level?: string; auth_secret_name?: string };
  harness_auth_secrets?: { claude_auth_secret_name?: string; codex_auth_secret_name?: string };
  secrets?: { name: string }[];
  network?: NetworkRule;
  /** What the run may use, beside what its definition says. */
  budget?: RunLimits;
  /** Left out, it is normal. */
  priority?: Priority;
  /** The JSON Schema of the answer. */
  output_schema?: Record<string, unknown>;
  [key: string]: unknown;
}
