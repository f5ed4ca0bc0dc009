import type { RunLimits } from "../definitions/definition.ts";
import type { NetworkRule } from "../network/network-rule.ts";

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
  [key: string]: unknown;
}
