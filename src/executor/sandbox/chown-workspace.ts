import type { FileWorker } from "../files/file-worker.ts";
import { letReadObjects } from "../workspace/shared-objects.ts";
import type { RunUser } from "./run-user.ts";

/** Gives a workspace and all in it to a user, however much it is: another process does it. What its clones share is read only. */
export async function chownWorkspace(
  files: Pick<FileWorker, "run">,
  folder: string,
  { uid, gid }: RunUser,
): Promise<void> {
  await files.run("chownWorkspace", { folder, uid, gid });
  await letReadObjects(folder, gid);
}
