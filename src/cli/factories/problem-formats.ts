import { join, relative } from "node:path";
import type { Problem } from "../../definitions/problem.ts";

/** What is found in a definition at a line: a problem, or what a plan warns of. */
export type ReportedProblem = Omit<Problem, "code"> & { code: string };

/** What shows problems in a checkout knows files by their paths in it, and runs at its root. */
export function seenFrom(root: string): (finding: ReportedProblem) => ReportedProblem {
  return (finding) => {
    return { ...finding, path: relative(process.cwd(), join(root, finding.path)).replaceAll("\\", "/") };
  };
}

/** A problem as a workflow command, which GitHub shows at its line. */
export function githubAnnotation(problem: ReportedProblem): string {
  const place = `file=${escapeProperty(problem.path)},line=${problem.line},col=${problem.column},title=${problem.code}`;
  return `::${problem.severity} ${place}::${escapeData(problem.message)}`;
}

function escapeData(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}

const SARIF_LEVELS = { error: "error", warning: "warning", notice: "note" } as const;

/** Problems as a SARIF 2.1.0 log, which code-scanning services read. */
export function sarifLog(problems: readonly ReportedProblem[]): object {
  const codes = [...new Set(problems.map((problem) => problem.code))];
  return {
    $schema: "https://json.schemastore.org/sarif-2.1.0.json",
    version: "2.1.0",
    runs: [
      {
        tool: { driver: { name: "millrace", rules: codes.map((id) => ({ id })) } },
        results: problems.map(({ code, message, path, line, column, severity }) => ({
          ruleId: code,
          level: SARIF_LEVELS[severity],
          message: { text: message },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: encodeURI(path) },
                region: { startLine: line, startColumn: column },
              },
            },
          ],
        })),
      },
    ],
  };
}
