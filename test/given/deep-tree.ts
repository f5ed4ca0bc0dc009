import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { onFinished } from "./cleanup.ts";

const NAME = "long-name-".repeat(25);

/** Makes folders one in the other, deeper than a path can be long, with a file in the last one. */
export function deepTree(folder: string, levels: number): void {
  // By a shell that goes down with each: no path leads there.
  const script = `cd "$1"; for i in $(seq ${levels}); do mkdir ${NAME} && cd ${NAME} || exit 1; done; echo x > file`;
  onFinished(() => execFileSync("rm", ["-rf", join(folder, NAME)]));
  execFileSync("bash", ["-c", script, "bash", folder]);
}
