import type { Ask } from "./every-answer.ts";

/** Asks for everything that there is about tasks. */
export async function askForTasks(ask: Ask): Promise<void> {
  const ticket = { ticket_ref: "linear:T-1", ticket_url: "https://linear.example/T-1" };
  const { run_id, task_uid } = await ask("POST", "/factory/acme/runs", { prompt: "Do it.", ...ticket });
  const tasks = "/factory/acme/tasks";
  const task = `${tasks}/${task_uid}`;
  await ask("PATCH", task, { description: "More of it.", stage: "SPEC" });
  await ask("GET", `${tasks}?full_list=true&include_current_run=true`);
  for (const rest of ["", "/runs", "/conversation"]) await ask("GET", `${task}${rest}`);
  await ask("GET", `/factory/acme/task-by-run?run_id=${run_id}`);
  await ask("GET", `/factory/acme/task-by-conversation?conversation_id=${run_id}`);
  await ask("POST", `${task}/cancel`);
  await ask("DELETE", task);
  await ask("POST", tasks, { title: "Once more", conversation_id: run_id });
}
