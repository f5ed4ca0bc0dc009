import type { Role } from "../../principals/principal.ts";
import type { OperationId } from "../http/endpoint.ts";
import {
  answers,
  body,
  json,
  type Method,
  type Operation,
  type Parameter,
  type PlacedOperation,
  pathParameter,
  ref,
} from "../http/operation.ts";

/** Who may call an operation: a key of at least a role, the token of a run, either of them, or anyone. */
type Caller = Role | `${Role} or run` | "run" | "anyone";

/** A description and the name of the model that it describes. */
type Answer = readonly [description: string, model: string];

interface Row {
  summary: string;
  /** Where it differs from that of the section. */
  tag?: string;
  /** What parameters of the path are, where the section and {@link IN_PATHS} say something else. */
  path?: Readonly<Record<string, string>>;
  /** Those of the query and the headers. */
  parameters?: readonly Parameter[];
  /** @property bytes as `x-bytes` of a request body */
  body?: string | { model: string; optional?: true; bytes?: readonly string[] };
  /** 200 */
  answer?: Answer;
  /** 201 */
  created?: Answer;
  /** 204 */
  done?: string;
  /** Answers of any other form, by their status. */
  answers?: Record<number, object>;
  deprecated?: true;
  /** Whether the published description lists the tags before the id. */
  tagsFirst?: true;
}

interface Section {
  tag: string;
  path?: Readonly<Record<string, string>>;
}

/** What parameters of paths are, unless a section says something else. */
const IN_PATHS: Readonly<Record<string, string>> = {
  artifactUid: "The id of the artifact.",
  commit: "The hash of the commit, or at least its first 7 characters.",
  conversationId: "The id of the conversation.",
  delivery_id: "The id of the delivery.",
  document: "The schema's file name, for example webhook.schema.json.",
  factory: "The name or UID of the factory.",
  path: "The path of the file, relative to the root of the definition.",
  runId: "The id of the run.",
  scheduleId: "The id of the schedule.",
  sessionUuid: "The id of the session.",
  taskUid: "The UID of the task.",
  version: "The version of the definition format, for example v1alpha1.",
};

type InSection = (section: Section) => PlacedOperation;

const at =
  (method: Method) =>
  (path: string, id: OperationId, caller: Caller, row: Row): InSection =>
  (section) => ({ method, path, operation: operationOf(path, id, caller, row, section) });

export const get = at("get");
export const post = at("post");
export const put = at("put");
export const patch = at("patch");
export const del = at("delete");

/** Operations with a tag, and with words for the parameters of their paths. */
export function section(of: Section, rows: readonly InSection[]): PlacedOperation[] {
  return rows.map((row) => row(of));
}

function operationOf(
  path: string,
  operationId: OperationId,
  caller: Caller,
  row: Row,
  section: Section,
): Operation {
  const parameters = [
    ...inPath(path, { ...IN_PATHS, ...section.path, ...row.path }),
    ...(row.parameters ?? []),
  ];
  const tags = [row.tag ?? section.tag];
  const { security, ...access } = accessOf(caller);
  const tagged = { tags, ...(security ? { security } : {}) };
  const operation = {
    ...(row.tagsFirst ? tagged : {}),
    operationId,
    ...access,
    summary: row.summary,
    ...tagged,
    ...(parameters.length > 0 || row.parameters ? { parameters } : {}),
    ...(row.body === undefined ? {} : { requestBody: bodyOf(row.body) }),
    responses: answers(answersOf(row)),
    ...(row.deprecated ? { deprecated: true } : {}),
  };
  return operation as unknown as Operation;
}

function inPath(path: string, words: Readonly<Record<string, string>>): Parameter[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => pathParameter(name, words[name] ?? ""));
}

function accessOf(caller: Caller): { [Key in "x-required-role" | "x-run-token" | "security"]?: unknown } {
  if (caller === "anyone") return { security: [] };
  const [role, run] = caller === "run" ? [undefined, "run"] : caller.split(" or ");
  return { ...(role ? { "x-required-role": role } : {}), ...(run ? { "x-run-token": true } : {}) };
}

function bodyOf(given: NonNullable<Row["body"]>) {
  const { model, optional, bytes } = typeof given === "string" ? { model: given } : given;
  return body(ref(model), !optional, bytes);
}

function answersOf({ answer, created, done, answers }: Row): Record<number, object> {
  const inJson = ([description, model]: Answer) => json(description, ref(model));
  return {
    ...(answer ? { 200: inJson(answer) } : {}),
    ...(created ? { 201: inJson(created) } : {}),
    ...(done === undefined ? {} : { 204: { description: done } }),
    ...answers,
  };
}
