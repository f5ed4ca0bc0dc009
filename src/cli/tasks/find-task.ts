import type { Millrace } from "../../client/client.ts";
import { isUid } from "../../id.ts";
import { findByStart } from "../find-by-start.ts";

/** A start that says too little is not looked for any further. */
const MAX_TASKS = 10_000;

/** How commands describe the argument of `findTaskUid`. */
export const TASK = "task UID, or its first characters";

/** The UID of the task of a factory whose UID begins like this. @throws MillraceError when none does or several do */
export async function findTaskUid(client: Millrace, factory: string, start: string): Promise<string> {
  if (isUid(start)) return start;
  return findByStart({
    what: ["task", "tasks"],
    start,
    shownBy: "millrace tasks list",
    limit: {
      most: MAX_TASKS,
      message: `None of the ${MAX_TASKS} most recently updated tasks has a UID that begins with ${start}.`,
      remedy: "Enter the full UID.",
    },
    async *candidates() {
      for await (const { uid, stage, title } of client.tasks.list(factory, { limit: 500 })) {
        yield { id: uid, about: `${stage}  ${title}` };
      }
    },
  });
}
