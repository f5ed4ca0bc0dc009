import { ref } from "../http/operation.ts";
import { record, text } from "./shapes.ts";

/** The body of every refusal. */
export const errorModel = {
  Error: {
    type: "object",
    unevaluatedProperties: false,
    required: ["type", "title", "status", "error"],
    description: "RFC 9457 problem details.",
    properties: {
      type: { type: "string", format: "uri", description: "A URI that ends in the error code." },
      title: text,
      status: { type: "integer" },
      error: text,
      detail: text,
      remedy: text,
      instance: text,
      retryable: { type: "boolean" },
      trace_id: text,
      field: { type: "string", description: "The first invalid field." },
      reason: {
        type: "string",
        description:
          "Which limit refuses an agent that starts a run, for example not_granted, depth, children, family or cycle, or that sends a message, for example asks_person or sent_enough.",
      },
      errors: {
        type: "array",
        description: "All invalid fields.",
        items: record({ field: text, message: text }),
      },
      problems: {
        type: "array",
        description: "The problems that make a change to a definition invalid.",
        items: ref("Problem"),
      },
    },
  },
} as const;
