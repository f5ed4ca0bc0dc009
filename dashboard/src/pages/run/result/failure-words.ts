import type { Run } from "../../../api/models.ts";
import { withoutStyles } from "../transcript/error-lines.ts";

/** A failure as a person would say it. */
export interface Failure {
  title: string;
  /** Why, where the title does not say all of it. */
  reason: string | undefined;
  /** The secret that is missing or wrong. */
  secret?: string;
  /** What to enter on the machine that executes the run. */
  command?: string;
}

/** The title of each kind of failure, by the code that the public API gives it. */
const TITLES: Readonly<Record<string, string>> = {
  agent_process_failed: "The agent ended with an error",
  environment_setup_failed: "The workspace could not be prepared",
  infrastructure_timeout: "The run took too long, or lost its worker",
  budget_exceeded: "The budget is used up",
  insufficient_credits: "The budget is used up",
  provider_limit: "The model provider refuses more requests for now",
  content_policy_violation: "The model provider refused the request",
  external_authentication_required: "Another service wants to know who asks",
  integration_not_configured: "A service that the run needs is not set up",
  integration_disabled: "A service that the run needs is switched off",
  internal_error: "millrace has made a mistake",
};

/** What says more than the code, in what the server or the agent has written. */
const SIGNS: readonly [RegExp, string][] = [
  [
    /\b401\b|invalid (?:x-)?api[ -]key|authentication[_ ]error|api key was refused|refused the (?:api )?key/i,
    "The model provider refused the key",
  ],
  [/ is not executable/, "The agent’s program is not executable"],
  [/ was not found on the machine/, "The agent’s program is not installed"],
  [/ cannot be cloned/, "A repository could not be cloned"],
  [/ cannot be checked out/, "A place in the repository does not exist"],
  [/memory limit|ran out of memory|out of memory/i, "The agent ran out of memory"],
  [/output limit|disk space/i, "The agent wrote more than it may"],
  [/without a plan/, "The agent has made no plan"],
];

/** @param lines what the agent has written last */
export function failureOf({ state, status_message: status }: Run, lines: readonly string[]): Failure {
  const message = status?.message ?? "";
  const [, code, why] = /^The agent exited with code (\d+)(?:: ([\s\S]*)|\.)$/.exec(message) ?? [];
  const sign = SIGNS.find(([pattern]) => pattern.test(message))?.[1];
  const standard =
    TITLES[status?.error_code ?? ""] ?? (state === "ERROR" ? "The run was stopped" : "The run failed");
  const title = sign ?? (code === undefined ? standard : `The agent ended with exit code ${code}`);
  const reason = code === undefined ? message : (why ?? "");
  const secret = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*_(?:KEY|TOKEN|SECRET|PASSWORD)\b/.exec(message)?.[0];
  const command = /`([^`\n]{1,500})`/.exec(message)?.[1];
  return {
    title,
    reason: isSaidBy(lines, reason) ? undefined : reason,
    ...(secret !== undefined && { secret }),
    ...(command?.startsWith("chmod ") && { command }),
  };
}

/** Whether the lines below have it already: nothing is said twice. */
function isSaidBy(lines: readonly string[], reason: string): boolean {
  const said = plain(reason).replace(/[.…]$/, "");
  return said === "" || lines.some((line) => plain(line).includes(said));
}

function plain(text: string): string {
  return withoutStyles(text).replaceAll(/\s+/g, " ").trim();
}
