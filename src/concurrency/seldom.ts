/** Gets what is costly to find out. */
export type Seldom = <Found>(key: string, find: () => Promise<Found>) => Promise<Found>;

/**
 * Finds out what is costly for many who ask at a time, and again only after a rest that is so many times as long as that took: then
 * it is done in a small part of the time, however many ask.
 */
export function seldom(restFactor: number, now: () => Date): Seldom {
  const known = new Map<string, { until: number; found: Promise<unknown> }>();
  return <Found>(key: string, find: () => Promise<Found>): Promise<Found> => {
    const before = known.get(key);
    if (before && now().getTime() < before.until) return before.found as Promise<Found>;
    for (const [old, { until }] of known) if (until <= now().getTime()) known.delete(old);
    const began = performance.now();
    const found = find();
    const entry = { until: Number.POSITIVE_INFINITY, found };
    known.set(key, entry);
    const rest = () => {
      entry.until = now().getTime() + restFactor * (performance.now() - began);
    };
    found.then(rest, () => known.delete(key));
    return found;
  };
}
