import { Command, CommanderError } from "commander";
import { ApiError } from "../client/client.ts";
import { formatProblem, type Problem } from "../definitions/problem.ts";
import { ERROR_CODES, errorMessage, MillraceError } from "../error.ts";
import { agentsCommand } from "./agents.ts";
import { auditCommand } from "./audit.ts";
import { automationsCommand } from "./automations.ts";
import { backupCommand, restoreCommand } from "./backup.ts";
import { completionCommand } from "./completion.ts";
import { deliveriesCommand } from "./deliveries.ts";
import { doctorCommand } from "./doctor.ts";
import { driftCommand } from "./drift.ts";
import { environmentsCommand } from "./environments.ts";
import { eventsCommand } from "./events.ts";
import { EXIT_CODES, exitCodeHelp, exitCodeOf, type Failure } from "./exit-code.ts";
import { exportCommand } from "./export.ts";
import { factoriesCommand } from "./factories.ts";
import { filterCommand } from "./filter.ts";
import { importCommand } from "./import.ts";
import { initCommand } from "./init.ts";
import { keysCommand } from "./keys.ts";
import { endWithReader, print, printError, printJson } from "./output.ts";
import { pauseCommand, pausesCommand, unpauseCommand } from "./pause.ts";
import { planCommand } from "./plan.ts";
import { quickstartCommand } from "./quickstart.ts";
import { NoAnswer } from "./reach-server.ts";
import { historyCommand, resumeCommand, rollbackCommand, suspendCommand } from "./revisions.ts";
import { runsCommand } from "./runs.ts";
import { schedulesCommand } from "./schedules.ts";
import { secretsCommand } from "./secrets.ts";
import { serveCommand } from "./serve.ts";
import { statusCommand, syncCommand } from "./status.ts";
import { validateCommand } from "./validate.ts";
import { buildInfo, programVersion } from "./version.ts";
import { waitCommand } from "./wait.ts";
import { webhooksCommand } from "./webhooks.ts";

/** Runs a command line. @returns the exit code */
export async function runProgram(argv: readonly string[]): Promise<number> {
  endWithReader();
  const program = createProgram();
  try {
    await program.parseAsync([...argv]);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.ok : EXIT_CODES.usage;
    printError(explain(error));
    return exitCodeOf(failureOf(argv, error));
  }
}

/** The whole command line, before anything of it runs: the reference is made from it too. */
export function createProgram(): Command {
  const program = new Command("millrace")
    .description("Serves agent factories that are defined in git: webhooks in, agent runs out.")
    .version(programVersion(), "-V, --version")
    .showHelpAfterError("(add --help for what the command takes)")
    .addHelpText("after", exitCodeHelp());
  const version = new Command("version")
    .description("print the version")
    .option("--json", "print JSON")
    .action(({ json }: { json?: boolean }) => (json ? printJson(buildInfo()) : print(programVersion())));
  const commands = [
    serveCommand(),
    quickstartCommand(),
    initCommand(),
    validateCommand(),
    planCommand(),
    statusCommand(),
    syncCommand(),
    historyCommand(),
    suspendCommand(),
    resumeCommand(),
    rollbackCommand(),
    pauseCommand(),
    unpauseCommand(),
    pausesCommand(),
    waitCommand(),
    driftCommand(),
    exportCommand(),
    importCommand(),
    factoriesCommand(),
    webhooksCommand(),
    automationsCommand(),
    deliveriesCommand(),
    filterCommand(),
    runsCommand(),
    eventsCommand(),
    agentsCommand(),
    environmentsCommand(),
    schedulesCommand(),
    secretsCommand(),
    keysCommand(),
    auditCommand(),
    backupCommand(),
    restoreCommand(),
    doctorCommand(),
    completionCommand(),
    version,
  ];
  for (const command of commands) program.addCommand(command);
  throwInsteadOfExit(program);
  return program;
}

/** Commander would end the process on a wrong call; here every command, nested ones too, throws. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride();
  for (const child of command.commands) throwInsteadOfExit(child);
}

/** What went wrong, with the title of its code, what happened, and what to do. */
function explain(error: unknown): string {
  if (error instanceof MillraceError)
    return lines(ERROR_CODES[error.code].title, error.message, error.remedy);
  if (error instanceof ApiError) {
    const { title, detail } = error.problem;
    const trace = error.status >= 500 && error.traceId ? `trace id ${error.traceId}` : undefined;
    return lines(title, detail, ...furtherProblems(error), error.remedy, trace);
  }
  if (error instanceof NoAnswer) return lines(error.title, error.message, error.remedy);
  return lines("The command failed", errorMessage(error));
}

/** A refused definition says in its `detail` what the first problem is; where there are more, each stands at its place. */
function furtherProblems({ problem }: ApiError): string[] {
  const problems = Array.isArray(problem.problems) ? (problem.problems as Problem[]) : [];
  return problems.length > 1 ? problems.map((each) => formatProblem(each)) : [];
}

function lines(title: string, ...rest: (string | undefined)[]): string {
  return [`${title}.`, ...rest.filter((line) => line !== undefined && line !== "")].join("\n");
}

/** `validate` tells an invalid tree from one that it could not look at; `serve` is wrong usage without a source. */
function failureOf(argv: readonly string[], error: unknown): Failure {
  if (argv[2] === "validate") return { kind: "usage" };
  if (error instanceof NoAnswer) return { kind: "no-answer" };
  if (error instanceof ApiError) return { kind: "refused", status: error.status };
  if (!(error instanceof MillraceError)) return { kind: "failed" };
  if (error.code === "invalid_request") return { kind: "usage" };
  return { kind: "refused", status: ERROR_CODES[error.code].status };
}
