import type { FactoryStore, RevisionRecord } from "../../reconcile/factory.ts";
import type { Database } from "../sqlite/database.ts";

type RevisionRow = Omit<RevisionRecord, "changes" | "problems" | "principal"> & {
  changes: string;
  problems: string;
  principal: string | null;
};

const COLUMNS = "id, revision, author, message, outcome, changes, problems, reason, principal, at";

/** The history of a factory: every attempt to bring a revision into force. */
export function revisionLists(db: Database): Pick<FactoryStore, "listRevisions" | "findAttempts"> {
  return {
    async listRevisions(factoryUid, { before, limit }) {
      const rows = await db.all<RevisionRow>(
        `SELECT ${COLUMNS} FROM revisions WHERE factory_uid = $1 AND id < $2 ORDER BY id DESC LIMIT $3`,
        [factoryUid, before ?? "~", limit],
      );
      return rows.map(toRevision);
    },
    async findAttempts(factoryUid, prefix, limit) {
      const rows = await db.all<RevisionRow>(
        `SELECT ${COLUMNS} FROM revisions WHERE id IN (
           SELECT MAX(id) FROM revisions
           WHERE factory_uid = $1 AND revision >= $2 AND revision < $3 GROUP BY revision, outcome)
         ORDER BY id DESC LIMIT $4`,
        [factoryUid, prefix, `${prefix}~`, limit],
      );
      return rows.map(toRevision);
    },
  };
}

function toRevision(row: RevisionRow): RevisionRecord {
  return {
    ...row,
    changes: JSON.parse(row.changes),
    problems: JSON.parse(row.problems),
    principal: row.principal === null ? null : JSON.parse(row.principal),
  };
}
