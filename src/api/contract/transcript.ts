import { queryParameter } from "./operation.ts";

/** How a transcript is asked for, beside the id of the last event that was seen. */
export const transcriptParameters = [
  {
    name: "Range",
    in: "header",
    required: false,
    schema: { type: "string" },
    description: "A stretch of the text, in bytes: bytes=0-65535, or the last ones with bytes=-65536.",
  },
  queryParameter("follow", "Stream Server-Sent Events until the run ends.", {
    type: "boolean",
    default: false,
  }),
];

/** A transcript as a text, a part of it, or a stream of events. */
export const transcriptAnswers = {
  200: {
    description: "The output so far, or events: output {text, stream, turn, at}, then end {state}.",
    content: {
      "text/plain; charset=utf-8": { schema: { type: "string" } },
      "text/event-stream": { schema: { type: "string" } },
    },
  },
  206: {
    description: "The stretch that was asked for.",
    content: { "text/plain; charset=utf-8": { schema: { type: "string" } } },
  },
};
