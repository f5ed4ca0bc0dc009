import { forOperators, tool } from "../tool.ts";

/** Ends a run before its time. */
export const cancelAgent = tool<{ run_id: string; tree?: boolean }>({
  name: "cancel_agent",
  title: "Cancel a run",
  description: "Cancels a run that you have started and whose result is no longer needed.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["run_id"],
    properties: {
      run_id: { type: "string", description: "The id of the run." },
      tree: { type: "boolean", description: "Whether to end all runs that it has started, too." },
    },
  },
  refusal(caller) {
    if (caller.kind === "key") return forOperators(caller);
    if (caller.run.execution.starts) return undefined;
    return "This run may not start runs, so it has none to cancel.";
  },
  async call({ run_id, tree = false }, { call }) {
    await call("cancelRun", { path: { runId: run_id }, ...(tree ? { query: { tree } } : {}) });
    return { text: `Run ${run_id} is being cancelled.` };
  },
});
