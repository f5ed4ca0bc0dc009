import type { DataPath } from "./definition-text.ts";

/** The part of JSON Schema that the schemas of definitions use. */
export interface Schema {
  $ref?: string;
  type?: string | readonly string[];
  description?: string;
  enum?: readonly unknown[];
  const?: unknown;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  required?: readonly string[];
  allOf?: readonly Schema[];
  anyOf?: readonly Schema[];
  oneOf?: readonly Schema[];
  if?: Schema;
  then?: Schema;
  else?: Schema;
  $defs?: Readonly<Record<string, Schema>>;
}

/** Every schema by its file name. */
export type Schemas = Readonly<Record<string, Schema>>;

/** A schema, and the file that what it refers to begins in. */
interface Placed {
  schema: Schema;
  file: string;
}

/**
 * What may stand at a place of a document: every schema that applies there, by what the rest of the document says.
 * @param file the name of the schema of the whole document
 * @param data what the document says now
 */
export function schemasAt(schemas: Schemas, file: string, path: DataPath, data: unknown): Schema[] {
  const root = schemas[file];
  if (!root) return [];
  let here = applying({ schema: root, file }, data, schemas);
  let value = data;
  for (const step of path) {
    value = stepInto(value, step);
    const inner = value;
    here = here.flatMap((each) => below(each, step)).flatMap((each) => applying(each, inner, schemas));
  }
  return here.map(({ schema }) => schema);
}

function stepInto(value: unknown, step: string | number): unknown {
  return typeof value === "object" && value !== null
    ? (value as Record<string | number, unknown>)[step]
    : undefined;
}

function below({ schema, file }: Placed, step: string | number): Placed[] {
  if (typeof step === "number") return schema.items ? [{ schema: schema.items, file }] : [];
  const named = schema.properties?.[step];
  if (named) return [{ schema: named, file }];
  return typeof schema.additionalProperties === "object"
    ? [{ schema: schema.additionalProperties, file }]
    : [];
}

/** A schema with all that it brings along: what it refers to, and the branches that the value is on. */
function applying(placed: Placed, value: unknown, schemas: Schemas, depth = 0): Placed[] {
  const { schema, file } = placed;
  if (depth > 20) return [];
  const more: Schema[] = [...(schema.allOf ?? []), ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const branch = schema.if && (fits(schema.if, value) ? schema.then : schema.else);
  if (branch) more.push(branch);
  const referred = schema.$ref === undefined ? undefined : resolve(schema.$ref, file, schemas);
  return [
    placed,
    ...(referred ? applying(referred, value, schemas, depth + 1) : []),
    ...more.flatMap((each) => applying({ schema: each, file }, value, schemas, depth + 1)),
  ];
}

function resolve(ref: string, from: string, schemas: Schemas): Placed | undefined {
  const [name, pointer = ""] = ref.split("#");
  const file = name || from;
  let schema: unknown = schemas[file];
  for (const key of pointer.split("/").slice(1)) schema = stepInto(schema, key);
  return schema ? { schema: schema as Schema, file } : undefined;
}

/** Whether a value is what a condition asks for; conditions of our schemas ask for keys and constants only. */
function fits({ required = [], properties = {} }: Schema, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  const data = value as Record<string, unknown>;
  if (required.some((key) => data[key] === undefined)) return false;
  return Object.entries(properties).every(([key, asked]) => {
    if (data[key] === undefined) return true;
    if ("const" in asked) return data[key] === asked.const;
    return asked.enum === undefined || asked.enum.includes(data[key]);
  });
}
