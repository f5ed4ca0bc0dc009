// `npm run test:faults` loads this into the processes of tests: it has one module of the build replaced by one with a fault.
import { readFileSync } from "node:fs";
import { register } from "node:module";
import { isMainThread } from "node:worker_threads";

const { module, source } = JSON.parse(process.env.PLANTED_IN_BUILD ?? "{}");
// The loader has a thread of its own, where this is loaded again.
if (isMainThread && module !== undefined) register(import.meta.url);

export function load(url, context, nextLoad) {
  if (url !== module) return nextLoad(url, context);
  return { format: "module", shortCircuit: true, source: readFileSync(source, "utf8") };
}
