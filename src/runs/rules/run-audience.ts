import type { RunTurn } from "./agent-report.ts";

/** For how many services a run may have tokens: each is in its timeline. */
export const MAX_AUDIENCES = 50;
/** Of the name of one, in characters. */
export const MAX_AUDIENCE = 200;

/** Why the agent of a run gets no token: its turn is over or is to end, or it has had some for too many services. */
export type AudienceOutcome = "noted" | "not running" | "too many";

/** Keeps for whom the agents of runs have got tokens. */
export interface AudienceStore {
  /** Writes into the timeline of a run that its agent gets tokens for an audience, once for each. */
  noteAudience(turn: RunTurn, audience: string, at: string): Promise<AudienceOutcome>;
}
