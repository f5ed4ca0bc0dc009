import type { Problem } from "../../definitions/problem.ts";
import type { FactoryRecord } from "../../reconcile/factory.ts";

export interface FactoryRow {
  uid: string;
  source_key: string;
  name: string;
  mode: FactoryRecord["mode"];
  source: string;
  status: FactoryRecord["sync"]["status"];
  attempted_revision: string | null;
  attempted_at: string | null;
  applied_revision: string | null;
  applied_at: string | null;
  problems: string;
  created_at: string;
  suspended_at: string | null;
  generation: number;
}

/** The columns that a record is made of. */
export const FACTORY_COLUMNS = [
  "uid",
  "source_key",
  "name",
  "mode",
  "source",
  "status",
  "attempted_revision",
  "attempted_at",
  "applied_revision",
  "applied_at",
  "problems",
  "created_at",
  "suspended_at",
  "generation",
] as const satisfies readonly (keyof FactoryRow)[];

export function toFactory(row: FactoryRow): FactoryRecord {
  return {
    uid: row.uid,
    sourceKey: row.source_key,
    name: row.name,
    mode: row.mode,
    source: JSON.parse(row.source),
    sync: {
      status: row.suspended_at === null ? row.status : "suspended",
      attemptedRevision: row.attempted_revision,
      attemptedAt: row.attempted_at,
      appliedRevision: row.applied_revision,
      appliedAt: row.applied_at,
      problems: JSON.parse(row.problems) as Problem[],
    },
    createdAt: row.created_at,
    generation: row.generation,
  };
}
