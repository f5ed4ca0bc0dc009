import type { CommitSignal } from "../concurrency/rounds.ts";

/** A look that no one asked for: news can be lost, and hours and pauses end without any. */
const LOOK_EVERY_MS = 5_000;

/** Looks until there is something, the wait is over, or nobody waits any more. */
export async function lookUntil<Found>(
  news: CommitSignal,
  { waitMs }: { waitMs: number },
  gone: AbortSignal,
  look: () => Promise<Found>,
  isSomething: (found: Found) => boolean,
): Promise<Found> {
  const end = performance.now() + waitMs;
  for (;;) {
    const found = await look();
    const left = end - performance.now();
    if (isSomething(found) || left <= 0 || gone.aborted) return found;
    await news.next(Math.min(left, LOOK_EVERY_MS), gone);
  }
}
