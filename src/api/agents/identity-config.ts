import { MillraceError } from "../../errors/error.ts";
import type { ApiKey } from "../../principals/principal.ts";
import type { IdentityConfig } from "../../runs/agents/agent-identity.ts";
import type { BodyOf } from "../http/endpoint.ts";
import type { RunDeps } from "../runs/run-deps.ts";
import { checkAgentConfig } from "../runs/start/agent-config-check.ts";
import { checkHarness, withKnownHarness } from "../runs/start/requested-names.ts";
import { refuseUnsupported } from "../runs/start/unsupported.ts";
import type { EnvironmentDeps } from "./environments.ts";

type Body = BodyOf<"createIdentity" | "updateIdentity">;

/** What of the public API this server has no other value for, with the values that ask for just that. */
const FIXED: readonly (readonly [field: keyof Body, isAsked: (body: Body) => boolean])[] = [
  ["agent_type", ({ agent_type }) => agent_type !== "CUSTOM" && agent_type !== ""],
  ["credential_strategy", ({ credential_strategy }) => credential_strategy !== "EXECUTOR"],
  ["default_runner_uid", ({ default_runner_uid }) => default_runner_uid !== ""],
  ["factory_uid", ({ factory_uid }) => factory_uid !== ""],
  ["inference_providers", ({ inference_providers }) => isFilled(inference_providers)],
  // There are no memory stores: to have none is what everybody gets.
  ["memory", ({ memory }) => isFilled(memory?.attached_stores) || memory?.auto_memory?.enabled === true],
  ["on_behalf_of_enabled", ({ on_behalf_of_enabled }) => on_behalf_of_enabled === true],
];

/**
 * What a request changes of how the runs of an agent execute: what is left out or null stays, an empty value clears.
 * @throws MillraceError for what this server cannot do, or an environment that is not there
 */
export async function identityConfig(
  body: Body,
  key: ApiKey,
  deps: Pick<EnvironmentDeps, "environments"> & Pick<RunDeps, "hasHarness">,
): Promise<IdentityConfig> {
  refuseFixed(body);
  const { harness_auth_secrets, environment_id, mcp_servers, worker_host } = body;
  const config = withoutNull({
    base_prompt: body.prompt,
    model_id: body.base_model,
    harness: harnessOf(body),
    harness_auth_secrets,
    environment_id,
    mcp_servers,
    worker_host,
  });
  const given = Object.fromEntries(Object.entries(config).filter(([, value]) => !isEmpty(value)));
  refuseUnsupported({ config: given }, "");
  await checkAgentConfig(given, "", key, deps);
  checkHarness(given, "", deps);
  return withKnownHarness(config);
}

/** What is null stays as what is left out does. */
function withoutNull<Members extends object>(
  members: Members,
): { [Name in keyof Members]?: NonNullable<Members[Name]> } {
  const given = Object.entries(members).filter(([, value]) => value != null);
  // Entries have lost which value belongs to which name.
  return Object.fromEntries(given) as never;
}

/** Older clients name the program beside the model. */
function harnessOf({ harness, base_harness }: Body) {
  if (base_harness == null || base_harness === "") return harness;
  return { type: base_harness, ...harness };
}

function refuseFixed(body: Body): void {
  const asked = FIXED.find(([field, isAsked]) => body[field] != null && isAsked(body));
  if (!asked) return;
  const [field] = asked;
  throw new MillraceError("operation_not_supported", `${field} cannot be set for an agent of this server.`, {
    remedy: `Omit ${field}. The definition sets an agent's type and runner.`,
    extra: { field },
  });
}

function isFilled(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length > 0;
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
