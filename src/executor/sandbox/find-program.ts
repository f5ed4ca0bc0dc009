import { execFile } from "node:child_process";
import { access, constants } from "node:fs/promises";
import { isAbsolute, join } from "node:path";

/** Where programs of the system lie that a user's PATH may leave out. */
const SYSTEM_FOLDERS = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"];

/** The path of a program that this server may execute; nothing when there is none. */
export async function findProgram(name: string): Promise<string | undefined> {
  const folders = (process.env.PATH ?? "").split(":").filter(isAbsolute);
  const paths = name.includes("/")
    ? [name]
    : [...folders, ...SYSTEM_FOLDERS].map((folder) => join(folder, name));
  for (const path of paths) if (await isExecutable(path)) return path;
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

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
