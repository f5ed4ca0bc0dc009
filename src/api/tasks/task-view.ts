import type { Models } from "../../client/typed-paths.ts";
import type { Artifact } from "../../runs/rules/artifact.ts";
import type { CurrentRun, Task } from "../../tasks/task.ts";
import { artifactView } from "../runs/output/artifact-view.ts";
import { creatorInfo } from "../runs/run-item.ts";

/** What is shown of a task beside itself. */
export interface TaskBelongings {
  current?: CurrentRun | undefined;
  blocked?: CurrentRun | undefined;
  outputs?: readonly Artifact[] | undefined;
  /** A list of tasks leaves tickets out, unless it is asked for them. */
  hasTicket: boolean;
}

/** A task in the shape of the public API. */
export function taskView(
  task: Task,
  { current, blocked, outputs, hasTicket }: TaskBelongings,
): Models["Task"] {
  return {
    uid: task.uid,
    factory_uid: task.factoryUid,
    conversation_id: task.conversationId,
    run_id: task.conversationId,
    title: task.title,
    ...(task.description === null ? {} : { description: task.description }),
    stage: task.stage,
    stage_changed_at: task.stageAt,
    created_at: task.createdAt,
    updated_at: task.updatedAt,
    author: creatorInfo(task.author),
    ...(hasTicket ? ticketView(task) : {}),
    ...(current ? { current_run: currentRunView(current) } : {}),
    ...(blocked ? { blocked_run: currentRunView(blocked) } : {}),
    ...(outputs ? { outputs: outputs.map(artifactView) } : {}),
  };
}

function ticketView({ ticket }: Task) {
  if (!ticket) return {};
  const { id, source, url } = ticket;
  return { ticket_id: id, ticket_source: source, ...(url === null ? {} : { ticket_url: url }) };
}

function currentRunView({ runId, state, agent }: CurrentRun) {
  return { run_id: runId, state, is_run_type_cancellable: true, agent };
}
