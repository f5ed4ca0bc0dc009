import { Command, CommanderError } from "commander";
import { ApiError } from "../client/client.ts";
import { ERROR_CODES, errorMessage, MillraceError } from "../error.ts";
import { automationsCommand } from "./automations.ts";
import { deliveriesCommand } from "./deliveries.ts";
import { filterCommand } from "./filter.ts";
import { keysCommand } from "./keys.ts";
import { endWithReader, print, printError, printJson } from "./output.ts";
import { quickstartCommand } from "./quickstart.ts";
import { NoAnswer } from "./reach-server.ts";
import { runsCommand } from "./runs.ts";
import { secretsCommand } from "./secrets.ts";
import { serveCommand } from "./serve.ts";
import { statusCommand, syncCommand } from "./status.ts";
import { validateCommand } from "./validate.ts";
import { programVersion } from "./version.ts";
import { webhooksCommand } from "./webhooks.ts";

/** What a command ends with when it could not do its work, and when it was called wrongly. */
const FAILED = 1;
const USAGE = 2;

/** Runs a command line. @returns the exit code */
export async function runProgram(argv: readonly string[]): Promise<number> {
  endWithReader();
  const program = createProgram();
  try {
    await program.parseAsync([...argv]);
    return Number(process.exitCode ?? 0);
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : USAGE;
    printError(explain(error));
    return couldNotRun(argv, error) ? USAGE : FAILED;
  }
}

function createProgram(): Command {
  const program = new Command("millrace")
    .description("Serves agent factories that are defined in git: webhooks in, agent runs out.")
    .version(programVersion(), "-V, --version")
    .showHelpAfterError("(add --help for what the command takes)");
  const version = new Command("version")
    .description("print the version")
    .option("--json", "print JSON")
    .action(({ json }: { json?: boolean }) =>
      json ? printJson({ version: programVersion() }) : print(programVersion()),
    );
  const commands = [
    serveCommand(),
    quickstartCommand(),
    validateCommand(),
    statusCommand(),
    syncCommand(),
    webhooksCommand(),
    automationsCommand(),
    deliveriesCommand(),
    filterCommand(),
    runsCommand(),
    secretsCommand(),
    keysCommand(),
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
    return lines(title, detail, error.remedy, trace);
  }
  if (error instanceof NoAnswer) return lines(error.title, error.message, error.remedy);
  return lines("The command failed", errorMessage(error));
}

function lines(title: string, ...rest: (string | undefined)[]): string {
  return [`${title}.`, ...rest.filter((line) => line !== undefined && line !== "")].join("\n");
}

/** `validate` tells an invalid tree (1) from one that it could not look at (2); `serve` is wrong usage without a source. */
function couldNotRun(argv: readonly string[], error: unknown): boolean {
  return argv[2] === "validate" || (error instanceof MillraceError && error.code === "invalid_request");
}
