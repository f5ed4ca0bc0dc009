import { spawn } from "node:child_process";

/**
 * Removes a folder and all below it. The programs of the system do it, which cope with any depth, never follow a link and
 * keep this process free; what an agent has made read-only is made writable first.
 * @param from the folder that a relative path begins at; that of this process when it is not given
 * @throws Error that says what is in the way
 */
export async function removeTree(path: string, signal?: AbortSignal, from?: string): Promise<void> {
  const run = (command: string[]) => runProgram(command, from, signal);
  const first = await run(["rm", "-rf", "--", path]);
  if (first === undefined) return;
  signal?.throwIfAborted();
  await run(["chmod", "-R", "u+rwx", "--", path]);
  const again = await run(["rm", "-rf", "--", path]);
  if (again !== undefined) throw new Error(`${path} could not be removed: ${again}`);
}

/** @returns the last that a program complained about, when it has failed */
function runProgram(
  [command = "", ...args]: string[],
  cwd: string | undefined,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd,
      env: { PATH: process.env.PATH, LC_ALL: "C" },
      stdio: ["ignore", "ignore", "pipe"],
      ...(signal ? { signal } : {}),
    });
    let complaint = "";
    child.stderr.on("data", (chunk: Buffer) => {
      complaint = (complaint + chunk).slice(-1_000);
    });
    child.on("error", (error) => resolve(error.message));
    child.on("close", (code) => resolve(code === 0 ? undefined : complaint.trim() || `exit code ${code}`));
  });
}
