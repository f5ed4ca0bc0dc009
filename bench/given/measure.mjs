// What the benchmarks share: medians of several rounds, raw samples kept, and a table at the end.
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir, totalmem } from "node:os";
import { join } from "node:path";

/** A folder that is gone when the benchmark ends. */
export function scratchFolder(name) {
  const folder = mkdtempSync(join(tmpdir(), `millrace-bench-${name}-`));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}

export function median(samples) {
  const sorted = [...samples].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Milliseconds that some work takes. */
export async function timed(work) {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export function machine() {
  const [cpu] = cpus();
  return `${cpus().length} x ${cpu.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
}

/** Prints one row a figure, with its goal and its raw samples, and says whether every goal is met. */
export function report(title, rows) {
  console.log(`\n${title}\n${new Date().toISOString().slice(0, 10)}, ${machine()}\n`);
  for (const { name, samples, unit, goal } of rows) {
    const figure = median(samples);
    const met = goal === undefined ? "" : figure <= goal ? "  met" : "  MISSED";
    const bound = goal === undefined ? "" : `  (goal <= ${goal} ${unit})`;
    console.log(`${name.padEnd(58)} ${figure.toFixed(1).padStart(9)} ${unit}${bound}${met}`);
    console.log(`${"".padEnd(58)} samples: ${samples.map((sample) => sample.toFixed(1)).join(", ")}`);
  }
  if (rows.some(({ samples, goal }) => goal !== undefined && median(samples) > goal)) process.exitCode = 1;
}
