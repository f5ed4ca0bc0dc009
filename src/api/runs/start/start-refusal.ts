import type { StartGrant } from "../../../definitions/definition.ts";
import { MillraceError } from "../../../errors/error.ts";
import { pluralize } from "../../../pluralize.ts";
import { MAX_FAMILY, MAX_OF_AGENT_IN_LINE, type StartRefusal } from "../../../runs/rules/family.ts";
import type { Run } from "../../../runs/run.ts";

/**
 * Why a run may not start an agent, for the agent that reads it: which bound it is, and what it can do instead.
 * @param agents those of the factory, which a grant of all names
 */
export function startRefused(
  reason: StartRefusal | "ended",
  agent: string,
  { id, execution: { starts } }: Pick<Run, "id" | "execution">,
  agents: readonly string[] = [],
): MillraceError {
  const name = JSON.stringify(agent);
  const extra = { field: "agent", reason };
  const full = (message: string, remedy: string) =>
    new MillraceError("conflict", message, { remedy, retryable: false, extra });
  const refused = (message: string, remedy: string) =>
    new MillraceError("not_authorized", message, { remedy, extra });
  switch (reason) {
    case "not_granted":
      return refused(`Run ${id} may not start the agent ${name}.`, grantedInstead(starts, agents));
    case "unknown_agent":
      return full(`The factory of run ${id} has no agent ${name}.`, grantedInstead(starts, agents));
    case "depth":
      return refused(
        `Run ${id} may not start the agent ${name}: its family has as many generations as its definition allows.`,
        "Do the work in this run, or report what is left to do. `millrace: {depth}` of the root's agent or automation sets the bound.",
      );
    case "children":
      return full(
        `Run ${id} has started ${pluralize(starts?.children ?? 0, "run")}, which is its limit.`,
        "Send a message to a run that it has started instead. `millrace: {children}` of its agent or automation sets the bound.",
      );
    case "family":
      return full(
        `The family of run ${id} has ${MAX_FAMILY} runs, which is the limit.`,
        "Send a message to a run of the family instead.",
      );
    case "cycle":
      return refused(
        `Run ${id} may not start the agent ${name}: it is already ${MAX_OF_AGENT_IN_LINE} times on the line from the root of the family to this run.`,
        "Do the work in this run, or report what is left to do: agents that start each other in turn would never end.",
      );
    case "ended":
      return full(`Run ${id} is ending, so it can start nothing any more.`, "End this turn.");
  }
}

/** The same key, and another request: one that is repeated by mistake, or a further run that is wanted. */
export function startedOtherwise(runId: string): MillraceError {
  return new MillraceError(
    "conflict",
    `Run ${runId} was already started with the same agent, prompt and key (with HTTP, the same Idempotency-Key), but with a different title, or different files, metadata or other fields. No run was started.`,
    {
      remedy: `To start a further run, pass another \`key\` (\`--key\` on the command line, another Idempotency-Key with HTTP). To continue with run ${runId}, wait for it, or send it a message.`,
      retryable: false,
      extra: { field: "Idempotency-Key" },
    },
  );
}

function grantedInstead(starts: StartGrant | undefined, agents: readonly string[]): string {
  if (!starts)
    return "It may not start any agents. `millrace: {mayStart: [names]}` in the definition of its agent or automation allows it.";
  const names = starts.agents === "all" ? agents : starts.agents;
  return `It may start: ${names.join(", ")}.`;
}
