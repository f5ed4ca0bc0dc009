import type { ExpectedTags } from "../../concurrency/record-tag.ts";
import { webhookSecretsOf } from "../../reconcile/active-definition.ts";
import type { Factory } from "../../reconcile/running-factory.ts";
import type { AmbientAgentConfig } from "../run-config.ts";

/** What someone may say of an identity; its name is unique among them. */
export interface IdentityProfile {
  name: string;
  description: string | null;
  /** Names of managed secrets that its runs get. */
  secrets: string[];
  /** Skills by their specs, in order. */
  skills: string[];
  /** How its runs execute where a request says nothing else. */
  config: IdentityConfig;
}

/** The defaults of an identity's runs, in the shape of the public API. */
export type IdentityConfig = Pick<
  AmbientAgentConfig,
  | "base_prompt"
  | "model_id"
  | "harness"
  | "harness_auth_secrets"
  | "environment_id"
  | "worker_host"
  | "mcp_servers"
>;

/** What a request changes of an identity; of its configuration each member by itself, and an empty value clears. */
export type IdentityChanges = Partial<IdentityProfile>;

/** An agent that the API has made: runs can execute as it, and it belongs to no factory. */
export interface AgentIdentity extends IdentityProfile {
  uid: string;
  createdAt: string;
  updatedAt: string;
}

/** Keeps the identities that the API makes. `find` and `list` read, the rest writes; each call is one transaction. */
export interface IdentityStore {
  list(): Promise<AgentIdentity[]>;
  find(uid: string): Promise<AgentIdentity | undefined>;
  /** @returns whether it was made; nothing is written when another one has its name */
  create(identity: AgentIdentity): Promise<boolean>;
  /**
   * Changes what is given and leaves the rest.
   * @returns the identity as it is now, or nothing when there is none; unchanged when another one has the name
   */
  update(
    uid: string,
    changes: IdentityChanges,
    at: string,
    expected?: ExpectedTags,
  ): Promise<AgentIdentity | "name_taken" | "changed" | undefined>;
  /** Deletes an identity and revokes the keys that act as it. @returns whether there was one */
  remove(uid: string, at: string, expected?: ExpectedTags): Promise<boolean | "changed">;
}

/** An identity without the secrets that webhooks authenticate with: those are never an agent's business. */
export function withoutCredentials(identity: AgentIdentity, factories: readonly Factory[]): AgentIdentity {
  const credentials = webhookSecretsOf(factories, { factory: null });
  return {
    ...identity,
    secrets: identity.secrets.filter((name) => !credentials.has(name)),
    config: withoutKeys(identity.config, credentials),
  };
}

function withoutKeys(config: IdentityConfig, credentials: ReadonlySet<string>): IdentityConfig {
  const { harness, harness_auth_secrets: listed = {}, ...rest } = config;
  const { auth_secret_name: key, ...program } = harness ?? {};
  const allowed = Object.entries(listed).filter(([, name]) => !credentials.has(name));
  return {
    ...rest,
    ...(harness ? { harness: key === undefined || credentials.has(key) ? program : harness } : {}),
    ...(allowed.length > 0 ? { harness_auth_secrets: Object.fromEntries(allowed) } : {}),
  };
}
