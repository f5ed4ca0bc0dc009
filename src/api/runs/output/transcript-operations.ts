import { type Parameter, queryParameter } from "../../http/operation.ts";

/** How a transcript is asked for, beside the id of the last event that was seen. */
export const transcriptParameters: Parameter[] = [
  {
    name: "Range",
    in: "header",
    required: false,
    schema: { type: "string" },
    description: "A range of the text, in bytes: bytes=0-65535, or the last bytes with bytes=-65536.",
  },
  queryParameter("follow", "Whether to stream Server-Sent Events until the run ends.", {
    type: "boolean",
    default: false,
  }),
  queryParameter("steps", "Whether the stream also contains the steps that the harness reports.", {
    type: "boolean",
    default: false,
  }),
];

/** A transcript as a text, a part of it, or a stream of events. */
export const transcriptAnswers = {
  200: {
    description:
      "The output so far, or events: output {text, stream, turn, at} and, on request, step {id, turn, time, type, …}, then end {state}.",
    content: {
      "text/plain; charset=utf-8": { schema: { type: "string" } },
      "text/event-stream": { schema: { type: "string" } },
    },
  },
  206: {
    description: "The requested range.",
    content: { "text/plain; charset=utf-8": { schema: { type: "string" } } },
  },
};
