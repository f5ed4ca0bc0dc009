// Given to the server by `--require`: every clock of the process, also those of its threads, tells a time that is as many
// milliseconds from the true one as the file CLOCK_SHIFT_FILE says. Nobody else's clock is touched.
"use strict";
const { readFileSync } = require("node:fs");

const file = process.env.CLOCK_SHIFT_FILE;
const RealDate = Date;
let shift = 0;
let readAt = Number.NEGATIVE_INFINITY;

function now() {
  if (performance.now() - readAt > 5) {
    readAt = performance.now();
    try {
      shift = Number(readFileSync(file, "utf8")) || 0;
    } catch {
      // The file is being replaced: the shift stays for a moment.
    }
  }
  return RealDate.now() + shift;
}

// A process notes the time when it starts.
Object.defineProperty(performance, "timeOrigin", { value: performance.timeOrigin + now() - RealDate.now() });

globalThis.Date = class ShiftedDate extends RealDate {
  constructor(...parts) {
    super(...(parts.length === 0 ? [now()] : parts));
  }
  static now() {
    return now();
  }
};
