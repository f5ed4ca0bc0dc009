import { type ToolContext, tool } from "../tool.ts";
import { factoryInput, factoryRefusal, NAMED, reachedFactories } from "./named-factory.ts";
import type { Task } from "./named-task.ts";
import { taskEntry, taskLines } from "./task-entry.ts";

interface Given {
  query: string;
  factory_uid?: string;
  limit?: number;
}

const DEFAULT_LIMIT = 20;

/** Finds tasks of which somebody knows a part of the title. */
export const searchTask = tool<Given>({
  name: "search_task",
  title: "Search tasks",
  description:
    "Finds tasks by a part of their title, in all factories that you can access, those that changed last first.",
  input: {
    type: "object",
    additionalProperties: false,
    required: ["query"],
    properties: {
      query: {
        type: "string",
        minLength: 1,
        maxLength: 1_000,
        description: "Part of the title; case-insensitive.",
      },
      factory_uid: factoryInput,
      limit: { type: "integer", minimum: 1, maximum: 100, description: `${DEFAULT_LIMIT} by default.` },
    },
  },
  synonyms: { factory: NAMED.factory, q: "query", title: "query" },
  onlyReads: true,
  refusal: factoryRefusal,
  async call({ query: q, factory_uid, limit = DEFAULT_LIMIT }, context) {
    const found: Task[] = [];
    for (const uid of await searched(factory_uid, context)) {
      const query = { q, limit, include_current_run: true };
      found.push(...(await context.call("listTasks", { path: { uid }, query })).tasks);
    }
    const tasks = found.toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1)).slice(0, limit);
    return {
      text: taskLines(tasks, "No title of a task contains this text."),
      data: { tasks: tasks.map((task) => taskEntry(task, context.publicUrl)) },
    };
  },
});

/** The factories that are searched: the one that is named, that of the run, or all that the key reaches. */
async function searched(named: string | undefined, context: ToolContext): Promise<string[]> {
  const own = context.caller.kind === "run" ? context.caller.run.factoryUid : null;
  const uid = named ?? own;
  return uid === null ? (await reachedFactories(context)).map((factory) => factory.uid) : [uid];
}
