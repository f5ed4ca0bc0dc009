import type { Position } from "../problem.ts";

/** What somebody should know before a plan is applied. Programs go by these codes. */
export const WARNING_CODES = [
  /** Senders of a webhook have to be given another URL. */
  "url_will_change",
  /** Something that starts runs of an automation today starts none afterwards. */
  "automation_stops_firing",
  /** Since an upgrade, a trigger counts fewer deliveries than it did. */
  "trigger_narrowed",
  /** A runner asks for what the sandbox of this server does not give. */
  "runner_ignored",
  /** A trigger waits for events of a service that nothing brings to this server. */
  "provider_not_connected",
  /** Runs of an agent or an automation may start more than they may today. */
  "grant_widened",
  /** Runs may reach more over the network than they may today. */
  "network_widened",
  /** Runs of the last days have reached a host that they could not reach afterwards. */
  "network_denies_reached",
  "secret_missing",
  /** A secret has a value that it cannot have where it is used. */
  "secret_unusable",
  /** The token in the URL of a webhook can be guessed. */
  "secret_weak",
  "harness_unknown",
  /** Runs with a budget in US dollars are to use a model whose price nobody knows. */
  "price_unknown",
  "runner_unknown",
  "repository_without_forge",
  /** Runs of an automation are to push, and the forge makes no tokens for that. */
  "push_without_app",
  /** A harness takes its key from the environment of the server, which the factory may not use. */
  "worker_environment_refused",
  /** A secret would say where a key of the environment of the server is sent. */
  "secret_redirects_key",
  /** A workerHost is none of the workers that the server has had. */
  "worker_host_unknown",
  /** A trigger selects a webhook by a uid that is none of the factory's. */
  "webhook_unknown",
  /** A trigger follows a schedule by an id that is none of those it could follow. */
  "schedule_unknown",
  /** What the prune guard looks for: more than half of the webhooks go, or one that had deliveries within a week. */
  "deletes_most_webhooks",
  "deletes_used_webhook",
  /** The first definition of a server's second factory: runs whose requests name no factory belong to none. */
  "second_factory",
] as const;
export type WarningCode = (typeof WARNING_CODES)[number];

/** A warning with the place in the tree that it is about. */
export interface PlanWarning extends Position {
  code: WarningCode;
  message: string;
  /** Relative to the root of the tree; of something that is deleted, where it was. */
  path: string;
  /** Whether the definition is not applied as long as this is so. */
  blocking: boolean;
}
