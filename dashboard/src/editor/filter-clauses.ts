import { parse, stringify } from "yaml";

export type Scalar = string | number | boolean | null;

/** What one field of a payload has to be, as a form shows it. */
export interface Clause {
  /** Keys from the top of the payload to the field. */
  field: readonly string[];
  operator: Operator;
  /** Of `in` and `not_in`. */
  values: readonly Scalar[];
}

export type Operator = "in" | "not_in" | "exists" | "absent";

export const OPERATORS: readonly { value: Operator; label: string }[] = [
  { value: "in", label: "is one of" },
  { value: "not_in", label: "is none of" },
  { value: "exists", label: "is present" },
  { value: "absent", label: "is not present" },
];

type Pattern = Readonly<Record<string, unknown>>;

const KEYS: ReadonlySet<string> = new Set(["in", "not_in", "exists"]);

/**
 * The clauses of a payload filter, in its order. A field may have several.
 * @returns nothing for a filter that has a form of its own, which only its text can show
 */
export function clausesOf(pattern: unknown): Clause[] | undefined {
  if (pattern === undefined || pattern === null) return [];
  const clauses: Clause[] = [];
  return isObject(pattern) && collect(pattern, [], clauses) ? clauses : undefined;
}

function collect(pattern: Pattern, above: readonly string[], clauses: Clause[]): boolean {
  return Object.entries(pattern).every(([key, value]) => {
    const field = [...above, key];
    if (Array.isArray(value)) return collectOperator("in", value, field, clauses);
    if (!isObject(value)) return false;
    const keys = Object.keys(value);
    if (keys.length === 0) return false;
    if (!keys.some((each) => KEYS.has(each))) return collect(value, field, clauses);
    return Object.entries(value).every(([operator, operand]) =>
      collectOperator(operator, operand, field, clauses),
    );
  });
}

function collectOperator(
  operator: string,
  operand: unknown,
  field: readonly string[],
  clauses: Clause[],
): boolean {
  if (operator === "exists" && typeof operand === "boolean") {
    clauses.push({ field, operator: operand ? "exists" : "absent", values: [] });
    return true;
  }
  if ((operator !== "in" && operator !== "not_in") || !isScalars(operand)) return false;
  clauses.push({ field, operator, values: operand });
  return true;
}

/** The payload filter that clauses make; nothing for none. A clause whose field is in another's way takes its place. */
export function patternOf(clauses: readonly Clause[]): Pattern | undefined {
  const pattern: Record<string, unknown> = {};
  for (const clause of clauses) place(clause, pattern);
  return clauses.length > 0 ? pattern : undefined;
}

function place({ field, ...clause }: Clause, pattern: Record<string, unknown>): void {
  const [key = "", ...below] = field;
  const there = Object.hasOwn(pattern, key) ? pattern[key] : undefined;
  if (below.length > 0) {
    const nested = isObject(there) && !isOperators(there) ? there : {};
    define(pattern, key, nested);
    place({ field: below, ...clause }, nested as Record<string, unknown>);
    return;
  }
  const before = Array.isArray(there) ? { in: there } : isOperators(there) ? there : {};
  const all = { ...before, ...operatorOf(clause) };
  const isPlain = Object.keys(all).length === 1 && "in" in all;
  define(pattern, key, isPlain ? all.in : all);
}

function operatorOf({ operator, values }: Omit<Clause, "field">): Record<string, unknown> {
  if (operator === "exists" || operator === "absent") return { exists: operator === "exists" };
  return { [operator]: [...values] };
}

/** A payload may have a field that is called `__proto__`. */
function define(pattern: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(pattern, key, { value, enumerable: true, configurable: true, writable: true });
}

/** Adds what someone has pointed at: one more value of a clause on that field, or a clause of its own. */
export function withPointed(clauses: readonly Clause[], field: readonly string[], value: unknown): Clause[] {
  const isThere = (clause: Clause) => samePath(clause.field, field);
  if (!isScalar(value)) {
    const exists: Clause = { field, operator: "exists", values: [] };
    return [...clauses.filter((clause) => !isThere(clause)), exists];
  }
  const place = clauses.findIndex((clause) => isThere(clause) && clause.operator === "in");
  const clause = clauses[place];
  if (!clause)
    return [...clauses.filter((each) => !isThere(each)), { field, operator: "in", values: [value] }];
  const values = clause.values.includes(value) ? clause.values : [...clause.values, value];
  return clauses.with(place, { ...clause, values });
}

export function samePath(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, place) => key === b[place]);
}

/** A field as people write it: `pull_request.head.ref`; a key that has a dot of its own is quoted. */
export function fieldText(field: readonly string[]): string {
  return field.map((key) => (/^[^."[\]\s]+$/.test(key) ? key : JSON.stringify(key))).join(".");
}

/** The field that someone has written, or nothing for what names none. */
export function fieldOf(text: string): string[] | undefined {
  const keys = text.trim().match(/"(?:[^"\\]|\\.)*"|[^."\s]+/g);
  if (!keys || keys.join(".") !== text.trim()) return undefined;
  try {
    return keys.map((key) => (key.startsWith('"') ? String(JSON.parse(key)) : key));
  } catch {
    return undefined;
  }
}

/** Values as people write them, with commas between: `failed, 3, "3", true`. */
export function valuesText(values: readonly Scalar[]): string {
  return values
    .map((value) => stringify(value, { lineWidth: 0, defaultStringType: styleOf(value) }).trim())
    .join(", ");
}

/** The values that someone has written, or nothing while they cannot be read. */
export function valuesOf(text: string): Scalar[] | undefined {
  try {
    const values: unknown = parse(`[${text}\n]`);
    return isScalars(values) && values.length > 0 ? values : undefined;
  } catch {
    return undefined;
  }
}

/** In a list on one line some marks have a meaning. */
function styleOf(value: Scalar): "PLAIN" | "QUOTE_DOUBLE" {
  return typeof value === "string" && /[,[\]{}\n#:]/.test(value) ? "QUOTE_DOUBLE" : "PLAIN";
}

/** Whether a value is a list of texts, numbers and the like. */
export function isScalars(value: unknown): value is Scalar[] {
  return Array.isArray(value) && value.every(isScalar);
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

function isOperators(value: unknown): value is Pattern {
  return isObject(value) && Object.keys(value).some((key) => KEYS.has(key));
}

/** Whether a value is an object with keys: not null, and no list. */
export function isObject(value: unknown): value is Pattern {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
