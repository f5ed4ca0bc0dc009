import { findDivisibleCgroup } from "../../runs/cgroups/own-cgroup.ts";
import type { SandboxMode } from "../../runs/sandbox/sandbox.ts";
import { type DoctorFinding, ok } from "./finding.ts";

/** What bounds the memory of runs. Of a service it is another cgroup than that of this command. */
export function examineMemory(sandbox: SandboxMode): DoctorFinding {
  if (sandbox === "container")
    return ok("memory", "the container engine limits the memory of runs whose runner has an instanceShape");
  const found = findDivisibleCgroup();
  if ("reason" in found)
    return ok(
      "memory",
      `nothing limits the memory of runs if they are started from here: ${found.reason}. The log of a service says whether its cgroup can be divided (docs/isolation.md)`,
    );
  return ok(
    "memory",
    `each run can get a cgroup of its own below ${found.folder}, with limits of ${found.controllers.join(", ")}`,
  );
}
