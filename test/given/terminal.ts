import { spawn } from "node:child_process";
import { MILLRACE } from "./server.ts";

/** Runs the built program at a real terminal of this width, at which somebody types `typed`. @returns what the terminal shows, and the exit code */
export async function runAtTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { columns = 80, typed = "" } = {},
): Promise<{ code: number | null; shown: string }> {
  const command = [...MILLRACE, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const child = spawn("script", ["-qec", `stty cols ${columns} rows 50; exec ${command}`, "/dev/null"], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, TERM: "xterm-256color", ...env },
    stdio: [typed === "" ? "ignore" : "pipe", "pipe", "inherit"],
  });
  child.stdin?.write(typed);
  let shown = "";
  child.stdout?.on("data", (chunk: Buffer) => {
    shown += chunk;
  });
  const code = await new Promise<number | null>((done) => child.on("close", done));
  return { code, shown: shown.replaceAll("\r\n", "\n") };
}
