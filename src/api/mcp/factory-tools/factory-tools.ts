import type { Tool } from "../tool.ts";
import { completeTask } from "./complete-task.ts";
import { finishTask } from "./finish-task.ts";
import { getConversation } from "./get-conversation.ts";
import { getTask } from "./get-task.ts";
import { listFactories } from "./list-factories.ts";
import { listTasks } from "./list-tasks.ts";
import { messageForeman } from "./message-foreman.ts";
import { reportExternalReference } from "./report-external-reference.ts";
import { reportPr } from "./report-pr.ts";
import { searchTask } from "./search-task.ts";
import { sendTask } from "./send-task.ts";

/**
 * The tools of `/mcp/factory`: deeds of millrace under the names and with the arguments that the factory MCP of the public
 * service has (contract, 1.7), so that prompts and programs which were written for that one work here.
 */
export const FACTORY_TOOLS: readonly Tool[] = [
  listFactories,
  listTasks,
  searchTask,
  getTask,
  sendTask,
  messageForeman,
  getConversation,
  completeTask,
  finishTask,
  reportPr,
  reportExternalReference,
];
