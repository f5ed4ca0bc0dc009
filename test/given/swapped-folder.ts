import { spawn } from "node:child_process";
import { once } from "node:events";
import { onFinished } from "./cleanup.ts";

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
