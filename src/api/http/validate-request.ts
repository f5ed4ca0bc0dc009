import type { NextFunction, Request, Response } from "express";
import { dataPath, describeViolation, formatPath } from "../../definitions/loading/explain-violation.ts";
import { schemaChecker, type Violation } from "../../definitions/loading/validate.ts";
import { MillraceError } from "../../errors/error.ts";
import { type TextPath, unstorableTexts, whyUnstorable } from "../../platform/storable-text.ts";
import { models } from "../document.ts";
import type { BodyOf, OperationId, PathOf, QueryOf } from "./endpoint.ts";
import type { Operation } from "./operation.ts";

const checkBody = schemaChecker(models);
const checkText = schemaChecker(models, { fromText: true });

/** Checks the parameters and the body of requests to one operation, by the description of the API. */
interface Check {
  query(query: Record<string, unknown>): object;
  body(body: unknown): unknown;
}

/** The parts of a request to one operation, each as the type that its description says. */
export interface RequestCheck<Id extends OperationId> {
  path(parameters: Record<string, string | string[]>): PathOf<Id>;
  /** @returns the query with each value as the type that its schema says, defaults filled in */
  query(query: Record<string, unknown>): QueryOf<Id>;
  body(body: unknown): BodyOf<Id>;
}

/**
 * The check of an operation. Its failures name every field that is wrong, all at once. It is compiled when the operation is
 * first asked for: all of them together would be a good part of a server's start.
 */
export function requestCheck<Id extends OperationId>(operation: Operation<Id>): RequestCheck<Id> {
  let compiled: Check | undefined;
  const check = () => {
    compiled ??= compileCheck(operation);
    return compiled;
  };
  // Here a request becomes typed: the types are made from the description that it is held to, and the router matches its path.
  return {
    path: (parameters) => joinPieces(parameters) as PathOf<Id>,
    query: (query) => check().query(query) as QueryOf<Id>,
    body: (body) => check().body(body) as BodyOf<Id>,
  };
}

/** A parameter that goes through slashes comes in pieces. */
function joinPieces(parameters: Record<string, string | string[]>): object {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, value]) => [name, Array.isArray(value) ? value.join("/") : value]),
  );
}

function compileCheck(operation: Operation): Check {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === "query");
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
  const { requestBody } = operation;
  const bodyViolations = requestBody && checkBody(requestBody.content["application/json"].schema);

  return {
    query(query) {
      const values = gather(query, deepObjects);
      refuseUnstorable(values, "The query of the request");
      refuse(queryViolations(values), "The query of the request is not valid");
      return { ...defaults, ...values };
    },
    body(body) {
      if (!bodyViolations) return undefined;
      if (body === undefined) {
        if (!requestBody.required) return undefined;
        throw new MillraceError("invalid_request", "The request has no body; expected a JSON body.");
      }
      refuseUnstorable(body, "The body of the request", requestBody["x-bytes"]);
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
const MAX_ERRORS = 50;

function refuse(violations: readonly Violation[], what: string): void {
  if (violations.length === 0) return;
  const errors = violations.slice(0, MAX_ERRORS).map((violation) => ({
    field: fieldOf(violation),
    message: describeViolation(violation),
  }));
  const message = errors.map((error) => error.message).join("; ");
  throw new MillraceError("invalid_request", `${what}: ${message}${message.endsWith("?") ? "" : "."}`, {
    remedy: "Correct these fields; /api/v1/openapi.json describes them.",
    extra: { field: errors[0]?.field, errors },
  });
}

function fieldOf({ keyword, params, instancePath }: Violation): string {
  const path = dataPath(instancePath);
  if (keyword === "required") return formatPath([...path, params.missingProperty]);
  if (keyword === "additionalProperties") return formatPath([...path, params.additionalProperty]);
  return formatPath(path);
}

/** No one reads more of them. */
const MAX_UNSTORABLE = 50;

/**
 * Refuses texts that not every database stores as they are, before anything is looked up or written with them.
 * @param what the values are, at the beginning of a sentence
 * @param bytes the fields that are no text, such as `files.content`
 * @throws MillraceError `invalid_request` that names each of them
 */
export function refuseUnstorable(values: unknown, what: string, bytes: readonly string[] = []): void {
  const isText = (path: TextPath) => {
    const name = path.filter((step) => typeof step === "string").join(".");
    return !bytes.some((field) => name === field || name.startsWith(`${field}.`));
  };
  const errors = unstorableTexts(values, { most: MAX_UNSTORABLE, isText }).map(({ path, text }) => {
    const field = formatPath(path).toWellFormed().replaceAll("\0", "\\u0000");
    return { field, message: `"${field}": ${whyUnstorable(text)}` };
  });
  if (errors.length === 0) return;
  const message = errors.map((error) => error.message).join("; ");
  throw new MillraceError("invalid_request", `${what} cannot be stored: ${message}.`, {
    remedy: "Remove these characters from the text.",
    extra: { field: errors[0]?.field, errors },
  });
}

/** The only way to write NUL in a URL: Node refuses the character itself, there and in headers. */
const NUL_IN_URL = "%00";

/** Refuses requests with such a text in their path or query, whatever they ask for: some are looked up before they are checked. */
export function refuseUnstorableUrl({ originalUrl }: Request, _response: Response, next: NextFunction): void {
  if (originalUrl.includes(NUL_IN_URL)) {
    const [path = "", ...rest] = originalUrl.split("?");
    if (path.includes(NUL_IN_URL)) refuseUnstorable({ path: "\0" }, "The path of the request");
    refuseUnstorable(Object.fromEntries(new URLSearchParams(rest.join("?"))), "The query of the request");
  }
  next();
}
