import type { Models } from "../../api/models.ts";
import { clausesOf, fieldText } from "../../editor/filter-clauses.ts";
import { timeSince } from "../../parts/time/time-text.ts";

type Field = readonly string[];

/** More would not fit into a line. */
const MAX_FIELDS = 3;
const MAX_VALUE = 30;

/** A delivery in a line. @param payload nothing while it is not known */
export function deliveryText(
  { time, event, delivery_id }: Pick<Models["Delivery"], "time" | "event" | "delivery_id">,
  payload: string | undefined,
  fields: readonly Field[],
): string {
  const told = payload === undefined ? [] : fields.map((field) => fieldValue(field, payload));
  return [timeSince(time), ...(event ? [event] : []), ...told, delivery_id.slice(-6)].join(" · ");
}

/** The fields that a payload filter names, each once. */
export function fieldsOf(pattern: unknown): Field[] {
  const named = (clausesOf(pattern) ?? []).map(({ field }) => field);
  return [...new Map(named.map((field) => [fieldText(field), field])).values()].slice(0, MAX_FIELDS);
}

function fieldValue(field: Field, payload: string): string {
  const value = valueAt(field, parsed(payload));
  const text = value === undefined ? "not present" : (JSON.stringify(value) ?? "");
  return `${fieldText(field)}: ${text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text}`;
}

/** Of an array, its first element that has the field: filters look at all of them. */
function valueAt(field: Field, value: unknown): unknown {
  const [key, ...below] = field;
  if (key === undefined) return value;
  if (Array.isArray(value))
    return value.map((each) => valueAt(field, each)).find((found) => found !== undefined);
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
  return valueAt(below, (value as Record<string, unknown>)[key]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
