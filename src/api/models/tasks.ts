import { STAGES } from "../../runs/rules/stage.ts";
import { ref } from "../http/operation.ts";
import { boundedText, instant, listOf, record, text } from "./shapes.ts";

const runId = { type: "string", format: "uuid" };
const title = {
  type: "string",
  pattern: "\\S",
  maxLength: 500,
  "x-text": {},
  description: "Non-empty text of at most 500 characters.",
};
const description = {
  ...boundedText(16 * 1024),
  type: ["string", "null"],
  description: "A text of at most 16 KiB. An empty text or null removes the description.",
};
/** The tasks of factories, in the shape of the public API (contract, 1.7). */
export const taskModels = {
  TaskStage: { type: "string", enum: STAGES, description: "The stage of a task." },
  Task: record({
    uid: text,
    factory_uid: text,
    conversation_id: {
      ...runId,
      description: "The conversation of the task, which is that of its first run.",
    },
    run_id: { ...runId, description: "The run that the task was created for." },
    title: text,
    "description?": { type: ["string", "null"] },
    stage: ref("TaskStage"),
    stage_changed_at: { ...instant, description: "When the task entered its stage." },
    created_at: instant,
    updated_at: { ...instant, description: "When the title, the description or the stage last changed." },
    "author?": ref("RunCreatorInfo"),
    "ticket_id?": text,
    "ticket_source?": text,
    "ticket_url?": { type: "string", format: "uri" },
    "current_run?": {
      ...ref("TaskRun"),
      description: "The newest run of the task that has not ended, or else its newest run.",
    },
    "blocked_run?": {
      ...ref("TaskRun"),
      description: "The newest run of the task that waits for an answer.",
    },
    "outputs?": {
      type: "array",
      items: ref("Artifact"),
      description:
        "The artifacts of the task's runs, newest first, at most 100. A list contains only those of the first run, and only with full_list.",
    },
  }),
  TaskRun: record({
    run_id: runId,
    state: ref("RunState"),
    is_run_type_cancellable: { type: "boolean" },
    agent: { type: "string", description: "The agent or principal that the run executes as." },
  }),
  TaskList: listOf("tasks", "Task"),
  CreateTaskRequest: record({
    title,
    conversation_id: {
      ...runId,
      description: "The conversation of a run of the factory that does not belong to a task.",
    },
    "description?": description,
    "stage?": ref("TaskStage"),
  }),
  UpdateTaskRequest: record({ "title?": title, "description?": description, "stage?": ref("TaskStage") }),
  TaskConversation: record({
    task_uid: text,
    messages: { type: "array", items: ref("TaskMessage") },
    links: {
      type: "array",
      items: ref("TaskLink"),
      description:
        "The ticket, then the pull requests, plans and references among the 100 newest artifacts, newest first.",
    },
    page_info: ref("PageInfo"),
  }),
  TaskMessage: record({
    run_id: runId,
    agent: { type: "string", description: "The agent or principal that the run executes as." },
    message: ref("RunMessage"),
  }),
  TaskLink: record({
    type: { type: "string", enum: ["ticket", "pull_request", "plan", "reference"] },
    title: text,
    "url?": { type: "string" },
    "artifact_uid?": { type: "string", description: "The artifact that the link is from." },
    "created_at?": instant,
  }),
} as const;
