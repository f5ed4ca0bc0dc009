import type { Tool } from "../tool.ts";
import {
  completeTask,
  finishTask,
  getConversation,
  messageForeman,
  reportExternalReference,
  reportPr,
  sendTask,
} from "./handover-tools.ts";
import { getTask, listFactories, listTasks, searchTask } from "./reading-tools.ts";

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
