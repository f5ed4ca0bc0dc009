import type { Models } from "../../client/typed-paths.ts";
import { type Artifact, artifactText } from "../../runs/rules/artifact.ts";
import { promptMessage, runMessage } from "../../runs/rules/conversation.ts";
import type { Task } from "../../tasks/task.ts";
import type { ApiRequest } from "../http/endpoint.ts";
import { cutPage } from "../http/page.ts";
import { findTask } from "./find-task.ts";
import type { TaskDeps } from "./task-deps.ts";

const MAX_LINKS = 100;

/** `GET /factory/{uid}/tasks/{taskUid}/conversation`: what was said in all runs of a task, and what it has led to. */
export async function getTaskConversation(request: ApiRequest<"getTaskConversation">, deps: TaskDeps) {
  const { tasks, cursors } = deps;
  const task = await findTask(request, deps);
  const { limit, cursor } = request.query;
  const scope = { taskConversation: task.uid };
  const [after] = cursor ? cursors.decode(scope, cursor, 1) : [];
  const [stored, outputs] = await Promise.all([
    tasks.listMessages(task.uid, { ...(after === undefined ? {} : { after }), limit: limit + 1 }),
    tasks.listOutputs(task.uid, MAX_LINKS),
  ]);
  const found = stored.messages.map(({ run, message }) => ({
    run_id: run.id,
    agent: run.executor.displayName,
    message: message === null ? promptMessage(run) : runMessage(message, run),
  }));
  const { items, pageInfo } = cutPage(found, stored.isCut ? found.length - 1 : limit, ({ message }) =>
    cursors.encode(scope, [message.id]),
  );
  return {
    json: { task_uid: task.uid, messages: items, links: linksOf(task, outputs), page_info: pageInfo },
  };
}

const LINK_TYPES = { PULL_REQUEST: "pull_request", PLAN: "plan", EXTERNAL_REFERENCE: "reference" } as const;

function linksOf({ ticket }: Task, outputs: readonly Artifact[]): Models["TaskLink"][] {
  const links = outputs.flatMap(({ id, type, data, createdAt }): Models["TaskLink"][] => {
    if (type === "FILE") return [];
    const link = {
      type: LINK_TYPES[type],
      title: data.title ?? data.url ?? (artifactText(data) || type),
      created_at: createdAt,
    };
    return [{ ...link, artifact_uid: id, ...(data.url === undefined ? {} : { url: data.url }) }];
  });
  if (!ticket?.url) return links;
  return [{ type: "ticket", title: `${ticket.source}:${ticket.id}`, url: ticket.url }, ...links];
}
