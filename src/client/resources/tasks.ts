import { type ApiPromise, ifMatch, type PagePromise, Resource } from "../api.ts";
import type { CallOptions } from "../options.ts";
import type { Models, QueryAt } from "../typed-paths.ts";

/** Tasks: what the runs of a factory work on. A factory is named by its name or its UID; `factories.dispatch` makes a task, too. */
export class Tasks extends Resource {
  list(
    uid: string,
    query: QueryAt<"get", "/factory/{uid}/tasks"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["Task"]> {
    return this.api.list("/factory/{uid}/tasks", "tasks", { path: { uid }, query }, options);
  }

  /** Creates a task for the conversation of a run. Not retried: the conversation would have a task by then. */
  create(
    uid: string,
    body: Models["CreateTaskRequest"],
    options: CallOptions = {},
  ): ApiPromise<Models["Task"]> {
    return this.api.call(
      "post",
      "/factory/{uid}/tasks",
      { path: { uid }, body },
      { maxRetries: 0, ...options },
    );
  }

  get(uid: string, taskUid: string, options: CallOptions = {}): ApiPromise<Models["Task"]> {
    return this.api.call("get", "/factory/{uid}/tasks/{taskUid}", { path: { uid, taskUid } }, options);
  }

  update(
    uid: string,
    taskUid: string,
    body: Models["UpdateTaskRequest"],
    options: CallOptions = {},
    etag?: string,
  ): ApiPromise<Models["Task"]> {
    return this.api.call(
      "patch",
      "/factory/{uid}/tasks/{taskUid}",
      { path: { uid, taskUid }, body },
      ifMatch(etag, options),
    );
  }

  delete(uid: string, taskUid: string, options: CallOptions = {}): ApiPromise<undefined> {
    return this.api.call("delete", "/factory/{uid}/tasks/{taskUid}", { path: { uid, taskUid } }, options);
  }

  /** Moves a task to CANCELLED, and ends all of its runs. */
  cancel(uid: string, taskUid: string, options: CallOptions = {}): ApiPromise<Models["Task"]> {
    const path = "/factory/{uid}/tasks/{taskUid}/cancel";
    return this.api.call("post", path, { path: { uid, taskUid } }, options);
  }

  /** The runs of a task, oldest first. */
  runs(
    uid: string,
    taskUid: string,
    query: QueryAt<"get", "/factory/{uid}/tasks/{taskUid}/runs"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["RunItem"]> {
    const path = "/factory/{uid}/tasks/{taskUid}/runs";
    return this.api.list(path, "runs", { path: { uid, taskUid }, query }, options);
  }

  /** What was said in all runs of a task, oldest first. */
  conversation(
    uid: string,
    taskUid: string,
    query: QueryAt<"get", "/factory/{uid}/tasks/{taskUid}/conversation"> = {},
    options: CallOptions = {},
  ): PagePromise<Models["TaskMessage"]> {
    const path = "/factory/{uid}/tasks/{taskUid}/conversation";
    return this.api.list(path, "messages", { path: { uid, taskUid }, query }, options);
  }

  /** The task that a run belongs to. */
  byRun(uid: string, runId: string, options: CallOptions = {}): ApiPromise<Models["Task"]> {
    const given = { path: { uid }, query: { run_id: runId } };
    return this.api.call("get", "/factory/{uid}/task-by-run", given, options);
  }
}
