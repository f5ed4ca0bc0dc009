import { type ConnectedWorker, isFree, SERVER_HOME } from "./placement.ts";

/** A worker that is there takes a turn within this time. */
const TAKEN_WITHIN_MS = 3_000;

/** How the worker stands that has the workspace of a run, for which the run waits. */
export interface HomeLoad {
  /** free: it is connected and has room, but has not taken the turn. */
  stands: "away" | "busy" | "free";
  /** The instant after which any other worker takes the run. */
  until: string;
}

/**
 * Why a later turn is left to the worker that has the workspace of its run, by the same rule by which turns are claimed.
 * @returns nothing for a turn that somebody takes now
 */
export function homeLoad(
  { home, turnAskedAt }: { home: string | null; turnAskedAt: string | null },
  workers: readonly ConnectedWorker[],
  { waitMs, at }: { waitMs: number; at: Date },
): HomeLoad | undefined {
  if (home === null || home === SERVER_HOME || turnAskedAt === null) return undefined;
  const until = new Date(Date.parse(turnAskedAt) + waitMs);
  if (until < at) return undefined;
  const own = workers.filter((worker) => worker.home === home);
  const isThere = own.some(isFree);
  // One that has been killed counts as connected for a minute.
  if (isThere && at.getTime() - Date.parse(turnAskedAt) < TAKEN_WITHIN_MS) return undefined;
  const stands = isThere ? "free" : own.length > 0 ? "busy" : "away";
  return { stands, until: until.toISOString() };
}
