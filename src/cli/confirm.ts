import { createInterface } from "node:readline/promises";
import { MillraceError } from "../errors/error.ts";
import { print } from "./output.ts";

/**
 * Asks a person whether to go on. `--yes` has answered already.
 * @param question what would happen, ending with a question mark
 * @returns whether to go on
 * @throws MillraceError `invalid_request` where there is no terminal to ask at
 */
export async function confirm(question: string, { yes }: { yes?: boolean | undefined }): Promise<boolean> {
  if (yes) return true;
  if (!process.stdin.isTTY) {
    throw new MillraceError(
      "invalid_request",
      "This command requires confirmation, but standard input is not a terminal.",
      {
        remedy: "Review the changes above, then run the command again with --yes.",
      },
    );
  }
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await terminal.question(`${question} [y/N] `);
    if (/^y(es)?$/i.test(answer.trim())) return true;
  } finally {
    terminal.close();
  }
  print("Nothing was changed.");
  return false;
}
