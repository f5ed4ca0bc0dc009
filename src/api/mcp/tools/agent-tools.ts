import type { Tool } from "../tool.ts";
import { answer } from "./answer.ts";
import { askPerson } from "./ask-person.ts";
import { cancelAgent } from "./cancel-agent.ts";
import { fetchArtifact } from "./fetch.ts";
import { listAgents } from "./list-agents.ts";
import { messageAgent } from "./message-agent.ts";
import { moveTask } from "./move-task.ts";
import { note } from "./note.ts";
import { readDelivery } from "./read-delivery.ts";
import { report } from "./report.ts";
import { startAgent } from "./start-agent.ts";
import { waitFor } from "./wait-for.ts";

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
