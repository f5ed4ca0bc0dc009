import type { Migration } from "../sqlite/database.ts";
import { EVENTS } from "./events.ts";
import { FACTORIES } from "./factories.ts";
import { RUN_LISTS } from "./run-lists.ts";
import { RUNS } from "./runs.ts";
import { STEPS } from "./steps.ts";
import { STEPS_FROM_0_1_0 } from "./steps-from-0.1.0.ts";
import { WAITING_RUNS } from "./waiting-runs.ts";

/** How a database gets its tables. */
export interface Schema {
  /** Makes a new database as it is after the steps that are recorded with it. */
  sql: string;
  recorded: readonly Pick<Migration, "name" | "serversMustKnow">[];
  /** Brings a database up to date that an earlier version has made, in order. */
  steps: readonly Migration[];
}

/** What version 0.1.0 had applied: no released version has left a store without one of these. */
const IN_0_1_0 = [
  "001-secrets",
  "002-factories",
  "003-runs",
  "004-deliveries",
  "005-principals",
  "006-ingress",
  "007-run-api",
  "008-agents",
  "009-audit",
  "010-turns",
  "011-schedule-firings",
  "012-run-caps",
  "013-delivery-events",
  "014-transcripts-apart",
  "015-revisions",
  "016-feedback",
  "017-sessions",
  "018-run-indexes",
  "019-pauses",
  "020-secret-scopes",
  "021-run-usage",
  "022-public-client-fields",
  "023-pull-request-authors",
  "024-pull-request-authors-age",
  "025-bound-names",
  "026-setting-scopes",
  "027-audit-repeats",
  "028-kept-uids",
  "029-listed-runs",
  "030-conversations",
  "031-delivery-filters",
].map((name) => ({ name }));

/** The schema of a store, in the types of SQLite. */
export const SCHEMA: Schema = {
  sql: FACTORIES + RUNS + RUN_LISTS + WAITING_RUNS + EVENTS,
  recorded: [...IN_0_1_0, ...STEPS_FROM_0_1_0, ...STEPS],
  steps: [...STEPS_FROM_0_1_0, ...STEPS],
};
