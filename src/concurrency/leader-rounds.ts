import type { Leadership } from "./leadership.ts";
import { type Wakeable, type WakeableOptions, wakeable } from "./wakeable.ts";

/** Rounds of work that the leading server does: another one rests until it leads. */
export function leaderRounds(
  { isLeader, onLeading }: Leadership,
  { round, onError }: WakeableOptions,
): Wakeable {
  const rounds = wakeable({ round: async () => (isLeader() ? round() : undefined), onError });
  onLeading(rounds.wake);
  return rounds;
}
