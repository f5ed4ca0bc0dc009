import { mkdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { openGit } from "../open-git.ts";

/** Sees to it that there is a bare repository at a path. @returns whether it was not there before */
export async function createMirror(path: string, environment: Record<string, string>): Promise<boolean> {
  if (await stat(join(path, "HEAD")).catch(() => undefined)) return false;
  await mkdir(path, { recursive: true, mode: 0o700 });
  await openGit(path, environment).raw(["init", "--quiet", "--bare"]);
  return true;
}
