import { sentNumber } from "../../edge/sent-numbers.ts";
import { type FieldOperators, isOperators, type PayloadPattern, type Scalar } from "./filter.ts";
import type { OnSteps } from "./glob.ts";

/** One condition of a filter held against a payload: what it asked for and what was there. */
export interface Clause {
  /** The payload field, for example `pull_request.labels[2].name`; empty for the payload as a whole. */
  field: string;
  passed: boolean;
  expected: string;
  found: string;
}

export interface CompiledFilter {
  /** Whether a parsed payload matches. Never throws but what `onSteps` throws. */
  matches(payload: unknown, onSteps?: OnSteps): boolean;
  /** Every clause with its outcome. Of an array's elements, the one that came closest is told. */
  explain(payload: unknown): Clause[];
}

type Match = (value: unknown, onSteps?: OnSteps) => boolean;

/** Turns a checked pattern into a function, once, so that a delivery pays only for the comparison. */
export function compileFilter(pattern: PayloadPattern): CompiledFilter {
  // At the top, where nothing is nested in a field, an empty pattern asks for nothing.
  if (Object.keys(pattern).length === 0) return { matches: () => true, explain: explainAnything };
  return {
    matches: compileNested(pattern),
    explain: (payload) => explainNested(pattern, payload, whole(payload)),
  };
}

function explainAnything(payload: unknown): Clause[] {
  return [{ field: "", passed: true, expected: "anything", found: show(true, payload, whole(payload)) }];
}

/** Where in a payload a value is: keys as texts, places in lists as numbers. */
interface Place {
  payload: unknown;
  path: readonly (string | number)[];
}

const whole = (payload: unknown): Place => ({ payload, path: [] });
const inside = ({ payload, path }: Place, key: string | number): Place => ({ payload, path: [...path, key] });

/** For example `pull_request.labels[2].name`. */
const fieldOf = ({ path }: Place) =>
  path.map((key, at) => (typeof key === "number" ? `[${key}]` : `${at === 0 ? "" : "."}${key}`)).join("");

/** An object matches when all its fields do, an array when one of its objects does, a scalar never. */
function compileNested(pattern: PayloadPattern): Match {
  const object = compileObject(pattern);
  return (value, onSteps) => {
    if (!Array.isArray(value)) return object(value, onSteps);
    onSteps?.(value.length);
    return value.some((element) => object(element, onSteps));
  };
}

/**
 * An object is asked for the fields that it has to have, until it lacks one, and of the others only for those that it has: so it
 * takes as long as the object is large, whatever the pattern names. Arrays may have tens of thousands of small ones.
 */
function compileObject(pattern: PayloadPattern): Match {
  const fields = Object.entries(pattern).map(([key, value]): [string, FieldTest] => [
    key,
    compileField(value),
  ]);
  const needed = fields.filter(([, test]) => !test(false, undefined));
  const optional = new Map(fields.filter(([, test]) => test(false, undefined)));
  return (value, onSteps) => {
    if (!isObject(value)) return false;
    for (const [key, test] of needed) {
      if (!test(Object.hasOwn(value, key), value[key], onSteps)) return false;
    }
    return optional.size === 0 || optionalFieldsFit(optional, value, onSteps);
  };
}

function optionalFieldsFit(
  optional: ReadonlyMap<string, FieldTest>,
  value: Record<string, unknown>,
  onSteps: OnSteps | undefined,
): boolean {
  let seen = 0;
  for (const key in value) {
    seen += 1;
    if (seen > optional.size) break;
    if (optional.get(key)?.(true, value[key], onSteps) === false) return false;
  }
  onSteps?.(seen);
  if (seen <= optional.size) return true;
  // It has more fields than the pattern: then those of the pattern are fewer to ask for.
  for (const [key, test] of optional) {
    if (Object.hasOwn(value, key) && !test(true, value[key], onSteps)) return false;
  }
  return true;
}

type FieldTest = (present: boolean, value: unknown, onSteps?: OnSteps) => boolean;

function compileField(value: PayloadPattern[string]): FieldTest {
  if (Array.isArray(value)) return compileOperators({ in: value });
  if (isOperators(value)) return compileOperators(value);
  if (Object.keys(value).length === 0) return (present) => present;
  const nested = compileNested(value as PayloadPattern);
  return (present, inner, onSteps) => present && nested(inner, onSteps);
}

