import type { Ticket } from "../runs/run.ts";

/** How workers have dealt with the turns that they were given. */
export interface FallenClaims {
  /** Notes turns that somebody was given. @param home whose workspaces they would be in */
  give(home: string, turns: readonly Ticket[]): void;
  /** Notes that the agent of a turn was started, or that the turn has ended: its worker does what it claims. */
  begin(turn: Ticket): void;
  /** Notes that the lease of a turn is over. @returns who has let fall turns again and again, and gets none for so long */
  lose(turn: Ticket): { home: string; forMs: number } | undefined;
  /** The ticket of the turn of a run that was given last, and has not begun. */
  findGiven(runId: string): number | undefined;
  /** How many turns somebody may be given now. */
  roomFor(home: string): number;
}

const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 10 * 60_000;
/** Whoever has a token can name any number of data folders. */
const MAX_HOMES = 10_000;

/**
 * Remembers who claims turns and lets them fall back. After a first one, whoever does so gets a single turn at a time until an
 * agent has started; after each further one, none for a while that doubles. So the runs are left to others in between, and a
 * worker that has been repaired gets turns again without anybody's help.
 * @param clock milliseconds
 */
export function createFallenClaims(clock: () => number = () => performance.now()): FallenClaims {
  const given = new Map<string, { home: string; ticket: number }>();
  const fallen = new Map<string, { count: number; until: number }>();

  const take = ({ id, ticket }: Ticket) => {
    const known = given.get(id);
    if (known?.ticket !== ticket) return undefined;
    given.delete(id);
    return known.home;
  };

  return {
    give(home, turns) {
      for (const { id, ticket } of turns) given.set(id, { home, ticket });
    },
    begin(turn) {
      const home = take(turn);
      if (home !== undefined) fallen.delete(home);
    },
    lose(turn) {
      const home = take(turn);
      if (home === undefined) return undefined;
      const count = (fallen.get(home)?.count ?? 0) + 1;
      const forMs = count === 1 ? 0 : Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(count - 2, 20));
      fallen.delete(home);
      fallen.set(home, { count, until: clock() + forMs });
      const [oldest] = fallen.keys();
      if (fallen.size > MAX_HOMES && oldest !== undefined) fallen.delete(oldest);
      return forMs === 0 ? undefined : { home, forMs };
    },
    findGiven: (runId) => given.get(runId)?.ticket,
    roomFor(home) {
      const known = fallen.get(home);
      if (!known) return Number.POSITIVE_INFINITY;
      if (clock() < known.until) return 0;
      return [...given.values()].some((each) => each.home === home) ? 0 : 1;
    },
  };
}
