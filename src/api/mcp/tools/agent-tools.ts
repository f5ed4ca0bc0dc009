import type { Tool } from "../tool.ts";
import { fetchArtifact, moveTask, readDelivery } from "./reading-tools.ts";
import { answer, askPerson, note, report } from "./report-tools.ts";
import { cancelAgent, listAgents, messageAgent, startAgent, waitFor } from "./run-tools.ts";

/** The tools of `/mcp`, in the order in which they are listed. Which of them a caller has, each says itself. */
export const AGENT_TOOLS: readonly Tool[] = [
  askPerson,
  report,
  answer,
  startAgent,
  waitFor,
  messageAgent,
  cancelAgent,
  listAgents,
  readDelivery,
  note,
  moveTask,
  fetchArtifact,
].map(inWords);

/** Answers without the data that the tools of `/mcp/factory` have: a model needs the words alone, and would read all of it twice. */
function inWords(one: Tool): Tool {
  return { ...one, call: async (given, context) => ({ text: (await one.call(given, context)).text }) };
}
