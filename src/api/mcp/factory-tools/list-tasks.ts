import { MillraceError } from "../../../errors/error.ts";
import { STAGES, type Stage } from "../../../tasks/rules/stage.ts";
import type { Caller } from "../../http/authorize.ts";
import { tool } from "../tool.ts";
import { factoryIn, factoryInput, factoryRefusal, NAMED } from "./named-factory.ts";
import { taskEntry, taskLines } from "./task-entry.ts";

interface Given {
  factory_uid?: string;
  stage?: Stage[];
  created_by?: string;
  created_by_me?: boolean;
  created_after?: string;
  created_before?: string;
  updated_after?: string;
  cursor?: string;
  limit?: number;
}

const time = (description: string) => ({
  type: "string",
  description: `${description} Example: 2026-11-01T00:00:00Z`,
});

/** The board of one factory. */
export const listTasks = tool<Given>({
  name: "list_tasks",
  title: "List tasks",
  description:
    "Lists the tasks of a factory with their stage, ticket and outputs, those that changed last first. Use get_task for one task.",
  input: {
    type: "object",
    additionalProperties: false,
    properties: {
      factory_uid: factoryInput,
      stage: {
        type: "array",
        minItems: 1,
        items: { type: "string", enum: [...STAGES] },
        description: "Only tasks in one of these stages.",
      },
      created_by: { type: "string", minLength: 1, description: "Only tasks of this author, by UID or name." },
      created_by_me: { type: "boolean", description: "With an API key: only the tasks of its owner." },
      created_after: time("Only tasks created at or after this time."),
      created_before: time("Only tasks created before this time."),
      updated_after: time("Only tasks updated at or after this time."),
      cursor: { type: "string", description: "The next_cursor of the previous page." },
      limit: { type: "integer", minimum: 1, maximum: 100, description: "20 by default." },
    },
  },
  synonyms: { factory: NAMED.factory },
  onlyReads: true,
  refusal: factoryRefusal,
  async call({ factory_uid, created_by, created_by_me = false, ...query }, context) {
    const author = created_by_me ? ownerOf(context.caller) : created_by;
    const { tasks, page_info } = await context.call("listTasks", {
      path: { uid: await factoryIn(factory_uid, context) },
      query: {
        ...query,
        ...(author === undefined ? {} : { created_by: [author] }),
        full_list: true,
        include_current_run: true,
      },
    });
    const more =
      page_info.next_cursor === undefined ? [] : [`More: call again with cursor ${page_info.next_cursor}`];
    return {
      text: [taskLines(tasks, "There are no such tasks."), ...more].join("\n"),
      data: { tasks: tasks.map((task) => taskEntry(task, context.publicUrl)), ...page_info },
    };
  },
});

/** @throws MillraceError `invalid_request` for an agent, which creates no tasks */
function ownerOf(caller: Caller): string {
  if (caller.kind === "key") return caller.key.principal.uid;
  throw new MillraceError("invalid_request", "created_by_me: an agent has no tasks of its own.", {
    remedy: "Leave it out, or use created_by.",
  });
}
