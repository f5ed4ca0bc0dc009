import type { Config } from "./config.ts";
import { period } from "./values.ts";

/** The delivery log holds at least so much (spec, Limits). */
const SHORTEST_LOG = "7d";

/** How long deliveries stay in the log, in milliseconds. @throws Error that says what was expected */
export function logRetentionMs({ deliveries = SHORTEST_LOG }: Config["retention"]): number {
  const keep = period(deliveries);
  if (keep < period(SHORTEST_LOG)) throw new Error(`expected ${SHORTEST_LOG} or longer, found ${deliveries}`);
  return keep;
}
