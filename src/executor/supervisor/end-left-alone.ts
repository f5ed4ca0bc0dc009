import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { endRunCgroup } from "../cgroups/run-cgroup.ts";
import { endNoted } from "../sandbox/first-process.ts";
import { killLeftovers } from "../sandbox/process-tree.ts";
import type { Launch } from "../sandbox/sandbox.ts";

/** A container that is not gone by then is left to whoever starts on this machine next. */
const REMOVE_MS = 10_000;

/** Ends what is left of a program whose process group was ended, while nobody is there who knows its sandbox. */
export async function endLeftAlone({ note, user, removal, cgroup, environment: of }: Launch): Promise<void> {
  if (removal) {
    const { command, args, environment } = removal;
    await promisify(execFile)(command, [...args], { env: environment, timeout: REMOVE_MS }).catch(() => {});
  }
  if (cgroup) await endRunCgroup(cgroup.folder);
  if (note !== undefined) await endNoted(note);
  const runId = of.MILLRACE_RUN_ID;
  if (note === undefined && runId !== undefined) await killLeftovers(runId, user?.uid);
}
