import { STAGES } from "../../tasks/rules/stage.ts";
import { TASK_SORTS } from "../../tasks/task-query.ts";
import {
  answers,
  body,
  json,
  optionalIfMatch,
  type Parameter,
  type Paths,
  pageParameters,
  pathParameter,
  queryParameter,
  ref,
} from "../http/operation.ts";
import { writtenInstant } from "../http/shapes.ts";

const tags = ["tasks"];
const uid = pathParameter("uid", "The UID or name of the factory.");
const taskUid = pathParameter("taskUid", "The UID of the task.");
const text = { type: "string", minLength: 1, maxLength: 1_000 };
const flag = { type: "boolean", default: false };
const theTask = answers({ 200: json("The task.", ref("Task")) });

const taskFilters: Parameter[] = [
  queryParameter("created_after", "Only tasks created at or after this time.", writtenInstant),
  queryParameter("created_before", "Only tasks created before this time.", writtenInstant),
  queryParameter("updated_after", "Only tasks updated at or after this time.", writtenInstant),
  queryParameter("created_by", "Only tasks of one of these authors, given by UID or name.", {
    type: "array",
    items: text,
    minItems: 1,
    maxItems: 50,
  }),
  queryParameter("stage", "Only tasks in one of these stages.", {
    type: "array",
    items: ref("TaskStage"),
    minItems: 1,
    maxItems: STAGES.length,
  }),
  queryParameter("q", "Part of the title; case-insensitive.", text),
  queryParameter("sort_by", "The field to sort by.", {
    type: "string",
    enum: TASK_SORTS,
    default: "updated_at",
  }),
  queryParameter("sort_order", "The sort order: descending or ascending.", {
    type: "string",
    enum: ["asc", "desc"],
    default: "desc",
  }),
  queryParameter("full_list", "Whether to include the tickets and the outputs of the tasks.", flag),
  queryParameter("include_current_run", "Whether to include the current run of each task.", flag),
];

/** The tasks of a factory. */
export const taskPaths: Paths = {
  "/factory/{uid}/tasks": {
    get: {
      operationId: "listTasks",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "List the tasks of a factory",
      tags,
      parameters: [uid, ...pageParameters, ...taskFilters],
      responses: answers({ 200: json("A page of tasks.", ref("TaskList")) }),
    },
    post: {
      operationId: "createTask",
      "x-required-role": "operator",
      summary: "Create a task for the conversation of a run",
      tags,
      parameters: [uid],
      requestBody: body(ref("CreateTaskRequest")),
      responses: theTask,
    },
  },
  "/factory/{uid}/tasks/{taskUid}": {
    get: {
      operationId: "getTask",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "Get a task",
      tags,
      parameters: [uid, taskUid],
      responses: theTask,
    },
    patch: {
      operationId: "updateTask",
      "x-required-role": "operator",
      "x-run-token": true,
      summary: "Change the title, the description or the stage of a task",
      tags,
      parameters: [uid, taskUid, optionalIfMatch],
      requestBody: body(ref("UpdateTaskRequest")),
      responses: theTask,
    },
    delete: {
      operationId: "deleteTask",
      "x-required-role": "operator",
      summary: "Delete a task; its runs are preserved",
      tags,
      parameters: [uid, taskUid, optionalIfMatch],
      responses: answers({ 204: { description: "The task was deleted." } }),
    },
  },
  "/factory/{uid}/tasks/{taskUid}/cancel": {
    post: {
      operationId: "cancelTask",
      "x-required-role": "operator",
      summary: "Cancel a task and all of its runs",
      tags,
      parameters: [uid, taskUid],
      responses: theTask,
    },
  },
  "/factory/{uid}/tasks/{taskUid}/runs": {
    get: {
      operationId: "listTaskRuns",
      "x-required-role": "viewer",
      summary: "List the runs of a task, oldest first",
      tags,
      parameters: [uid, taskUid, ...pageParameters],
      responses: answers({ 200: json("A page of runs.", ref("ListRunsResponse")) }),
    },
  },
  "/factory/{uid}/tasks/{taskUid}/conversation": {
    get: {
      operationId: "getTaskConversation",
      "x-required-role": "viewer",
      summary: "List the messages of all runs of a task, oldest first, and its links",
      tags,
      parameters: [uid, taskUid, ...pageParameters],
      responses: answers({ 200: json("A page of messages.", ref("TaskConversation")) }),
    },
  },
  "/factory/{uid}/task-by-run": {
    get: {
      operationId: "getTaskByRun",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "Get the task that a run belongs to",
      tags,
      parameters: [
        uid,
        { ...queryParameter("run_id", "The id of a run of the task.", text), required: true },
      ],
      responses: theTask,
    },
  },
  "/factory/{uid}/task-by-conversation": {
    get: {
      operationId: "getTaskByConversation",
      "x-required-role": "viewer",
      "x-run-token": true,
      summary: "Get the task of a conversation",
      tags,
      parameters: [
        uid,
        { ...queryParameter("conversation_id", "The id of the conversation.", text), required: true },
      ],
      responses: theTask,
    },
  },
};
