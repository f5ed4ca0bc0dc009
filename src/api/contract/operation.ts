/** One operation of the API as its description has it; `Op` fills in what they all share. */
export interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  parameters?: readonly object[];
  requestBody?: object;
  responses: Record<string, object>;
  /** Empty for what needs no key. */
  security?: readonly object[];
  deprecated?: boolean;
}

export type Paths = Record<string, Partial<Record<"get" | "post" | "put" | "patch" | "delete", Operation>>>;

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** An answer with a JSON body of a model. */
export const json = (description: string, schema: object) => ({
  description,
  content: { "application/json": { schema } },
});

/** A request body of a model. */
export const body = (schema: object, required = true) => ({
  required,
  content: { "application/json": { schema } },
});

export const pathParameter = (name: string, description: string) => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" },
});

export const queryParameter = (name: string, description: string, schema: object) => ({
  name,
  in: "query",
  description,
  schema,
});

/** Where a stream of events goes on. */
export const lastEventId = {
  name: "Last-Event-ID",
  in: "header",
  description: "The id of the last event that was seen: the stream goes on after it.",
  schema: { type: "string", pattern: "^[0-9]{1,15}$" },
};

/** What is sent again with the same key has its effect once. */
export const idempotencyKey = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Sent again with the same key and body, the request has the effect and the answer of the first time.",
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
};

/** A change is one of what the sender has seen. */
export const ifMatch = {
  name: "If-Match",
  in: "header",
  description:
    "The ETag of what is changed, as its GET gave it, or *. Without it what exists is not changed: 412.",
  schema: { type: "string" },
};

/** As {@link ifMatch}, for what clients of the public API change without one. */
export const optionalIfMatch = {
  name: "If-Match",
  in: "header",
  description:
    "The ETag of what is changed, as its GET gave it: when it is not that any more, the answer is 412. Without it the last one wins.",
  schema: { type: "string" },
};

/** What every list takes. */
export const pageParameters = [
  queryParameter("limit", "How many at most.", { type: "integer", minimum: 1, maximum: 500, default: 20 }),
  queryParameter("cursor", "The next_cursor of the page before.", { type: "string" }),
];

const problem = { content: { "application/problem+json": { schema: ref("Error") } } };

/** The answers of an operation, with the one that stands for every failure. */
export const answers = (success: Record<string, object>) => ({
  ...success,
  default: { description: "What went wrong.", ...problem },
});
