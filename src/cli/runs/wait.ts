import { Command, InvalidArgumentError, Option } from "commander";
import type { Models } from "../../client/client.ts";
import { duration } from "../../config/values.ts";
import { formatProblem, type Problem } from "../../definitions/problem.ts";
import { revisionHash } from "../arguments.ts";
import { asClientCommand, type ConnectOptions, chosenFactory, connect } from "../connect.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { short } from "../factories/status.ts";
import { printError, printJson } from "../output.ts";

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

const DEFAULT_TIMEOUT = "10m";

export function waitCommand(): Command {
  return asClientCommand(new Command("wait").argument("[factory]"), { ofFactory: true })
    .description("wait until a commit is active")
    .requiredOption("--commit <sha>", "hash of the commit, or at least its first 7 characters", revisionHash)
    .addOption(
      new Option("--timeout <time>", "maximum time to wait, such as 90s or 10m")
        .argParser(timeout)
        .default(duration(DEFAULT_TIMEOUT), DEFAULT_TIMEOUT),
    )
    .addHelpText(
      "after",
      `
A commit also counts as active when a later commit that contains it is active. Exit code: 0 if the commit is active,
1 if it was refused or is no longer active, 6 if the factory is suspended, 7 if the wait timed out.`,
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
    else report(standing, factory);
    process.exitCode = EXIT_CODE_OF[standing.state];
    return;
  }
}

function report(
  { commit, state, applied_revision, problems }: Models["CommitStanding"],
  factory: string,
): void {
  const activeRevision = applied_revision
    ? `the active revision is ${short(applied_revision)}`
    : "no revision is active";
  const said: Record<State, string> = {
    in_force: `${short(commit)} is active.`,
    failed: `${short(commit)} was refused; ${activeRevision}.`,
    replaced: `${short(commit)} is no longer active; ${activeRevision}.`,
    suspended: `Factory "${factory}" is suspended, so ${short(commit)} is not applied; ${activeRevision}.`,
    pending: `Timed out waiting for ${short(commit)}; ${activeRevision}.`,
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
