import { MillraceError } from "../../../errors/error.ts";
import type { AnswerOf } from "../../http/endpoint.ts";
import { type ToolContext, tool } from "../tool.ts";
import { NAMED } from "./named-factory.ts";
import { findTask, type NamedTask, taskInput } from "./named-task.ts";
import { runUrl } from "./task-entry.ts";

interface Given extends NamedTask {
  limit?: number;
  before_index?: number;
}

type Message = AnswerOf<"getConversation">["messages"][number];

const DEFAULT_LIMIT = 50;
/** Of a page of the operation. */
const MAX_PAGE = 500;
/** Of the texts in one answer, so that none is cut in the middle. */
const MAX_CHARACTERS = 80 * 1024;

/** What was said in a run: by default the newest, as the tool of the public service has it. */
export const getConversation = tool<Given>({
  name: "get_conversation",
  title: "Read a conversation",
  description:
    "Reads the conversation of a task's foreman, or of a run, newest messages by default. An agent reads its own run and the runs that descend from it.",
  input: {
    type: "object",
    additionalProperties: false,
    properties: {
      factory_task_uid: {
        ...taskInput,
        description: "The task whose foreman is meant, by UID, URL or source:id.",
      },
      run_id: { type: "string", description: "The run. An agent leaves both out for its own run." },
      limit: { type: "integer", minimum: 1, maximum: 200, description: `${DEFAULT_LIMIT} by default.` },
      before_index: {
        type: "integer",
        minimum: 0,
        description: "Returns the messages before this index: the next_before_index of the previous call.",
      },
    },
  },
  synonyms: { task_uid: NAMED.task_uid },
  onlyReads: true,
  async call({ limit = DEFAULT_LIMIT, before_index, ...named }, context) {
    const runId = await runOf(named, context);
    const all = await readAll(runId, context).catch((error) => explainMissing(error, runId, context));
    const end = Math.min(before_index ?? all.length, all.length);
    const start = startOfWindow(all, end, limit);
    const messages = all.slice(start, end).map((message, offset) => ({ index: start + offset, ...message }));
    const page = start > 0 ? { next_before_index: start } : {};
    const older = start > 0 ? [`Older messages: call again with before_index ${start}.`] : [];
    return {
      text: [
        ...older,
        ...messages.map(({ author, kind, text }) => `## ${author.name} (${kind})\n${text}`),
      ].join("\n\n"),
      data: {
        run_id: runId,
        run_url: runUrl(runId, context.publicUrl),
        messages,
        ...{ truncated: start > 0, has_more_before: start > 0, ...page },
      },
    };
  },
});

async function runOf(named: NamedTask, context: ToolContext): Promise<string> {
  if (named.factory_task_uid !== undefined) return (await findTask(named, context)).run_id;
  if (named.run_id !== undefined) return named.run_id;
  if (context.caller.kind === "run") return context.caller.run.id;
  throw new MillraceError("invalid_request", 'missing key "factory_task_uid" or "run_id".', {
    remedy: "list_tasks shows the tasks of a factory.",
  });
}

/** The operation begins with the oldest. What a run can store of messages is bounded. */
async function readAll(runId: string, { call }: ToolContext): Promise<Message[]> {
  const messages: Message[] = [];
  let cursor: string | undefined;
  do {
    const query = { limit: MAX_PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const page = await call("getConversation", { path: { runId }, query });
    messages.push(...page.messages);
    cursor = page.page_info.next_cursor;
  } while (cursor !== undefined);
  return messages;
}

/** Where a window that ends before an index begins: as far back as the limits allow, and one message at least. */
function startOfWindow(messages: readonly Message[], end: number, limit: number): number {
  let start = end;
  let characters = 0;
  while (start > 0 && end - start < limit) {
    characters += messages[start - 1]?.text.length ?? 0;
    if (characters > MAX_CHARACTERS && start < end) break;
    start -= 1;
  }
  return start;
}

/** @throws MillraceError that says which conversations an agent can read */
function explainMissing(error: unknown, runId: string, { caller }: ToolContext): never {
  if (caller.kind === "key" || !(error instanceof MillraceError) || error.code !== "resource_not_found")
    throw error;
  throw new MillraceError("resource_not_found", `There is no run ${runId} that this run can read.`, {
    remedy: "An agent reads the conversations of its own run and of runs that descend from it.",
  });
}
