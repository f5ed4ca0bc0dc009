import { MillraceError } from "../error.ts";
import type { ApiKey } from "../principals/principal.ts";
import type { IdentityConfig } from "../runs/agent-identity.ts";
import { checkAgentConfig } from "./agent-config-check.ts";
import type { EnvironmentParts } from "./environments.ts";
import { checkHarness, withKnownHarness } from "./requested-names.ts";
import type { RunParts } from "./run-parts.ts";
import { refuseUnsupported } from "./unsupported.ts";

// biome-ignore lint/suspicious/noExplicitAny: the description of the API has checked what is in it
type Body = Record<string, any>;

/** Members of requests by the members of a run's configuration that they become. */
const MEMBERS: Readonly<Record<string, keyof IdentityConfig>> = {
  prompt: "base_prompt",
  base_model: "model_id",
  harness: "harness",
  harness_auth_secrets: "harness_auth_secrets",
  environment_id: "environment_id",
  mcp_servers: "mcp_servers",
  worker_host: "worker_host",
};

/** What of the public API this server has no other value for, with the values that ask for just that. */
const FIXED: readonly (readonly [field: string, isAsked: (value: unknown) => boolean])[] = [
  ["agent_type", (value) => value !== "CUSTOM" && value !== ""],
  ["credential_strategy", (value) => value !== "EXECUTOR"],
  ["default_runner_uid", (value) => value !== ""],
  ["factory_uid", (value) => value !== ""],
  ["inference_providers", isFilled],
  ["memory", asksForMemory],
  ["on_behalf_of_enabled", (value) => value === true],
];

/**
 * What a request changes of how the runs of an agent execute: what is left out or null stays, an empty value clears.
 * @throws MillraceError for what this server cannot do, or an environment that is not there
 */
export async function identityConfig(
  body: Body,
  key: ApiKey,
  parts: Pick<EnvironmentParts, "environments"> & Pick<RunParts, "hasHarness">,
): Promise<IdentityConfig> {
  refuseFixed(body);
  const members: Body = { ...body, harness: harnessOf(body) };
  const changes = Object.entries(MEMBERS).flatMap(([member, name]) => {
    const value = members[member];
    return value == null ? [] : [[name, value] as const];
  });
  const config: IdentityConfig = Object.fromEntries(changes);
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => !isEmpty(value)));
  refuseUnsupported({ config: given }, "");
  await checkAgentConfig(given, "", key, parts);
  checkHarness(given, "", parts);
  return withKnownHarness(config);
}

/** Older clients name the program beside the model. */
function harnessOf({ harness, base_harness }: Body): Body | null | undefined {
  if (base_harness == null || base_harness === "") return harness;
  return { type: base_harness, ...harness };
}

function refuseFixed(body: Body): void {
  const asked = FIXED.find(([field, isAsked]) => body[field] != null && isAsked(body[field]));
  if (!asked) return;
  const [field] = asked;
  throw new MillraceError("operation_not_supported", `${field} cannot be set for an agent of this server.`, {
    remedy: `Leave ${field} out. An agent of a definition has its type and its runner from there.`,
    extra: { field },
  });
}

function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
}

/** There are no memory stores: to have none is what everybody gets. */
function asksForMemory(value: unknown): boolean {
  const { attached_stores = [], auto_memory = {} } = value as Body;
  return attached_stores.length > 0 || auto_memory.enabled === true;
}

/** Clears what it is sent for. */
function isEmpty(value: unknown): boolean {
  return value === "" || (typeof value === "object" && !isFilled(value));
}

/** How the runs of a new agent execute: there is nothing to clear. @throws MillraceError as `identityConfig` does */
export async function newIdentityConfig(
  ...request: Parameters<typeof identityConfig>
): Promise<IdentityConfig> {
  const config = await identityConfig(...request);
  return Object.fromEntries(Object.entries(config).filter(([, value]) => !isEmpty(value)));
}
