/** The ended runs that a rate is made of. */
export const RATED_RUNS = 50;

/** The share of the runs that succeeded or failed which succeeded; null without any. A cancelled run says nothing of its agent. */
export function successRate({ succeeded, failed }: { succeeded: number; failed: number }): number | null {
  return succeeded + failed === 0 ? null : succeeded / (succeeded + failed);
}
