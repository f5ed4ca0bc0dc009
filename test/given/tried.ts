import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./folder.ts";
import { freePort } from "./port.ts";
import { MILLRACE } from "./server.ts";
import { bash } from "./shell.ts";

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
