import type { Execution, Harness } from "../../definitions/definition.ts";
import { MillraceError } from "../../errors/error.ts";
import type { AmbientAgentConfig } from "../ambient-agent-config.ts";

/** Where a request says which secret is the key of a program, by the program. */
const FIELDS: Readonly<Record<string, "claude_auth_secret_name" | "codex_auth_secret_name">> = {
  claude: "claude_auth_secret_name",
  codex: "codex_auth_secret_name",
};

/** The secret that a request names for the program of the run; those for other programs do not count. */
export function requestedHarnessSecret(own: AmbientAgentConfig, type: string): string | undefined {
  const field = FIELDS[type];
  const listed = field === undefined ? undefined : own.harness_auth_secrets?.[field];
  return own.harness?.auth_secret_name || listed || undefined;
}

/**
 * Holds the secret that a request names for its program against what its agent has: anyone who may start runs does not
 * thereby read every secret.
 * @throws MillraceError `not_authorized` for one that neither the agent nor the environment is granted
 */
export function checkHarnessSecret(
  own: AmbientAgentConfig,
  { type }: Harness,
  base: Execution,
  granted: readonly string[],
): void {
  const name = requestedHarnessSecret(own, type);
  if (name === undefined || granted.includes(name) || name === harnessSecretOf(base.harness)) return;
  const field = own.harness?.auth_secret_name
    ? "config.harness.auth_secret_name"
    : `config.harness_auth_secrets.${FIELDS[type]}`;
  throw new MillraceError(
    "not_authorized",
    `${field}: neither the agent nor its environment is granted the secret ${name}.`,
    {
      remedy:
        "Grant it in the definition, under secrets: or harness.auth of the agent, in an agent created through the API, or in the environment.",
      extra: { field },
    },
  );
}

/** The secret that holds the key of a program, where one does. */
export function harnessSecretOf({ auth }: Harness): string | undefined {
  return auth?.source === "managedSecret" ? auth.secretName : undefined;
}
