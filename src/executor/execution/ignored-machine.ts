import { hostWith, strangePlatform } from "../../definitions/runner-host.ts";
import type { Machine } from "../../runs/turn/assignment.ts";
import type { Sandbox } from "../sandbox/sandbox.ts";

/** What a run's runner asks of its machine and the sandbox of the server does not give, a sentence each: for its timeline. */
export function ignoredOfMachine(
  { image, shape, platform = {} }: Machine,
  sandbox: Pick<Sandbox, "mode" | "limitsSize">,
): string[] {
  const strange = strangePlatform(platform, hostWith(sandbox));
  const ofSystem = strange === undefined ? [] : [strange];
  if (sandbox.mode === "container") return ofSystem;
  return [
    ...ofSystem,
    ...(image === undefined ? [] : [`the image ${image} is ignored: only the container sandbox uses images`]),
    ...(shape === undefined || sandbox.limitsSize
      ? []
      : ["instanceShape is ignored: no container and no cgroup holds the run to that size"]),
  ];
}
