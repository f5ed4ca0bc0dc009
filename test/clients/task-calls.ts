import type { ClientStage } from "./stage.ts";

export type Call = readonly [
  method: string,
  members: readonly string[],
  call: (stage: ClientStage) => Promise<unknown>,
];

/** Dispatches a run. @param then asks about its task, which is at a path, and about its run */
async function onTask(
  { ask }: ClientStage,
  then: (task: string, run: string) => Promise<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const body = { prompt: "Do it.", ticket_ref: "linear:T-1" };
  const { task_uid, run_id } = await ask<Record<string, string>>("POST", "/factory/acme/runs", body);
  return then(`/factory/acme/tasks/${task_uid}`, String(run_id));
}

/** What the public clients declare as present in tasks, and what is there when it can be. */
const TASK = [
  "uid",
  "factory_uid",
  "conversation_id",
  "run_id",
  "title",
  "stage",
  "created_at",
  "updated_at",
  "author",
  "outputs",
  "current_run",
  "ticket_id",
  "ticket_source",
];

/** The methods of the clients for tasks. */
export const TASK_CALLS: readonly Call[] = [
  ["factories.tasks.list", ["tasks", "page_info"], ({ ask }) => ask("GET", "/factory/acme/tasks")],
  ["factories.tasks.get", TASK, (stage) => onTask(stage, (task) => stage.ask("GET", task))],
  [
    "factories.tasks.update",
    TASK,
    (stage) => onTask(stage, (task) => stage.ask("PATCH", task, { stage: "REVIEW" })),
  ],
  [
    "factories.tasks.getByRun",
    TASK,
    (stage) => onTask(stage, (_, run) => stage.ask("GET", `/factory/acme/task-by-run?run_id=${run}`)),
  ],
  [
    "factories.tasks.getByConversation",
    TASK,
    (stage) =>
      onTask(stage, (_, run) =>
        stage.ask("GET", `/factory/acme/task-by-conversation?conversation_id=${run}`),
      ),
  ],
  ["factories.tasks.cancel", TASK, (stage) => onTask(stage, (task) => stage.ask("POST", `${task}/cancel`))],
  [
    "factories.tasks.create",
    TASK,
    (stage) =>
      onTask(stage, async (task, conversation_id) => {
        await stage.ask("DELETE", task);
        return stage.ask("POST", "/factory/acme/tasks", { title: "Once more", conversation_id });
      }),
  ],
  [
    "factories.tasks.delete",
    [],
    (stage) => onTask(stage, async (task) => (await stage.ask("DELETE", task)) ?? {}),
  ],
];
