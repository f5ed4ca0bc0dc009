import { ref } from "../../http/operation.ts";
import { instant, text } from "../../http/shapes.ts";

/** What is answered about the steps of an agent's work. */
export const stepModels = {
  RunSteps: {
    type: "object",
    additionalProperties: false,
    required: ["steps", "page_info"],
    properties: { steps: { type: "array", items: ref("RunStep") }, page_info: ref("PageInfo") },
  },
  RunStep: {
    type: "object",
    additionalProperties: false,
    required: ["id", "turn", "time", "type"],
    properties: {
      id: {
        type: "integer",
        minimum: 1,
        description: "The number of the step; later steps have higher numbers.",
      },
      turn: { type: "integer", minimum: 1 },
      time: instant,
      type: {
        type: "string",
        enum: ["message", "thinking", "plan", "tool_call", "tool_result", "notice", "output", "result"],
        description:
          "A notice is a message of the program itself, such as a retry. Output is a line that is not an event of the program. A result ends a turn, or a part of it.",
      },
      text: { type: "string", description: "The text; secrets are masked, and long texts are cut." },
      call_id: { type: "string", description: "Connects a tool call with its result." },
      name: { type: "string", description: "The name of the tool." },
      input: { type: "string", description: "The input of the tool; usually JSON or a command." },
      output: text,
      is_error: { type: "boolean" },
      tokens: { type: "number" },
      cost_usd: { type: "number" },
      duration_ms: { type: "number" },
    },
  },
} as const;
