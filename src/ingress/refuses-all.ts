import { HOUR_MS } from "../time/duration.ts";
import type { Delivery } from "./delivery.ts";

/** The newest deliveries of a webhook that the rule looks at. */
export const REFUSED_IN_A_ROW = 20;

/**
 * Whether a webhook refuses everything: its newest 20 deliveries came within the last hour, and not one of them was let in.
 * @param latest the newest first; more than 20 make no difference
 */
export function refusesAll(latest: readonly Pick<Delivery, "outcome" | "time">[], now: Date): boolean {
  const newest = latest.slice(0, REFUSED_IN_A_ROW);
  const since = now.getTime() - HOUR_MS;
  return (
    newest.length === REFUSED_IN_A_ROW &&
    newest.every(({ outcome, time }) => outcome.startsWith("Rejected") && Date.parse(time) >= since)
  );
}
