import type { FileWorker } from "../files/file-worker.ts";
import type { RunUser } from "./run-user.ts";

/** Gives a folder and all in it to a user, however much it is: another process does it. */
export async function handOver(
  files: Pick<FileWorker, "run">,
  folder: string,
  { uid, gid }: RunUser,
): Promise<void> {
  await files.run("handOver", { folder, uid, gid });
}
