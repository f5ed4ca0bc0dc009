import { listOperations, models } from "../../src/api/document.ts";

/** What of JSON Schema the answers of the API are described with. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  enum?: readonly unknown[];
  required?: readonly string[];
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  unevaluatedProperties?: boolean;
  items?: Schema;
  /** A model, or null. */
  anyOf?: readonly Schema[];
}

/** A schema with where it stands: `Model.member`, `Model.list[]` or `Model.map.*`. */
export interface NamedSchema {
  name: string;
  schema: Schema;
}

interface DescribedResponse {
  content?: Record<string, { schema: Schema }>;
}

/** The schema of an answer of an operation, under the operation's id unless it is a model. */
export function answerSchema(operationId: string, status: string): NamedSchema | undefined {
  const placed = listOperations().find(({ operation }) => operation.operationId === operationId);
  const { content } = (placed?.operation.responses[status] ?? {}) as DescribedResponse;
  const described = Object.entries(content ?? {}).find(([type]) => /[/+]json$/.test(type));
  return described && resolve({ name: operationId, schema: described[1].schema });
}

/** Every schema of an object, or of anything at all, that a JSON answer can have somewhere in it. */
export function objectSchemas(): Map<string, Schema> {
  const found = new Map<string, Schema>();
  const visit = (unresolved: NamedSchema) => {
    const named = resolve(unresolved);
    if (found.has(named.name)) return;
    if (canBeObject(named.schema)) found.set(named.name, named.schema);
    for (const part of partsOf(named)) visit(part);
  };
  for (const { operation } of listOperations()) {
    for (const status of Object.keys(operation.responses)) {
      const schema = answerSchema(operation.operationId, status);
      if (schema) visit(schema);
    }
  }
  return found;
}

/** An object in a value, with the schema that is about it. */
export interface ObjectInValue extends NamedSchema {
  path: (string | number)[];
  value: Record<string, unknown>;
}

/** Every object that a value holds, itself included, as far as its schema knows them. */
export function objectsIn(
  value: unknown,
  unresolved: NamedSchema,
  path: (string | number)[] = [],
): ObjectInValue[] {
  if (typeof value !== "object" || value === null) return [];
  const named = resolve(unresolved);
  const own = Array.isArray(value) ? [] : [{ ...named, path, value: value as Record<string, unknown> }];
  const inner = Object.entries(value).flatMap(([key, item]) => {
    const part = partFor(named, key, Array.isArray(value));
    return part ? objectsIn(item, part, [...path, key]) : [];
  });
  return [...own, ...inner];
}

function resolve({ name, schema: nullable }: NamedSchema): NamedSchema {
  const schema = nullable.anyOf?.find(({ type }) => type !== "null") ?? nullable;
  if (schema.$ref === undefined) return { name, schema };
  const model = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
  return { name: model, schema: (models as unknown as Record<string, Schema>)[model] ?? {} };
}

function partsOf({ name, schema }: NamedSchema): NamedSchema[] {
  const { properties = {}, items, additionalProperties: values } = schema;
  return [
    ...Object.entries(properties).map(([key, part]) => ({ name: `${name}.${key}`, schema: part })),
    ...(items ? [{ name: `${name}[]`, schema: items }] : []),
    ...(typeof values === "object" ? [{ name: `${name}.*`, schema: values }] : []),
  ];
}

function partFor(named: NamedSchema, key: string, inList: boolean): NamedSchema | undefined {
  const { name } = named;
  const wanted = inList ? [`${name}[]`] : [`${name}.${key}`, `${name}.*`];
  return partsOf(named).find((part) => wanted.includes(part.name));
}

/** A schema that names no type and no values takes everything. */
function canBeObject({ type, enum: values }: Schema): boolean {
  return type === undefined ? values === undefined : [type].flat().includes("object");
}
