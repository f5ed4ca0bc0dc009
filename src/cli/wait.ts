import { Command, InvalidArgumentError } from "commander";
import type { Models } from "../client/client.ts";
import { duration } from "../config/values.ts";
import { formatProblem, type Problem } from "../definitions/problem.ts";
import { revisionHash } from "./arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "./connect.ts";
import { EXIT_CODES } from "./exit-code.ts";
import { printError, printJson } from "./output.ts";
import { short } from "./status.ts";

interface WaitOptions extends ConnectOptions {
  commit: string;
  /** Milliseconds. */
  timeout: number;
}

type State = Models["CommitStanding"]["state"];

const EXIT_CODE_OF: Readonly<Record<State, number>> = {
  in_force: EXIT_CODES.ok,
  failed: EXIT_CODES.no,
  replaced: EXIT_CODES.no,
  suspended: EXIT_CODES.conflict,
  pending: EXIT_CODES.tooLate,
};

/** How long one request waits: short enough for every proxy. */
const ONE_REQUEST_MS = 30_000;

export function waitCommand(): Command {
  return asClientCommand(new Command("wait").argument("[factory]"), { ofFactory: true })
    .description("wait until a commit is in force")
    .requiredOption("--commit <sha>", "its hash, or at least the first 7 characters of it", revisionHash)
    .option("--timeout <time>", "how long, such as 90s or 10m", timeout, duration("10m"))
    .addHelpText(
      "after",
      `
A commit is in force too when a later one is that contains it. Ends with 0 when it is in force, 1 when it was refused or
is no longer in force, 6 when the factory is suspended, 7 when it was not looked at in time.`,
    )
    .action(wait);
}

async function wait(named: string | undefined, options: WaitOptions): Promise<void> {
  const client = connect(options);
  const factory = await chosenFactory(client, options, named);
  const until = performance.now() + options.timeout;
  for (;;) {
    const left = Math.max(0, Math.ceil(until - performance.now()));
    const standing = await client.factories.commit(factory, options.commit, {
      wait: `${Math.min(left, ONE_REQUEST_MS)}ms`,
    });
    if (standing.state === "pending" && performance.now() < until) continue;
    if (options.json) printJson(standing);
    else tell(standing, factory);
    process.exitCode = EXIT_CODE_OF[standing.state];
    return;
  }
}

function tell(
  { commit, state, applied_revision, problems }: Models["CommitStanding"],
  factory: string,
): void {
  const inForce = applied_revision ? `in force is ${short(applied_revision)}` : "nothing is in force";
  const said: Record<State, string> = {
    in_force: `${short(commit)} is in force.`,
    failed: `${short(commit)} was refused; ${inForce}.`,
    replaced: `${short(commit)} was in force and is no more: ${inForce}.`,
    suspended: `"${factory}" is suspended, so ${short(commit)} does not come into force; ${inForce}.`,
    pending: `${short(commit)} was not looked at in time; ${inForce}.`,
  };
  printError(said[state]);
  for (const problem of problems) printError(formatProblem(problem as Problem));
}

function timeout(text: string): number {
  try {
    return duration(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
