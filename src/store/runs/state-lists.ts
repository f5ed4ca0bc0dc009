import { END_STATES, LEASED_STATES, type RunState, STARTED_STATES } from "../../runs/rules/state.ts";

const listOf = (states: readonly RunState[]) => states.map((state) => `'${state}'`).join(", ");

/** Lists of states as statements have them, for `state IN (…)`: those in which nothing of a run is left to do. */
export const ENDED = listOf(END_STATES);
/** Those in which a worker can have a run. */
export const LEASED = listOf(LEASED_STATES);
/** Those in which an agent can be alive. */
export const STARTED = listOf(STARTED_STATES);

/**
 * What is true of a row of `runs` while its agent works. An agent whose end was requested still works until it has ended:
 * what it reports then is kept, but it starts no runs and sends no messages (`MAY_ACT`).
 */
export const AT_WORK = `lease_expires_at IS NOT NULL AND state IN (${STARTED})`;
/** What is true of a row of `runs` while its agent may act on other runs. */
export const MAY_ACT = `${AT_WORK} AND cancel_requested_at IS NULL`;

/** The runs that somebody has, by the index of leases: to get them in the order of their ids, SQLite would read every run there is. */
export const LEASED_RUNS = "runs INDEXED BY runs_leased";
