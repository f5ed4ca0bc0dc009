import { isObject, isScalars, type Scalar } from "./filter-clauses.ts";
import { type Schema, type Schemas, schemasAt } from "./schema-at.ts";

const FILE = "automation.schema.json";

/** What a filter of an event may ask for under one key. */
export interface FilterKey {
  name: string;
  isNumber: boolean;
}

/** One key of a filter as a form shows it. */
export interface FilterValues {
  operator: "in" | "not_in";
  values: readonly Scalar[];
}

/** The events of a provider that a trigger can name, by the schema that definitions are validated by. */
export function eventsOf(schemas: Schemas, provider: string): string[] {
  const names = placesOf(schemas, ["event"], { provider }).flatMap((schema) => schema.enum ?? []);
  return [...new Set(names.map(String))];
}

/** The keys that a filter of an event may have. Of two spellings of a key, the one that can also name what is not wanted. */
export function filterKeysOf(schemas: Schemas, provider: string, event: string): FilterKey[] {
  const properties = placesOf(schemas, ["filter"], { provider, event }).flatMap((schema) =>
    Object.entries(schema.properties ?? {}),
  );
  return properties.flatMap(([name, { $ref = "" }]) => {
    if (!/Matcher$|matcher$/.test($ref)) return [];
    return [{ name, isNumber: $ref.endsWith("integerMatcher") }];
  });
}

function placesOf(schemas: Schemas, at: readonly string[], trigger: object): Schema[] {
  return schemasAt(schemas, FILE, ["triggers", 0, ...at], { triggers: [trigger] });
}

/** What a key of a filter says; nothing for what only its text can show. */
export function filterValuesOf(value: unknown): FilterValues | undefined {
  if (isScalars(value)) return { operator: "in", values: value };
  if (!isObject(value)) return undefined;
  const [[operator, values] = ["", undefined], ...others] = Object.entries(value);
  if (others.length > 0 || (operator !== "in" && operator !== "not_in") || !isScalars(values))
    return undefined;
  return { operator, values };
}

/** How a key of a filter is written. @param before what stood there: a longer form that says the same stays one */
export function writtenValues({ operator, values }: FilterValues, before: unknown): unknown {
  if (operator === "not_in") return { not_in: [...values] };
  return isObject(before) && "in" in before ? { in: [...values] } : [...values];
}
