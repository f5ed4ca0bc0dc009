import { expect, test } from "vitest";
import { formatProblem, type Problem, sortProblems } from "../../../src/definitions/problem.ts";

const problem = (changes: Partial<Problem> = {}): Problem => {
  return {
    code: "FF_UNKNOWN_FIELD",
    message: "unknown key",
    path: "a.yaml",
    line: 2,
    column: 3,
    severity: "error",
    ...changes,
  };
};

test("a problem is shown with its source line and a caret", () => {
  expect(formatProblem(problem(), "one\r\n\ttwo: x\r\n")).toBe(
    ["error FF_UNKNOWN_FIELD a.yaml:2:3", "  unknown key", "  2 |  two: x", "    |   ^"].join("\n"),
  );
});

test("a problem without its file, or beyond its end, is shown without a line", () => {
  expect(formatProblem(problem())).toBe("error FF_UNKNOWN_FIELD a.yaml:2:3\n  unknown key");
  expect(formatProblem(problem({ line: 9 }), "one\n")).toBe(
    "error FF_UNKNOWN_FIELD a.yaml:9:3\n  unknown key",
  );
});

test("a line that is too long is cut, and a caret beyond the cut is left out", () => {
  const shown = formatProblem(problem({ line: 1, column: 500 }), "x".repeat(1_000));
  expect(shown.split("\n")).toHaveLength(3);
  expect(shown.length).toBeLessThan(260);
});

test("problems are sorted by severity, path and place", () => {
  const problems = [
    problem({ severity: "notice" }),
    problem({ path: "b.yaml" }),
    problem({ line: 9 }),
    problem(),
  ];
  expect(sortProblems(problems).map(({ severity, path, line }) => `${severity} ${path} ${line}`)).toEqual([
    "error a.yaml 2",
    "error a.yaml 9",
    "error b.yaml 2",
    "notice a.yaml 2",
  ]);
});
