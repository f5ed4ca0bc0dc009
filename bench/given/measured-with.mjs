import { cpus, totalmem } from "node:os";

/**
 * When and on what a benchmark was measured, to be read behind "Measured" and before a full stop.
 * @param yardstickMs left out where nothing was measured that could be compared
 */
export function measuredWith({ date, commit, load, yardstickMs }) {
  const [cpu] = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  const machine = `a machine with ${cpus().length} x ${cpu.model.trim()} and ${memory} GiB of memory`;
  const pace = yardstickMs === undefined ? "" : `, and the yardstick was ${yardstickMs.toFixed(0)} ms`;
  return `on ${date} with Node ${process.versions.node} on ${machine}, at commit ${commit}. The load average was ${load.toFixed(1)}${pace}`;
}
