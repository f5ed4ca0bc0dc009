/** The clock of a database, between the answers that it gives. */
export interface DatabaseClock {
  now(): Date;
  /**
   * Takes in what the database has answered.
   * @param databaseMs its time, in milliseconds since 1970
   * @param askedAt when it was asked, and heard, on the clock of `performance`
   */
  hear(databaseMs: number, askedAt: number, heardAt: number): void;
}

/** A measurement of before, with however short a way, is replaced after so long: clocks drift. */
const GOOD_FOR_MS = 10_000;

interface Measurement {
  /** The time of the database less that of `performance`, in milliseconds. */
  offset: number;
  /** How long the answer took; half of it is how wrong the measurement can be. */
  wayMs: number;
  at: number;
}

/**
 * One clock for all servers of a database, whose own clocks differ: what one has leased, another one takes for lost at the right
 * moment. It does not notice when the clock of this machine is set.
 */
export function databaseClock(): DatabaseClock {
  let measured: Measurement | undefined;
  return {
    now: () => new Date(measured ? performance.now() + measured.offset : Date.now()),
    hear(databaseMs, askedAt, heardAt) {
      const wayMs = heardAt - askedAt;
      if (measured && wayMs > 2 * measured.wayMs && heardAt - measured.at < GOOD_FOR_MS) return;
      measured = { offset: databaseMs - (askedAt + wayMs / 2), wayMs, at: heardAt };
    },
  };
}
