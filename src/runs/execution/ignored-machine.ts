import { hostWith, strangePlatform } from "../../definitions/runner-host.ts";
import type { Machine, SandboxMode } from "../sandbox/sandbox.ts";

/** What a run's runner asks of its machine and the sandbox of the server does not give, a sentence each: for its timeline. */
export function ignoredOfMachine({ image, shape, platform = {} }: Machine, sandbox: SandboxMode): string[] {
  const strange = strangePlatform(platform, hostWith(sandbox));
  const ofSystem = strange === undefined ? [] : [strange];
  if (sandbox === "container") return ofSystem;
  return [
    ...ofSystem,
    ...(image === undefined ? [] : [`the image ${image} is ignored: only the container sandbox uses images`]),
    ...(shape === undefined ? [] : ["instanceShape is ignored: only the container sandbox supports sizes"]),
  ];
}
