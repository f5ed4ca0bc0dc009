import { execFile } from "node:child_process";

/** A program that does not answer by then is taken for one that does not work. */
const ANSWER_MS = 20_000;

/** Runs a program that is done soon. @returns its exit code, not 0 when it could not run, and all that it wrote, or why it could not run */
export function ask(
  [command = "", ...args]: readonly string[],
  env: Record<string, string>,
): Promise<{ code: number; said: string; isLate: boolean }> {
  return new Promise((resolve) => {
    execFile(command, args, { env, timeout: ANSWER_MS }, (error, stdout, stderr) =>
      resolve({
        code: error ? 1 : 0,
        said: stdout + stderr || (typeof error?.code === "string" ? error.message : ""),
        isLate: error?.killed ?? false,
      }),
    );
  });
}
