import type { Models } from "../../api/models.ts";

type Delivery = Pick<Models["Delivery"], "outcome" | "time">;

/** Traffic that is to be missed has had at least so many deliveries. */
const FEWEST_TO_MISS = 5;
/** A pause so many times as long as usual, and at least an hour, is silence. */
const UNUSUAL = 10;
const SHORTEST_SILENCE_MS = 3_600_000;

/** Since when a webhook is silent that used to have traffic; nothing when it is not. */
export function silence(latest: readonly Delivery[], now: number): string | undefined {
  const [newest] = latest;
  const oldest = latest.at(-1);
  if (latest.length < FEWEST_TO_MISS || !newest || !oldest) return undefined;
  const usual = (Date.parse(newest.time) - Date.parse(oldest.time)) / (latest.length - 1);
  const pause = now - Date.parse(newest.time);
  return pause > Math.max(UNUSUAL * usual, SHORTEST_SILENCE_MS) ? newest.time : undefined;
}
