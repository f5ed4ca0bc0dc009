import { dataPath, describeViolation, formatPath } from "../definitions/explain-violation.ts";
import { schemaChecker, type Violation } from "../definitions/validate.ts";
import { MillraceError } from "../error.ts";
import { models } from "./contract/document.ts";
import type { Operation } from "./contract/operation.ts";

const checkBody = schemaChecker(models);
const checkText = schemaChecker(models, { fromText: true });

interface Parameter {
  name: string;
  in: "path" | "query" | "header";
  required?: boolean;
  style?: "deepObject";
  schema: object;
}

/** Checks the parameters and the body of requests to one operation, by the description of the API. */
export interface RequestCheck {
  /** @returns the query with each value as the type that its schema says, defaults filled in */
  query(query: Record<string, unknown>): Record<string, unknown>;
  body(body: unknown): unknown;
}

/**
 * The check of an operation. Its failures name every field that is wrong, all at once. It is compiled when the operation is
 * first asked for: all of them together would be a good part of a server's start.
 */
export function requestCheck(operation: Operation): RequestCheck {
  let compiled: RequestCheck | undefined;
  const check = () => {
    compiled ??= compileCheck(operation);
    return compiled;
  };
  return { query: (query) => check().query(query), body: (body) => check().body(body) };
}

function compileCheck(operation: Operation): RequestCheck {
  const parameters = ((operation.parameters ?? []) as Parameter[]).filter(
    (parameter) => parameter.in === "query",
  );
  const queryViolations = checkText({
    type: "object",
    additionalProperties: false,
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])),
    required: parameters.filter((parameter) => parameter.required).map((parameter) => parameter.name),
  });
  const defaults = Object.fromEntries(
    parameters.flatMap(({ name, schema }) => ("default" in schema ? [[name, schema.default]] : [])),
  );
  const deepObjects = parameters.filter(({ style }) => style === "deepObject").map(({ name }) => name);
  const bodySchema = schemaOfBody(operation);
  const bodyViolations = bodySchema && checkBody(bodySchema.schema);

  return {
    query(query) {
      const values = gather(query, deepObjects);
      refuse(queryViolations(values), "The query of the request is not valid");
      return { ...defaults, ...values };
    },
    body(body) {
      if (!bodyViolations) return undefined;
      if (body === undefined) {
        if (!bodySchema.required) return undefined;
        throw new MillraceError("invalid_request", "The request has no body; a JSON body was expected.");
      }
      refuse(bodyViolations(body), "The body of the request is not valid");
      return body;
    },
  };
}

/** `metadata[key]=value` becomes an object (OpenAPI, style deepObject). */
function gather(query: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const values: Record<string, unknown> = Object.create(null);
  for (const [key, value] of Object.entries(query)) {
    const [, name = "", inner = ""] = /^([^[]+)\[(.*)\]$/.exec(key) ?? [];
    if (names.includes(name)) values[name] = { ...(values[name] as object), [inner]: value };
    else values[key] = value;
  }
  return values;
}

/** Nobody reads more of them, and a request can have a hundred thousand. */
const MOST_ERRORS = 50;

function refuse(violations: readonly Violation[], what: string): void {
  if (violations.length === 0) return;
  const errors = violations.slice(0, MOST_ERRORS).map((violation) => ({
    field: fieldOf(violation),
    message: describeViolation(violation),
  }));
  const message = errors.map((error) => error.message).join("; ");
  throw new MillraceError("invalid_request", `${what}: ${message}${message.endsWith("?") ? "" : "."}`, {
    remedy: "Correct the fields that are named; /api/v1/openapi.json describes every one.",
    extra: { field: errors[0]?.field, errors },
  });
}

function fieldOf({ keyword, params, instancePath }: Violation): string {
  const path = dataPath(instancePath);
  if (keyword === "required") return formatPath([...path, params.missingProperty]);
  if (keyword === "additionalProperties") return formatPath([...path, params.additionalProperty]);
  return formatPath(path);
}

function schemaOfBody(operation: Operation): { schema: object; required: boolean } | undefined {
  const described = operation.requestBody as
    | { required: boolean; content: { "application/json": { schema: object } } }
    | undefined;
  return described && { schema: described.content["application/json"].schema, required: described.required };
}
