import { MAX_TREE } from "../../../runs/rules/family.ts";
import { ref } from "../../http/operation.ts";
import { instant, text, uuid } from "../../http/shapes.ts";

/** Families of runs. */
export const treeModels = {
  RunTree: {
    type: "object",
    additionalProperties: false,
    required: ["root_run_id", "runs"],
    properties: {
      root_run_id: { ...uuid, description: "The root of the family. It may have been deleted." },
      runs: {
        type: "array",
        items: ref("RunTreeItem"),
        description: `The runs of the family that the caller can access, oldest first; at most ${MAX_TREE}. With the token of a run: that run and its descendants.`,
      },
    },
  },
  RunTreeItem: {
    type: "object",
    additionalProperties: false,
    required: [
      "run_id",
      "parent_run_id",
      "agent",
      "title",
      "state",
      "created_at",
      "started_at",
      "finished_at",
      "is_sandbox_running",
    ],
    properties: {
      run_id: uuid,
      parent_run_id: { type: ["string", "null"], format: "uuid" },
      agent: { ...text, description: "The name of the agent that executes the run." },
      title: text,
      state: ref("RunState"),
      created_at: instant,
      started_at: { type: ["string", "null"], format: "date-time" },
      finished_at: { type: ["string", "null"], format: "date-time" },
      waiting_for: { type: "array", items: uuid, description: "The runs that the run waits for." },
      cost_usd: {
        type: "number",
        description: "What the models have cost so far, as far as it is known.",
      },
      is_sandbox_running: { type: "boolean" },
    },
  },
  RunParent: {
    type: "object",
    additionalProperties: false,
    description: "The run that started this run, if it is stored. Only in the response for a single run.",
    required: ["run_id", "title", "state"],
    properties: { run_id: uuid, title: text, state: ref("RunState") },
  },
} as const;
