import { Command, CommanderError } from "commander";
import { ApiError } from "../client/client.ts";
import { formatProblem, type Problem } from "../definitions/problem.ts";
import { ERROR_CODES, errorMessage, MillraceError } from "../errors/error.ts";
import { programVersion } from "../platform/program-version.ts";
import { completionCommand } from "./completion/completion.ts";
import { deliveriesCommand } from "./deliveries/deliveries.ts";
import { EXIT_CODES, exitCodeHelp, exitCodeOf, type Failure } from "./exit-code.ts";
import { driftCommand } from "./factories/drift.ts";
import { exportCommand } from "./factories/export.ts";
import { factoriesCommand } from "./factories/factories.ts";
import { importCommand } from "./factories/import.ts";
import { initCommand } from "./factories/init.ts";
import { pauseCommand, pausesCommand, unpauseCommand } from "./factories/pause.ts";
import { planCommand } from "./factories/plan.ts";
import { historyCommand, resumeCommand, rollbackCommand, suspendCommand } from "./factories/revisions.ts";
import { validateCommand } from "./factories/validate.ts";
import { endWithReader, print, printError, printJson } from "./output.ts";
import { NoAnswer } from "./reach-server.ts";
import { agentsCommand } from "./runs/agents.ts";
import { environmentsCommand } from "./runs/environments.ts";
import { eventsCommand } from "./runs/events.ts";
import { runsCommand } from "./runs/runs.ts";
import { schedulesCommand } from "./runs/schedules.ts";
import { waitCommand } from "./runs/wait.ts";
import { auditCommand } from "./server/audit.ts";
import { backupCommand, restoreCommand } from "./server/backup.ts";
import { doctorCommand } from "./server/doctor.ts";
import { keysCommand } from "./server/keys.ts";
import { quickstartCommand } from "./server/quickstart.ts";
import { serveCommand } from "./server/serve.ts";
import { statusCommand, syncCommand } from "./server/status.ts";
import { buildInfo } from "./version.ts";
import { automationsCommand } from "./webhooks/automations.ts";
import { filterCommand } from "./webhooks/filter.ts";
import { secretsCommand } from "./webhooks/secrets.ts";
import { webhooksCommand } from "./webhooks/webhooks.ts";

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
    .description(
      "GitOps controller for agent factories: reads their definitions from git, receives webhooks, executes agent runs.",
    )
    .version(programVersion(), "-V, --version")
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

/** Commander would end the process on a wrong call; here every command, nested ones too, throws, and says where its options are. */
function throwInsteadOfExit(command: Command): void {
  command.exitOverride().showHelpAfterError("(add --help for usage)");
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
