// `npm run bench:more -- ingress-soak`: ten minutes of load without a pause. Resident memory has to stay under 260 MB and flat,
// and the rate has to stay what it was.
import { readFileSync } from "node:fs";
import { startGate, TOKEN } from "../given/gate.mjs";
import { machine, median, scratchFolder } from "../given/measure.mjs";
import { load, requireWrk } from "../given/wrk.mjs";

const MINUTES = Number(process.env.BENCH_MINUTES ?? 10);
const SLICE_SECONDS = 15;
const MAX_MB = 260;
/** Between the medians of the second quarter and the last one: what is still growing after warming up. */
const MAX_GROWTH = 1.1;

requireWrk();
const gate = await startGate(scratchFolder("soak"));
const slices = [];
for (let second = 0; second < MINUTES * 60; second += SLICE_SECONDS) {
  const { perSecond, failed, refused } = await load(gate.plain, { token: TOKEN, seconds: SLICE_SECONDS });
  if (failed + refused > 0) throw new Error(`${failed} failed, ${refused} were refused`);
  slices.push({ perSecond, mb: residentMb(gate.pid) });
}
const quarter = Math.floor(slices.length / 4);
const early = median(slices.slice(quarter, 2 * quarter).map(({ mb }) => mb));
const late = median(slices.slice(-quarter).map(({ mb }) => mb));
const peak = Math.max(...slices.map(({ mb }) => mb));
console.log(`\nSoak of ${MINUTES} minutes\n${new Date().toISOString().slice(0, 10)}, ${machine()}\n`);
console.log(`deliveries/s: ${slices.map(({ perSecond }) => Math.round(perSecond)).join(", ")}`);
console.log(`resident MB:  ${slices.map(({ mb }) => Math.round(mb)).join(", ")}`);
const small = peak <= MAX_MB;
const flat = late <= early * MAX_GROWTH;
console.log(`peak ${Math.round(peak)} MB (goal <= ${MAX_MB}) ${small ? "met" : "MISSED"}`);
console.log(
  `growth ${(late / early).toFixed(2)}x from the second quarter to the last (goal <= ${MAX_GROWTH}) ${flat ? "met" : "MISSED"}`,
);
process.exit(small && flat ? 0 : 1);

function residentMb(pid) {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}
