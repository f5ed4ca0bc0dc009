import { formatBytes } from "../../config/values.ts";
import { findDivisibleCgroup } from "../../executor/cgroups/own-cgroup.ts";
import { type LimitSettings, limitsHere } from "../../executor/cgroups/run-limits.ts";
import type { Sandbox } from "../../executor/sandbox/sandbox.ts";
import { type DoctorFinding, ok } from "./finding.ts";

/** What bounds the memory of runs. Of a service it is another cgroup than that of this command. */
export function examineMemory(
  settings: LimitSettings,
  { mode, weaknesses }: Pick<Sandbox, "mode" | "weaknesses">,
): DoctorFinding {
  const { memoryBytes } = limitsHere(settings);
  const amount = memoryBytes === undefined ? "the instanceShape of its runner" : formatBytes(memoryBytes);
  if (mode === "container") {
    const unlimited = weaknesses.find((text) => text.includes("instanceShape"));
    return ok("memory", unlimited ?? `the container engine limits a run to ${amount} (MILLRACE_RUN_MEMORY)`);
  }
  const found = findDivisibleCgroup();
  if ("reason" in found)
    return ok(
      "memory",
      `runs that are started from here have no cgroup of their own, so that only each process can be limited: ${found.reason}. The log of a service says whether its cgroup can be divided (docs/isolation.md)`,
    );
  return ok(
    "memory",
    `each run can get a cgroup of its own below ${found.folder}, with limits of ${found.controllers.join(", ")}, and ${amount} of memory`,
  );
}
