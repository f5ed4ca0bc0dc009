import { type Command, CommanderError } from "commander";
import { ApiError, ConnectionError } from "../client/errors.ts";
import { formatProblem, type Problem } from "../definitions/problem.ts";
import { ERROR_CODES, type ErrorCode, errorMessage, MillraceError } from "../errors/error.ts";
import { EXIT_CODES, exitCodeOf, type Failure } from "./exit-code.ts";
import { NoAnswer } from "./http-transport.ts";
import { endWithReader, printError } from "./output.ts";

/** Runs a command line. @returns the exit code */
export async function runCommand(create: () => Command, argv: readonly string[]): Promise<number> {
  endWithReader();
  const program = create();
  try {
    await program.parseAsync([...argv]);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
    printError(explain(error));
    return exitCodeOf(failureOf(argv, error));
  }
}

/** Commander would end the process on a wrong call; here every command, nested ones too, throws, and says where its options are. */
export function throwInsteadOfExit(command: Command): void {
  command.exitOverride().showHelpAfterError("(add --help for usage)");
  for (const child of command.commands) throwInsteadOfExit(child);
}

/** A wrong call sends no request, and what this process itself cannot do is no service that is unavailable. */
const HAS_NO_TITLE: ReadonlySet<ErrorCode> = new Set(["invalid_request", "service_unavailable"]);

/** What went wrong, with the title of its code, what happened, and what to do. */
function explain(error: unknown): string {
  if (error instanceof MillraceError) {
    const title = HAS_NO_TITLE.has(error.code) ? undefined : `${ERROR_CODES[error.code].title}.`;
    return lines(title, error.message, error.remedy);
  }
  if (error instanceof ApiError) {
    const { title, detail } = error.problem;
    const trace = error.status >= 500 && error.traceId ? `trace id ${error.traceId}` : undefined;
    return lines(`${title}.`, detail, ...furtherProblems(error), error.remedy, trace);
  }
  if (error instanceof NoAnswer) return lines(`${error.title}.`, error.message, error.remedy);
  if (error instanceof ConnectionError) return lines("The server cannot be reached.", error.message);
  return lines("The command failed.", errorMessage(error));
}

/** A refused definition says in its `detail` what the first problem is; where there are more, each stands at its place. */
function furtherProblems({ problem }: ApiError): string[] {
  const problems = Array.isArray(problem.problems) ? (problem.problems as Problem[]) : [];
  return problems.length > 1 ? problems.map((each) => formatProblem(each)) : [];
}

function lines(...all: (string | undefined)[]): string {
  return all.filter((line) => line !== undefined && line !== "").join("\n");
}

/** `validate` tells an invalid tree from one that it could not look at; `serve` is wrong usage without a source. */
function failureOf(argv: readonly string[], error: unknown): Failure {
  if (argv[2] === "validate") return { kind: "usage" };
  if (error instanceof ConnectionError) return { kind: "no-answer" };
  if (error instanceof ApiError) return { kind: "refused", status: error.status };
  if (!(error instanceof MillraceError)) return { kind: "failed" };
  if (error.code === "invalid_request") return { kind: "usage" };
  return { kind: "refused", status: ERROR_CODES[error.code].status };
}
