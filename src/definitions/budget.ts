/** What runs may use; what is left out is without a limit. */
export interface RunLimits {
  /** In US dollars, for all turns of a run together. */
  usdPerRun?: number;
  /** Input and output, with what was read from a cache, for all turns of a run together. */
  tokensPerRun?: number;
}

/** The budget of a factory, an agent or an automation, as its file says. A day is the last 24 hours. */
export interface Budget extends RunLimits {
  /** In US dollars. */
  usdPerDay?: number;
  /** Runs that start for the first time. */
  runsPerDay?: number;
  /** What becomes of further runs while the day is used up; left out, they wait. */
  onExhausted?: "wait" | "skip";
}
