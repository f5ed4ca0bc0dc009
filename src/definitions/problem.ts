import type { SourceErrorCode } from "../git/revision.ts";

/** The codes of the public format and those that millrace adds. Each has a page in docs/errors. */
export const FF_CODES = [
  "FF_MISSING_FACTORY",
  "FF_UNSUPPORTED_VERSION",
  "FF_UNSUPPORTED_PATH",
  "FF_DUPLICATE_PATH",
  "FF_INVALID_DOCUMENT",
  "FF_MALFORMED_FRONTMATTER",
  "FF_INVALID_YAML",
  "FF_DUPLICATE_KEY",
  "FF_ANCHOR",
  "FF_ALIAS",
  "FF_TAG",
  "FF_UNKNOWN_FIELD",
  "FF_MISSING_REQUIRED",
  "FF_TYPE_MISMATCH",
  "FF_INVALID_VALUE",
  "FF_INVALID_REFERENCE",
  "FF_INVALID_MCP",
  "FF_INVALID_TRIGGER",
  "FF_INVALID_EVENT",
  "FF_INVALID_FILTER",
  /** A test of an automation expects something else than what happens. */
  "FF_TEST_FAILED",
  /** A trigger that starts nothing: no delivery of its provider comes to this server, or none tells of its event. */
  "FF_TRIGGER_NOT_FED",
  /** A filter asks for what no delivery of its event says. */
  "FF_FILTER_NEVER_MATCHES",
  /** A trigger that the runs of its own automation fire. */
  "FF_TRIGGER_LOOP",
  /** A key is part of the format and changes nothing on this server. */
  "FF_NO_EFFECT",
  /** A runner asks for what the sandbox of the server does not give. */
  "FF_RUNNER_IGNORED",
  /** A trigger counts fewer deliveries than by the version that has applied it before. */
  "FF_TRIGGER_NARROWED",
  /** A webhook's secret has a value with which every delivery is refused. */
  "FF_SECRET_UNUSABLE",
  /** The token of a url_token webhook can be guessed. */
  "FF_SECRET_WEAK",
  /** A secret that a webhook goes by is granted to agents, which never get it. */
  "FF_SECRET_WITHHELD",
  /** A secret would say where a key of the server is sent. */
  "FF_SECRET_REDIRECTS_KEY",
] as const;

/** What can be wrong with a definition. */
export type ProblemCode =
  | (typeof FF_CODES)[number]
  | SourceErrorCode
  /** The prune guard has found deletions that look like a mistake. */
  | "PRUNE_GUARD"
  /** The pass broke before it came to a result; what it met is no fault of the definition. */
  | "RECONCILE_FAILED"
  /** The host of the repository cannot be told how pull requests and commits stand; what is in force does not depend on it. */
  | "FEEDBACK_FAILED";

/** Only an error makes a definition invalid. A notice tells of something that has no effect on this server. */
export type Severity = "error" | "warning" | "notice";

/** Where in a file: both count from 1. */
export interface Position {
  line: number;
  column: number;
}

/** One thing that is wrong, with its place. This is also its shape in the API and in `validate --format json`. */
export interface Problem extends Position {
  code: ProblemCode;
  message: string;
  /** Relative to the root of the tree, with `/`. */
  path: string;
  severity: Severity;
}

/** Where a problem of the whole tree is shown, even when that file is missing. */
export const WHOLE_TREE = "factory.yaml";
/** Nobody reads more of one file; a file that is made to be wrong could have as many as it has characters. */
export const MAX_PROBLEMS_OF_FILE = 1_000;
/** All files together; more would be a burden to whoever they are sent to. */
export const MAX_PROBLEMS_OF_TREE = 10_000;
export const FILE_START: Position = { line: 1, column: 1 };

/** A problem of the whole tree. */
export function treeProblem(code: ProblemCode, message: string, severity: Severity = "error"): Problem {
  return { code, message, path: WHOLE_TREE, ...FILE_START, severity };
}

/** Whether any of the problems keeps the definition from being applied. */
export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === "error");
}

/** Where a problem stands, in the form that editors and terminals open. */
export function placeOf({ path, line, column }: Pick<Problem, "path" | "line" | "column">): string {
  return `${path}:${line}:${column}`;
}

/** What keeps a definition from being applied, in one line: the first error with its place, and how many there are. */
export function errorsInOneLine(problems: readonly Problem[]): string | undefined {
  const [first, ...others] = problems.filter(({ severity }) => severity === "error");
  if (!first) return undefined;
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  return `${placeOf(first)}: ${first.message}${more}`;
}

/** Errors first, then by path and place, which is the order that every list of problems is shown in. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const rank = { error: 0, warning: 1, notice: 2 };
  return [...problems].sort(
    (a, b) =>
      rank[a.severity] - rank[b.severity] ||
      compare(a.path, b.path) ||
      a.line - b.line ||
      a.column - b.column ||
      compare(a.code, b.code),
  );
}

/**
 * A problem as text, with the source line and a caret when the file's text is known:
 *
 *     error FF_UNKNOWN_FIELD webhooks/ci.yaml:2:1
 *       unknown key "secretname": did you mean "secretName"?
 *       2 | secretname: CI_WEBHOOK
 *         | ^
 */
export function formatProblem(problem: Problem, fileText?: string): string {
  const head = `${problem.severity} ${problem.code} ${placeOf(problem)}`;
  const lines = [head, `  ${problem.message}`];
  const source = fileText?.split(/\r\n|\r|\n/)[problem.line - 1];
  if (source !== undefined && source.trim() !== "") {
    const shown = source.slice(0, MAX_SHOWN_LINE).replaceAll("\t", " ");
    const margin = String(problem.line);
    lines.push(`  ${margin} | ${shown}`);
    if (problem.column <= shown.length + 1) {
      lines.push(`  ${" ".repeat(margin.length)} | ${" ".repeat(problem.column - 1)}^`);
    }
  }
  return lines.join("\n");
}

const MAX_SHOWN_LINE = 160;

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
