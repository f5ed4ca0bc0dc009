import type { DataPath } from "../loading/parse.ts";

/** A value that a payload field can be compared with. */
export type Scalar = string | number | boolean | null;

/** An object that mirrors a delivery's body; every key must match. */
export interface PayloadPattern {
  [field: string]: Scalar[] | FieldOperators | PayloadPattern;
}

/** Several operators on one field all have to hold. A bare list is short for `{in: list}`. */
export interface FieldOperators {
  in?: Scalar[];
  not_in?: Scalar[];
  exists?: boolean;
}

/** The bounds of a payload filter. Depth counts payload keys from the top to the field, both included. */
export const FILTER_LIMITS = { depth: 10, leaves: 64, values: 32 } as const;

const OPERATORS: ReadonlySet<string> = new Set(["in", "not_in", "exists"]);

/** Something that keeps a pattern from being a payload filter, and where in the pattern it stands. */
export interface PatternProblem {
  at: DataPath;
  message: string;
}

/** Whether an object's keys are operators rather than payload fields; one such key is enough. */
export function isOperators(value: object): value is FieldOperators {
  return Object.keys(value).some((key) => OPERATORS.has(key));
}

/**
 * Checks a payload filter as written: its forms, its limits, and that its clauses can hold together.
 * @param isRounded whether the number at a place of the pattern was written with more digits than could be read
 */
export function checkPattern(
  pattern: unknown,
  isRounded: (at: DataPath) => boolean = () => false,
): PatternProblem[] {
  const problems: PatternProblem[] = [];
  let leaves = 0;

  function checkNested(nested: object, at: DataPath): void {
    const fields = Object.entries(nested);
    if (fields.length === 0) leaves += 1;
    for (const [field, value] of fields) checkField(value, [...at, field]);
  }

  function checkField(value: unknown, at: DataPath): void {
    if (at.length > FILTER_LIMITS.depth) {
      problems.push({
        at,
        message: `is nested ${at.length} payload keys deep; the limit is ${FILTER_LIMITS.depth}`,
      });
      return;
    }
    if (Array.isArray(value)) {
      leaves += 1;
      problems.push(...checkValues(value, at, "expected at least one value in the list", isRounded));
    } else if (typeof value !== "object" || value === null) {
      problems.push({ at, message: `expected a list of values, for example [${JSON.stringify(value)}]` });
    } else if (isOperators(value)) {
      leaves += 1;
      problems.push(...checkOperators({ ...value }, at, isRounded));
    } else {
      checkNested(value, at);
    }
  }

  if (typeof pattern !== "object" || pattern === null || Array.isArray(pattern)) {
    return [{ at: [], message: "expected an object that mirrors the body of a delivery" }];
  }
  if (isOperators(pattern)) {
    return [
      {
        at: [],
        message:
          "expected payload fields at the top level; in, not_in and exists are only valid inside a field",
      },
    ];
  }
  checkNested(pattern, []);
  if (leaves > FILTER_LIMITS.leaves) {
    problems.push({ at: [], message: `has ${leaves} fields; the limit is ${FILTER_LIMITS.leaves}` });
  }
  return problems;
}

function checkOperators(
  operators: Record<string, unknown>,
  at: DataPath,
  isRounded: (at: DataPath) => boolean,
): PatternProblem[] {
  const problems: PatternProblem[] = [];
  const stranger = Object.keys(operators).find((key) => !OPERATORS.has(key));
  if (stranger !== undefined) {
    problems.push({
      at: [...at, stranger],
      message: `"${stranger}" is next to operators: in, not_in and exists cannot be mixed with payload fields`,
    });
  }
  const { in: included, not_in: excluded, exists } = operators;
  if (included !== undefined)
    problems.push(...checkValues(included, [...at, "in"], "in requires at least one value", isRounded));
  if (excluded !== undefined)
    problems.push(...checkValues(excluded, [...at, "not_in"], undefined, isRounded));
  if (exists !== undefined && typeof exists !== "boolean") {
    problems.push({ at: [...at, "exists"], message: "expected true or false" });
  }
  if (problems.length === 0) problems.push(...checkContradictions(operators as FieldOperators, at));
  return problems;
}

function checkContradictions(operators: FieldOperators, at: DataPath): PatternProblem[] {
  const both = operators.in?.find((value) => operators.not_in?.includes(value));
  if (both !== undefined) {
    return [
      {
        at: [...at, "not_in"],
        message: `${JSON.stringify(both)} is both in and not_in, so nothing can match`,
      },
    ];
  }
  if (operators.exists === false && operators.in) {
    return [
      {
        at: [...at, "exists"],
        message: "a field that must not exist cannot have a value: remove in or exists",
      },
    ];
  }
  return [];
}

function checkValues(
  values: unknown,
  at: DataPath,
  whenEmpty: string | undefined,
  isRounded: (at: DataPath) => boolean,
): PatternProblem[] {
  if (!Array.isArray(values)) return [{ at, message: "expected a list of values" }];
  if (values.length === 0 && whenEmpty !== undefined) return [{ at, message: whenEmpty }];
  const problems: PatternProblem[] = [];
  if (values.length > FILTER_LIMITS.values) {
    problems.push({
      at,
      message: `has ${values.length} values; the limit is ${FILTER_LIMITS.values}`,
    });
  }
  values.forEach((value, index) => {
    if (!isScalar(value)) {
      problems.push({
        at: [...at, index],
        message: "expected a string, a finite number, true, false or null",
      });
    } else if (isInexact(value)) {
      problems.push({ at: [...at, index], message: INEXACT });
    } else if (isRounded([...at, index])) {
      problems.push({ at: [...at, index], message: roundedTo(value) });
    }
  });
  return problems;
}

/** Whether a number stands for others too: beyond 2^53 JSON's readers take several integers for one. */
export function isInexact(value: unknown): boolean {
  return Number.isInteger(value) && !Number.isSafeInteger(value);
}

export const INEXACT =
  `expected an integer between -${Number.MAX_SAFE_INTEGER} and ${Number.MAX_SAFE_INTEGER}: ` +
  "larger integers are not read exactly, so other values would match too; filter on a field that has the number as a string";

/** Why a number with so many digits is no value of a filter. */
export function roundedTo(value: unknown): string {
  return (
    `expected a number that can be read exactly: this one has too many digits and is read as ${value}, so other values would ` +
    "match too; filter on a field that has the number as a string"
  );
}

function isScalar(value: unknown): value is Scalar {
  return value === null || ["string", "boolean"].includes(typeof value) || Number.isFinite(value);
}
