import type { Role } from "../../principals/principal.ts";
import type { OperationId } from "./endpoint.ts";

/** One operation of the API as its description has it. A new one gets its types by `npm run build`. */
export type Operation<Id extends OperationId = OperationId> = Access & {
  operationId: Id;
  summary: string;
  tags: string[];
  parameters?: readonly Parameter[];
  requestBody?: RequestBody;
  responses: Record<string, object>;
  deprecated?: boolean;
};

/** What a request says beside its body. */
export interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  description: string;
  style?: "deepObject";
  explode?: boolean;
  schema: object;
}

export interface RequestBody {
  required: boolean;
  /** Fields whose content is kept or sent as bytes, such as `files.content`: every other text is one without NUL characters. */
  "x-bytes"?: readonly string[];
  content: { "application/json": { schema: object } };
}

/** Who may call an operation: a key of a role, only the token of a run, or anybody. */
type Access =
  | {
      /** The least role; the handler sees to the factories that a key reaches. */
      "x-required-role": Role;
      /** Whether the token of a run is good for this too; the handler sees to it that it reaches its own run only. */
      "x-run-token"?: true;
      security?: undefined;
    }
  | { "x-required-role"?: undefined; "x-run-token": true; security?: undefined }
  | { security: readonly []; "x-required-role"?: undefined; "x-run-token"?: undefined };

export type Method = "get" | "post" | "put" | "patch" | "delete";

/** An operation with the place where it is called. */
export interface PlacedOperation<Id extends OperationId = OperationId> {
  method: Method;
  path: string;
  operation: Operation<Id>;
}

export type Paths = Record<string, Partial<Record<Method, Operation>>>;

export const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** An answer with a JSON body of a model. */
export const json = (description: string, schema: object) => ({
  description,
  content: { "application/json": { schema } },
});

/** A request body of a model. @param bytes its fields whose content is kept or sent as bytes */
export const body = (schema: object, required = true, bytes: readonly string[] = []): RequestBody => ({
  required,
  ...(bytes.length > 0 ? { "x-bytes": bytes } : {}),
  content: { "application/json": { schema } },
});

export const pathParameter = (name: string, description: string): Parameter => ({
  name,
  in: "path",
  required: true,
  description,
  schema: { type: "string" },
});

export const queryParameter = (name: string, description: string, schema: object): Parameter => ({
  name,
  in: "query",
  description,
  schema,
});

/** Where a stream of events goes on. */
export const lastEventId: Parameter = {
  name: "Last-Event-ID",
  in: "header",
  description: "The id of the last event received; the stream continues after it.",
  schema: { type: "string", pattern: "^[0-9]{1,15}(\\.[0-9]{1,40})?$" },
};

/** What is sent again with the same key has its effect once. */
export const idempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Retrying a request with the same key and body has no further effect and returns the first response.",
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
};

/** As {@link idempotencyKey}, for what answers with a secret that was just made. */
export const secretIdempotencyKey: Parameter = {
  name: "Idempotency-Key",
  in: "header",
  description:
    "Retrying a request with the same key and body has no further effect. For one minute, a retry with the same API key or session returns the first response, including the secret. After that, the response is 409.",
  schema: { type: "string", pattern: "^[\\x21-\\x7e]{1,255}$" },
};

/** A change is one of what the sender has seen. */
export const ifMatch: Parameter = {
  name: "If-Match",
  in: "header",
  description:
    "The ETag of the resource, from the response to a GET request, or *. This header is required to change an existing resource. Without it, the response is 412.",
  schema: { type: "string" },
};

/** As {@link ifMatch}, for what clients of the public API change without one. */
export const optionalIfMatch: Parameter = {
  name: "If-Match",
  in: "header",
  description:
    "The ETag of the resource, from the response to a GET request. If the resource has been modified since then, the response is 412. Without this header, the last write wins.",
  schema: { type: "string" },
};

/** What every list takes. */
export const pageParameters = [
  queryParameter("limit", "The maximum number of items to return.", {
    type: "integer",
    minimum: 1,
    maximum: 500,
    default: 20,
  }),
  queryParameter("cursor", "The next_cursor of the previous page.", { type: "string" }),
];

const problem = { content: { "application/problem+json": { schema: ref("Error") } } };

/** The answers of an operation, with the one that stands for every failure. */
export const answers = (success: Record<string, object>) => ({
  ...success,
  default: { description: "An error.", ...problem },
});
