import { spawn } from "node:child_process";

/**
 * The disk space of a folder in bytes, every file once however many names it has, links not followed. The program `du`
 * does it: no depth or number of files keeps this process from its work.
 * @returns nothing when it could not be found out
 */
export function diskUsage(folder: string, signal: AbortSignal): Promise<number | undefined> {
  return new Promise((resolve) => {
    const child = spawn("du", ["-s", "-k", "-x", "--", folder], {
      env: { PATH: process.env.PATH, LC_ALL: "C" },
      stdio: ["ignore", "pipe", "ignore"],
      signal,
    });
    let said = "";
    child.stdout.on("data", (chunk: Buffer) => {
      said += chunk;
    });
    child.on("error", () => resolve(undefined));
    // What disappears while it is counted makes it end with 1, and the sum is there all the same.
    child.on("close", () => {
      const kibibytes = /^(\d+)\t/.exec(said)?.[1];
      resolve(kibibytes === undefined ? undefined : Number(kibibytes) * 1024);
    });
  });
}
