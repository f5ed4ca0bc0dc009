import type { Problem } from "../definitions/problem.ts";
import type { Principal } from "../principals/principal.ts";
import type { ActiveDefinition } from "./active-definition.ts";

/** How a reconcile pass ended, which also says when to come back. */
export type Outcome =
  /** Nothing new: come back at the next poll. */
  | { kind: "unchanged" }
  /** A new revision is in force. */
  | { kind: "applied"; active: ActiveDefinition }
  /** The revision is not valid; the last one stays in force. A person must act, so there is nothing to repeat. */
  | { kind: "refused"; problems: Problem[] }
  /** The source could not be read, or something else broke before a result: ask again, later each time. */
  | { kind: "unreadable"; problems: Problem[] };

/** Something else has come into force since it was planned, so it has to be planned again. */
export type Moved = "moved";

/** Why a pass is made, from the one that looks least hard to the one that looks hardest. */
export const REASONS = [
  "poll",
  /** The folder has changed. */
  "change",
  /** The forge says that the branch has changed. */
  "hook",
  /** A secret was set or deleted that an attempt had missed, or that the definition in force names. */
  "secret",
  /** The server started: what is stored may have been resolved by an older version. */
  "start",
  /** Nothing was looked at for a while: what was attempted and not applied is tried again. */
  "resume",
  /** Somebody asked: what was attempted and not applied is tried again, and a folder is always read anew. */
  "sync",
  /** Somebody asked for an earlier revision. */
  "rollback",
  /** Somebody has changed the definition here, in a repository that millrace keeps. */
  "edit",
] as const;
export type Reason = (typeof REASONS)[number];

/** What came with the question, beside its reason. */
export interface Request {
  /** Who asked, where it was somebody. */
  principal?: Principal;
  /** The revisions whose deletions are meant (the prune guard), by the first characters of their hashes; "" is any. */
  allowsDeletes?: readonly string[];
}
