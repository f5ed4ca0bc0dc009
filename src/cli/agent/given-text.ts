import { text } from "node:stream/consumers";
import { MillraceError } from "../../errors/error.ts";
import { readTextFile, withoutLineEnd } from "../input.ts";

/**
 * A text that is an argument, comes from standard input for `-`, or from a file.
 * @throws MillraceError `invalid_request` when there is none, or the file cannot be read
 */
export async function givenText(
  argument: string | undefined,
  { file, name }: { file?: string | undefined; name: string },
): Promise<string> {
  const given =
    file !== undefined ? await readTextFile(file) : argument === "-" ? await text(process.stdin) : argument;
  const whole = withoutLineEnd(given ?? "");
  if (whole.trim() !== "") return whole;
  throw new MillraceError("invalid_request", `The ${name} is empty.`, {
    remedy: `Pass the ${name} as an argument, or pass - and write it to standard input.`,
  });
}
