import { beforeAll, onTestFinished } from "vitest";
import type { LoadLimits, ThreadedLoader } from "../../src/definitions/loading/threaded-loader.ts";

const ROOMY: LoadLimits = {
  cpuMs: 60_000,
  cpuMsPerMebibyte: 60_000,
  memoryMb: { ofSources: 512, ofSentFiles: 512 },
};

/** Threads are programs of the build. */
let createThreadedLoader: (limits: LoadLimits) => ThreadedLoader;
beforeAll(async () => {
  ({ createThreadedLoader } = await import("../../dist/definitions/loading/threaded-loader.js" as string));
});

/** A loader of definitions on threads that ends with the test. @param limits those that are not roomy */
export function aLoader(limits: Partial<LoadLimits> = {}): ThreadedLoader {
  const loader = createThreadedLoader({ ...ROOMY, ...limits });
  onTestFinished(loader.stop);
  return loader;
}
