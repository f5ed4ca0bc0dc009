import { accessSync, constants, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { cgroupOf } from "../../src/executor/cgroups/own-cgroup.ts";
import { removeCgroup } from "../../src/executor/cgroups/run-cgroup.ts";
import { newUid } from "../../src/id.ts";
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
  onFinished(() => removeCgroup(folder));
  return folder;
}
