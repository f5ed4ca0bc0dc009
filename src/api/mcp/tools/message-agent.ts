import { MillraceError } from "../../../errors/error.ts";
import type { Caller } from "../../http/authorize.ts";
import { forOperators, tool } from "../tool.ts";

/** Says something to a run that is at work, or begins its next turn. */
export const messageAgent = tool<{ run_id: string; message: string }>({
  name: "message_agent",
  title: "Message a run",
  description:
    'Sends a message to a run that you have started, or to the one that has started you (run_id "parent"). A run that has ended goes on with a further turn.',
  input: {
    type: "object",
    additionalProperties: false,
    required: ["run_id", "message"],
    properties: {
      run_id: { type: "string", description: 'The id of the run, or "parent".' },
      message: { type: "string", minLength: 1 },
    },
  },
  refusal(caller) {
    if (caller.kind === "key") return forOperators(caller);
    if (caller.run.ancestors.length > 0 || caller.run.execution.starts) return undefined;
    return "This run has no parent and may not start runs, so there is no run that it can write to.";
  },
  async call({ run_id, message }, { caller, call }) {
    const runId = run_id === "parent" ? parentOf(caller) : run_id;
    const sent = await call("followUp", { path: { runId }, body: { message } });
    return { text: `The message was sent to run ${runId} (${sent.outcome}).` };
  },
});

function parentOf(caller: Caller): string {
  const parent = caller.kind === "run" ? caller.run.ancestors.at(-1) : undefined;
  if (parent !== undefined) return parent;
  throw new MillraceError("invalid_request", "run_id: there is no parent run.", {
    remedy: "Give the id of a run.",
  });
}
