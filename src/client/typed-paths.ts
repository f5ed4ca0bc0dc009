import type { components, paths } from "./api-types.ts";

/** The schemas of the API by their names in its description. */
export type Models = components["schemas"];

export type Verb = "get" | "post" | "put" | "patch" | "delete";

/** The paths that a verb can be used on. */
export type PathWith<V extends Verb> = {
  [Path in keyof paths]: paths[Path] extends Record<V, object> ? Path : never;
}[keyof paths];

export type OperationAt<V extends Verb, Path extends PathWith<V>> = paths[Path][V];

/** The query of an operation. */
export type QueryAt<V extends Verb, Path extends PathWith<V>> =
  OperationAt<V, Path> extends {
    parameters: { query?: infer Query };
  }
    ? NonNullable<Query>
    : never;

/** The arguments of an operation. */
export type GivenAt<V extends Verb, Path extends PathWith<V>> = PathOf<OperationAt<V, Path>> &
  QueryOf<OperationAt<V, Path>> &
  BodyOf<OperationAt<V, Path>>;

type PathOf<Op> = Op extends { parameters: { path: infer Path } } ? { path: Path } : unknown;
type QueryOf<Op> = Op extends { parameters: { query?: infer Query } } ? { query?: Query } : unknown;
type BodyOf<Op> = Op extends { requestBody: JsonContent<infer Body> }
  ? { body: Body }
  : Op extends { requestBody?: JsonContent<infer Body> }
    ? { body?: Body }
    : unknown;
type JsonContent<Body> = { content: { "application/json": Body } };

/** The response of a successful operation: the first of its forms that is JSON, or text. */
export type AnswerAt<V extends Verb, Path extends PathWith<V>> =
  OperationAt<V, Path> extends {
    responses: infer Responses;
  }
    ? ContentOf<Omit<Responses, "default" | 304>>
    : never;

type ContentOf<Responses> = Responses[keyof Responses] extends { content: infer Content }
  ? Content extends { "application/json": infer Data }
    ? Data
    : Content[keyof Content]
  : undefined;
