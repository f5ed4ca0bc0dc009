import { workerHostProblem } from "../../../definitions/worker-host.ts";
import { MillraceError } from "../../../errors/error.ts";
import { OWN_SERVER } from "../../../executor/workspace/mcp-servers.ts";
import { isUid } from "../../../id.ts";
import { entryProblems } from "../../../network/network-rule.ts";
import type { ApiKey } from "../../../principals/principal.ts";
import type { EnvironmentStore } from "../../../runs/agents/cloud-environment.ts";
import type { AmbientAgentConfig } from "../../../runs/run-config.ts";
import { reachesFactory } from "../../http/authorize.ts";

/** A prompt, or a message to a run, has at most a mebibyte. */
const MAX_PROMPT_BYTES = 1024 * 1024;

/** @throws MillraceError `payload_too_large` for a text that is too long to be asked of an agent */
export function checkPromptSize(text: string | undefined, field: string): void {
  const bytes = Buffer.byteLength(text ?? "");
  if (bytes <= MAX_PROMPT_BYTES) return;
  throw new MillraceError(
    "payload_too_large",
    `${field}: expected at most ${MAX_PROMPT_BYTES} bytes, found ${bytes}.`,
    { remedy: "Send long text as an attachment.", extra: { field } },
  );
}

/**
 * Holds the configuration that a request brings against what its schema cannot say.
 * @param place what it is called in the request; empty for the request itself
 * @throws MillraceError that names the field
 */
export async function checkAgentConfig(
  config: AmbientAgentConfig | undefined | null,
  place: string,
  key: ApiKey,
  { environments }: { environments: Pick<EnvironmentStore, "find"> },
): Promise<void> {
  if (!config) return;
  const at = (key: string) => (place === "" ? key : `${place}.${key}`);
  if (config.skill_spec !== undefined && config.skills !== undefined) {
    throw invalidField(at("skills"), "skill_spec and skills have the same meaning; specify only one of them");
  }
  checkPromptSize(config.base_prompt, at(place === "" ? "prompt" : "base_prompt"));
  if (config.mcp_servers && OWN_SERVER in config.mcp_servers) {
    const place = at(`mcp_servers.${OWN_SERVER}`);
    throw invalidField(place, `the name ${OWN_SERVER} stands for this server's own tools; use another name`);
  }
  const wrongHost = workerHostProblem(config.worker_host ?? "");
  if (wrongHost !== undefined) throw invalidField(at("worker_host"), wrongHost);
  const [wrong] = typeof config.network === "object" ? entryProblems(config.network.allow) : [];
  if (wrong) throw invalidField(at(`network.allow[${wrong.index}]`), wrong.problem);
  const { environment_id: uid } = config;
  if (uid === undefined) return;
  // Environments belong to no factory: a key that is limited to some does not see them.
  if (isUid(uid) && reachesFactory(key, null) && (await environments.find(uid))) return;
  throw invalidField(at("environment_id"), `there is no environment ${JSON.stringify(uid)}`);
}

export function invalidField(field: string, why: string, remedy?: string): MillraceError {
  return new MillraceError("invalid_request", `${field}: ${why}.`, {
    ...(remedy === undefined ? {} : { remedy }),
    extra: { field },
  });
}
