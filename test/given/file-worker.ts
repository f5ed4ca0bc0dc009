import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createFileWorker, type FileWorker } from "../../src/executor/files/file-worker.ts";
import { silentLog } from "../../src/log.ts";
import { onFinished } from "./cleanup.ts";

/** The built program of the process that works on the files of runs. */
const PROGRAM = new URL("../../dist/executor/files/file-worker-main.js", import.meta.url);

/** Such a process, which ends with the test. */
export function aFileWorker(): FileWorker {
  const worker = createFileWorker(silentLog, PROGRAM);
  onFinished(worker.stop);
  return worker;
}

const NAME = "long-name-".repeat(25);

/** Makes folders one in the other, deeper than a path can be long, with a file in the last one. */
export function deepTree(folder: string, levels: number): void {
  // By a shell that goes down with each: no path leads there.
  const script = `cd "$1"; for i in $(seq ${levels}); do mkdir ${NAME} && cd ${NAME} || exit 1; done; echo x > file`;
  onFinished(() => execFileSync("rm", ["-rf", join(folder, NAME)]));
  execFileSync("bash", ["-c", script, "bash", folder]);
}

/** Puts a link and the folder itself at the same path in turns, as fast as it can. */
const SWAP = `
  import { renameSync, symlinkSync } from "node:fs";
  const [folder, target] = process.argv.slice(1);
  symlinkSync(target, folder + ".link");
  console.log("begun");
  for (;;) {
    renameSync(folder, folder + ".folder"); renameSync(folder + ".link", folder);
    renameSync(folder, folder + ".link"); renameSync(folder + ".folder", folder);
  }`;

/** Another program exchanges a folder for a link to another folder, again and again, until the test ends. */
export async function swapForLink(folder: string, target: string): Promise<void> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", SWAP, folder, target]);
  onFinished(() => void child.kill("SIGKILL"));
  await once(child.stdout, "data");
}
