import type { Machine, SandboxMode } from "./sandbox/sandbox.ts";

/** What a run's runner asks of its machine and the sandbox of the server does not give, a sentence each: for its timeline. */
export function ignoredOfMachine({ image, shape }: Machine, sandbox: SandboxMode): string[] {
  if (sandbox === "container") return [];
  return [
    ...(image === undefined ? [] : [`the image ${image} is ignored: only containers are made of one`]),
    ...(shape === undefined ? [] : ["instanceShape is ignored: only containers have a size"]),
  ];
}
