import { arch, availableParallelism, platform, totalmem } from "node:os";
import { programVersion } from "../../platform/version.ts";
import type { ProcessFacts } from "../../workers/worker.ts";

/** Names of platforms and processors as runners have them in definitions. */
const OS: Readonly<Record<string, string>> = { darwin: "macos", win32: "windows" };
const ARCH: Readonly<Record<string, string>> = { x64: "x86_64", arm64: "aarch64" };
const GIB = 1024 ** 3;

/** What this process tells the server of itself. */
export function workerFacts(
  own: Pick<ProcessFacts, "labels" | "sandbox" | "dataFolder" | "concurrency">,
): Omit<ProcessFacts, "executing"> {
  return {
    ...own,
    limitsNetwork: true,
    version: programVersion(),
    platform: { os: OS[platform()] ?? platform(), arch: ARCH[arch()] ?? arch() },
    shape: { vcpus: availableParallelism(), memoryGb: Math.max(1, Math.round(totalmem() / GIB)) },
  };
}
