import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { onFinished } from "./cleanup.ts";

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
