/** What ends a server's parts, in the order in which they were started. A part that is added last is ended first. */
export type Stops = (() => Promise<void> | void)[];

/** Releases all, also when something of it fails. @throws what failed first */
export async function releaseAll(stops: Stops): Promise<void> {
  const failures: unknown[] = [];
  for (let release = stops.pop(); release; release = stops.pop()) {
    try {
      await release();
    } catch (error) {
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