function compileOperators(operators: FieldOperators): FieldTest {
  const tests: FieldTest[] = [];
  if (operators.exists !== undefined) tests.push((present) => present === operators.exists);
  if (operators.in) {
    const included = new Set<unknown>(operators.in);
    tests.push((present, value, onSteps) => present && holdsAny(value, included, onSteps));
  }
  if (operators.not_in) {
    const excluded = new Set<unknown>(operators.not_in);
    tests.push((present, value, onSteps) => !present || !holdsAny(value, excluded, onSteps));
  }
  const [only] = tests;
  if (only && tests.length === 1) return only;
  return (present, value, onSteps) => tests.every((test) => test(present, value, onSteps));
}

/** A scalar is held by the set; an array when one of its elements is. Sets compare 1 and 1.0 as equal, "1" as not. */
function holdsAny(value: unknown, set: ReadonlySet<unknown>, onSteps: OnSteps | undefined): boolean {
  if (!Array.isArray(value)) return set.has(value);
  onSteps?.(value.length);
  return value.some((element) => set.has(element));
}

function explainNested(pattern: PayloadPattern, value: unknown, place: Place): Clause[] {
  if (Array.isArray(value)) return explainArray(pattern, value, place);
  if (!isObject(value)) {
    const found = show(true, value, place);
    return [{ field: fieldOf(place), passed: false, expected: "an object", found }];
  }
  return Object.entries(pattern).flatMap(([key, inner]) =>
    explainField(inner, Object.hasOwn(value, key), value[key], inside(place, key)),
  );
}

/** Explaining costs far more than matching: of a long array that does not match, the first elements have to do. */
const ELEMENTS_EXPLAINED = 20;

function explainArray(pattern: PayloadPattern, elements: readonly unknown[], place: Place): Clause[] {
  const matches = compileNested(pattern);
  const explain = (index: number) => explainNested(pattern, elements[index], inside(place, index));
  const fitting = elements.findIndex((element) => isObject(element) && matches(element));
  if (fitting >= 0) return explain(fitting);
  const objects = elements.flatMap((element, index) => (isObject(element) ? [index] : []));
  const [closest] = objects
    .slice(0, ELEMENTS_EXPLAINED)
    .map(explain)
    .sort((a, b) => failures(a) - failures(b));
  const expected = "an array with a matching object";
  return closest ?? [{ field: fieldOf(place), passed: false, expected, found: show(true, elements, place) }];
}

function explainField(
  pattern: PayloadPattern[string],
  present: boolean,
  value: unknown,
  place: Place,
): Clause[] {
  if (Array.isArray(pattern)) return explainOperators({ in: pattern }, present, value, place);
  if (isOperators(pattern)) return explainOperators(pattern, present, value, place);
  if (!present || Object.keys(pattern).length === 0) {
    return [
      {
        field: fieldOf(place),
        passed: present,
        expected: "to be present",
        found: show(present, value, place),
      },
    ];
  }
  return explainNested(pattern as PayloadPattern, value, place);
}

function explainOperators(
  operators: FieldOperators,
  present: boolean,
  value: unknown,
  place: Place,
): Clause[] {
  const field = fieldOf(place);
  const found = show(present, value, place);
  const clauses: Clause[] = [];
  const { exists, in: included, not_in: excluded } = operators;
  if (exists !== undefined) {
    clauses.push({
      field,
      passed: present === exists,
      expected: exists ? "to be present" : "to be absent",
      found,
    });
  }
  if (included) {
    const passed = compileOperators({ in: included })(present, value);
    clauses.push({ field, passed, expected: `one of ${list(included)}`, found });
  }
  if (excluded) {
    const passed = compileOperators({ not_in: excluded })(present, value);
    clauses.push({ field, passed, expected: `none of ${list(excluded)}`, found });
  }
  return clauses;
}

const MAX_SHOWN = 120;

function show(present: boolean, value: unknown, place: Place): string {
  if (!present) return "nothing (the field is absent)";
  let text: string;
  try {
    text = Array.isArray(value) ? showList(value, place) : showScalar(value, place);
  } catch {
    // A body may nest deeper than the stack can follow; parsing it does not recurse, writing it does.
    return "a value that is nested too deeply to show";
  }
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

function showScalar(value: unknown, { payload, path }: Place): string {
  const sent = typeof value === "number" ? sentNumber(payload, path.map(String), value) : undefined;
  return sent ?? JSON.stringify(value) ?? String(value);
}

/** Each element takes two characters at least. */
function showList(elements: readonly unknown[], place: Place): string {
  const shown = elements
    .slice(0, MAX_SHOWN / 2 + 1)
    .map((element, index) => showScalar(element, inside(place, index)));
  return `[${shown.join(",")}]`;
}

function list(values: readonly Scalar[]): string {
  return values.map((value) => JSON.stringify(value)).join(", ");
}

function failures(clauses: readonly Clause[]): number {
  return clauses.filter((clause) => !clause.passed).length;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
