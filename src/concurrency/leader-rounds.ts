import type { Leadership } from "./leadership.ts";
import { type Wakeable, type WakeableOptions, wakeable } from "./wakeable.ts";

/** A leader that is not sure of it for a moment, because the store answers slowly, is not told when it is again. */
const NOT_LEADING_MS = 5_000;

/** Rounds of work that the leading server does: another one looks now and then whether it leads. */
export function leaderRounds(
  { isLeader, onLeading }: Leadership,
  { round, onError }: WakeableOptions,
): Wakeable {
  const rounds = wakeable({ round: async () => (isLeader() ? round() : NOT_LEADING_MS), onError });
  const forget = onLeading(rounds.wake);
  return {
    wake: rounds.wake,
    async stop() {
      forget();
      await rounds.stop();
    },
  };
}
