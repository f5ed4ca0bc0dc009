import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "./folder.ts";

const PRELOADED = fileURLToPath(new URL("./shifted-clock.cjs", import.meta.url));

/** A clock that somebody sets while a server runs by it. */
export interface Clock {
  /** What the server is started with. */
  env: Record<string, string>;
  /** Moves the clock to so many milliseconds from the true time. */
  set(shift: number): void;
}

export function movableClock(): Clock {
  const file = join(temporaryFolder("millrace-clock"), "shift");
  const clock = {
    env: { NODE_OPTIONS: `--require ${PRELOADED}`, CLOCK_SHIFT_FILE: file },
    set(shift: number) {
      // The file is replaced as a whole, so that nobody reads half a number.
      writeFileSync(`${file}.new`, String(shift));
      renameSync(`${file}.new`, file);
    },
  };
  clock.set(0);
  return clock;
}
