import type { Problem } from "../definitions/problem.ts";
import type { ServedDefinition } from "./served.ts";

/** How a reconcile pass ended, which also says when to come back. */
export type Outcome =
  /** Nothing new: come back at the next poll. */
  | { kind: "unchanged" }
  /** A new revision is in force. */
  | { kind: "applied"; served: ServedDefinition }
  /** The revision is not valid; the last one stays in force. A person must act, so there is nothing to repeat. */
  | { kind: "refused"; problems: Problem[] }
  /** The source could not be read, or something else broke before a result: ask again, later each time. */
  | { kind: "unreadable"; problems: Problem[] };

/** Why a pass is made. */
export type Reason =
  /** The server started: what is stored may have been resolved by an older version. */
  | "start"
  | "poll"
  /** The folder changed, or the git host said that the branch did. */
  | "change"
  /** Somebody asked: what was attempted and not applied is tried again, and a folder is always read anew. */
  | "sync"
  /** A secret was set that an attempt had missed. */
  | "secret";
