import type { Task } from "./named-task.ts";

/** A task as the tools return it: that of the API, under the name that the tools take it by, with the links for people. */
export function taskEntry(task: Task, publicUrl: string) {
  return {
    factory_task_uid: task.uid,
    ...task,
    task_url: `${publicUrl}/tasks/${task.uid}`,
    run_url: runUrl(task.run_id, publicUrl),
  };
}

export function runUrl(runId: string, publicUrl: string): string {
  return `${publicUrl}/runs/${runId}`;
}

/** Tasks in words, one in a line. */
export function taskLines(tasks: readonly Task[], none: string): string {
  return tasks.length === 0 ? none : tasks.map((task) => `- ${taskLine(task)}`).join("\n");
}

/** A task in a line. */
export function taskLine(task: Task): string {
  const ticket = task.ticket_source === undefined ? "" : ` (${task.ticket_source}:${task.ticket_id})`;
  const run = task.current_run ? `, ${task.current_run.agent} is ${task.current_run.state}` : "";
  return `${task.uid} ${task.stage}: ${task.title}${ticket}${run}`;
}
