import { type ToolAnswer, type ToolContext, tool } from "../tool.ts";
import { ownRun } from "./own-run.ts";
import { startRefusal } from "./start-agent.ts";

const MAX_RUNS = 50;
const MAX_AGENTS = 500;

/** Whom a run may start, and whom it has started. */
export const listAgents = tool<Record<never, never>>({
  name: "list_agents",
  title: "List agents and runs",
  description:
    "Lists the agents that you may start and what each does, and the runs that descend from yours with their states.",
  input: { type: "object", additionalProperties: false, properties: {} },
  onlyReads: true,
  refusal: (caller) => (caller.kind === "key" ? undefined : startRefusal(caller)),
  call: (_, context) => (context.caller.kind === "run" ? ofRun(context) : ofKey(context)),
});

async function ofRun({ caller, call }: ToolContext): Promise<ToolAnswer> {
  const runId = ownRun(caller);
  const [{ agents }, { runs }] = await Promise.all([
    call("listRunAgents", { path: { runId } }),
    call("listRuns", { query: { ancestor_run_id: runId, limit: MAX_RUNS } }),
  ]);
  const agentLines = agents.map(({ name, type, description, may_start }) => {
    return `- ${name} (${type})${may_start ? "" : ", cannot be started now"}: ${description || "no description"}`;
  });
  const runLines = runs.map(({ run_id, executor, title, state }) => {
    return `- ${run_id} ${executor?.display_name ?? ""} ${state}: ${title}`;
  });
  return { text: ["Agents:", ...agentLines, "", "Runs:", ...orNone(runLines)].join("\n") };
}

/** The agents that an API key has access to, those of definitions and those that were created through the API. */
async function ofKey({ call }: ToolContext): Promise<ToolAnswer> {
  const { agents } = await call("listIdentities", { query: { limit: MAX_AGENTS } });
  const lines = agents.map(({ name, agent_type, description }) => {
    return `- ${name}${agent_type ? ` (${agent_type})` : ""}: ${description || "no description"}`;
  });
  return { text: ["Agents:", ...orNone(lines)].join("\n") };
}

const orNone = (lines: string[]) => (lines.length > 0 ? lines : ["- none"]);
