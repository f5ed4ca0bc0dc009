import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onFinished } from "./cleanup.ts";
import { temporaryFolder } from "./folder.ts";
import { freePort } from "./port.ts";
import { MILLRACE } from "./server.ts";

/** The blocks of a document that begin with this line, in order: `sh tutorial`. */
export function blocksOf(document: string, kind: string): string[] {
  const text = readFileSync(new URL(`../../${document}`, import.meta.url), "utf8");
  const lines = text.matchAll(/^```(.*)\n((?:.*\n)*?)```$/gm);
  return [...lines].filter(([, info]) => info === kind).map(([, , block = ""]) => block);
}

/** Runs blocks in one shell until one fails. @returns what each has printed, the one before the first being empty */
export async function pasted(
  blocks: readonly string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string; steps: string[] }> {
  const marked = blocks.map((block, index) => `echo "=== ${index + 1}"\n${block}`).join("\n");
  const { code, output } = await bash(cwd, `set -eo pipefail\n${marked}`, env);
  return { code, output, steps: output.split(/^=== \d+$/m) };
}

/** Runs a script. What it started ends with the test. */
export function bash(
  cwd: string,
  script: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn("bash", ["-s"], {
    cwd,
    detached: true,
    // No name of a person, as on a machine where git has never been used.
    env: { PATH: process.env.PATH, HOME: cwd, GIT_CONFIG_NOSYSTEM: "1", ...env },
  });
  onFinished(() => {
    // The shell's server goes with it, should the script have ended early.
    try {
      process.kill(-(child.pid ?? 0), "SIGKILL");
    } catch {
      // Everything has ended already.
    }
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    output += chunk;
  });
  child.stdin.end(script);
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, output })));
}

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

/**
 * Replays what somebody has typed, in an empty folder and line by line until one fails, on a port that is free.
 * @param name of a script in test/tried
 */
export async function replayed(
  name: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; output: string }> {
  const folder = temporaryFolder("millrace-tried");
  const programs = join(temporaryFolder(), "bin");
  mkdirSync(programs);
  const words = MILLRACE.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(programs, "millrace"), `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(join(programs, "millrace"), 0o755);
  const script = readFileSync(new URL(`../tried/${name}`, import.meta.url), "utf8");
  const port = String(await freePort());
  const PATH = `${programs}:${process.env.PATH}`;
  return bash(folder, `set -eu\n${script.replaceAll("8789", port)}`, { PATH, ...env });
}
