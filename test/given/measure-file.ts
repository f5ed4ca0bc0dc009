import { afterAll, beforeAll } from "vitest";

/** What the process of the tests did so far, in milliseconds. */
interface Counters {
  /** How many servers are starting now. */
  starting: number;
  /** Since when one is. */
  since: Usage;
  /** How long any was. */
  started: Usage;
}

interface Usage {
  wall: number;
  cpu: number;
}

declare module "vitest" {
  interface TaskMeta {
    /** How the time of a file's tests was spent: scripts/test-summary.mjs prints it. */
    spent?: { start: number; work: number };
  }
}

/** Set-up files are evaluated for each test file, so what they share is not in a module. */
const COUNTERS = Symbol.for("millrace.test-counters");
const shared = globalThis as unknown as Record<symbol, Counters | undefined>;
shared[COUNTERS] ??= { starting: 0, since: usage(), started: { wall: 0, cpu: 0 } };
const counters = shared[COUNTERS];

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { wall: performance.now(), cpu: (user + system) / 1_000 };
}

function difference(later: Usage, earlier: Usage): Usage {
  return { wall: later.wall - earlier.wall, cpu: later.cpu - earlier.cpu };
}

/** Counts the time until a server has started. Several that start together are counted once. */
export async function measureStart<Started>(start: () => Promise<Started>): Promise<Started> {
  if (counters.starting++ === 0) counters.since = usage();
  try {
    return await start();
  } finally {
    if (--counters.starting === 0) {
      const { wall, cpu } = difference(usage(), counters.since);
      counters.started = { wall: counters.started.wall + wall, cpu: counters.started.cpu + cpu };
    }
  }
}

const before = { process: usage(), started: counters.started };
beforeAll(() => {
  Object.assign(before, { process: usage(), started: counters.started });
});
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern, and there are none.
afterAll(({}, suite) => {
  const started = difference(counters.started, before.started);
  const all = difference(usage(), before.process);
  suite.meta.spent = { start: started.wall, work: all.cpu - started.cpu };
});
