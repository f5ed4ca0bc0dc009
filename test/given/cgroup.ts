import { accessSync, constants, mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { newUid } from "../../src/id.ts";
import { foldersFrom } from "../../src/runs/cgroups/divide-cgroup.ts";
import { cgroupOf } from "../../src/runs/cgroups/own-cgroup.ts";
import { onFinished } from "./cleanup.ts";

/**
 * A cgroup of version 2 that goes with the test; nothing on a machine where this user may make none. It need not have
 * controllers: processes are placed and ended in it without them.
 */
export function aCgroup(): string | undefined {
  const top = cgroupOf(readFileSync("/proc/self/mountinfo", "utf8"), "0::/\n");
  if (top === undefined) return undefined;
  const folder = join(top, `millrace-test-${newUid()}`);
  try {
    accessSync(join(top, "cgroup.procs"), constants.W_OK);
    mkdirSync(folder);
  } catch {
    return undefined;
  }
  onFinished(() => {
    for (const each of foldersFrom(folder)) rmdirSync(each);
  });
  return folder;
}
