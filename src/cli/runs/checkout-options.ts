import type { Command } from "commander";
import { MillraceError } from "../../errors/error.ts";

/** Where a run finds a repository, as a command is told. */
export interface CheckoutOptions {
  ref?: string;
  repository?: string;
}

/** Adds the options that say where a new run finds its repository. */
export function withCheckoutOptions(command: Command): Command {
  return command
    .option("--ref <name>", "branch, tag or commit that the run's repository is checked out at")
    .option("--repository <owner/name>", "repository of --ref; required if the run has several");
}

/**
 * The place in a repository as a request names it; nothing where the default branch will do.
 * @throws MillraceError `invalid_request` for a repository without a place in it
 */
export function checkoutOf({
  ref,
  repository,
}: CheckoutOptions): { ref: string; repository?: string } | undefined {
  if (ref !== undefined) return { ref, ...(repository === undefined ? {} : { repository }) };
  if (repository === undefined) return undefined;
  throw new MillraceError("invalid_request", "--repository is only valid with --ref.", {
    remedy: "Specify the branch, tag or commit with --ref, or omit --repository.",
  });
}
