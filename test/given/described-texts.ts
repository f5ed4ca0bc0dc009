import { models } from "../../src/api/document.ts";

type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  additionalProperties?: boolean | Schema;
  items?: Schema;
  enum?: unknown[];
  [keyword: string]: unknown;
};

/** A text that a request may have, and the request's value that has nothing but that. */
export interface DescribedText {
  /** As an error names it. */
  field: string;
  value: unknown;
}

/** Schemas can name themselves. */
const DEEPEST = 8;

/** Every text that a value of a schema may have, keys of any name among them, each with this content. */
export function describedTexts(schema: object, content: string): DescribedText[] {
  const found = new Map<string, DescribedText>();
  for (const each of textsOf(schema as Schema, content, DEEPEST)) found.set(each.field, each);
  return [...found.values()];
}

function textsOf(schema: Schema, content: string, depth: number): DescribedText[] {
  if (depth === 0) return [];
  if (schema.$ref !== undefined) return textsOf(modelOf(schema.$ref), content, depth);
  const inner: DescribedText[] = ["allOf", "anyOf", "oneOf"].flatMap((keyword) =>
    ((schema[keyword] as Schema[] | undefined) ?? []).flatMap((each) => textsOf(each, content, depth)),
  );
  // A text without a type is that of a value of any kind.
  if (
    schema.type === undefined &&
    inner.length === 0 &&
    !schema.properties &&
    !schema.required &&
    !schema.enum
  )
    inner.push({ field: "", value: content });
  if ([schema.type].flat().includes("string")) inner.push({ field: "", value: content });
  for (const [key, property] of Object.entries(schema.properties ?? {}))
    inner.push(...textsOf(property, content, depth - 1).map((text) => below(key, text)));
  if (typeof schema.additionalProperties === "object")
    inner.push(...textsOf(schema.additionalProperties, content, depth - 1).map((text) => below("any", text)));
  if (schema.items)
    inner.push(
      ...textsOf(schema.items, content, depth - 1).map(({ field, value }) => {
        return { field: `[0]${field === "" || field.startsWith("[") ? field : `.${field}`}`, value: [value] };
      }),
    );
  return inner;
}

function below(key: string, { field, value }: DescribedText): DescribedText {
  const dot = field === "" || field.startsWith("[") ? "" : ".";
  return { field: `${key}${dot}${field}`, value: { [key]: value } };
}

function modelOf(reference: string): Schema {
  const name = reference.split("/").at(-1) ?? "";
  return (models as unknown as Record<string, Schema>)[name] ?? {};
}
