import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { FactoryDeletionStore } from "../../reconcile/factory.ts";
import { MOVES } from "../../runs/rules/state.ts";
import { recordChange } from "../changes/change-store.ts";
import { moveRuns } from "../runs/run-moves.ts";
import { dropWaits, tellWaiting } from "../runs/run-waits.ts";
import type { Database } from "../sqlite/database.ts";
import { countChange } from "./factory-row.ts";
import { forgetObjects } from "./git-object-store.ts";
import { forgetFiles } from "./stored-definitions.ts";

interface ResourceRow extends Omit<StoredResource, "deleted"> {
  kind: StoredResource["kind"];
}

const WORKING = "('CLAIMED', 'INPROGRESS')";

export function factoryDeletionStore(db: Database): FactoryDeletionStore {
  async function count(sql: string, factoryUid: string): Promise<number> {
    return (
      (await db.first<{ count: number }>(`SELECT COUNT(*) AS count FROM ${sql}`, [factoryUid]))?.count ?? 0
    );
  }
  return {
    async findContents(factoryUid) {
      const rows = await db.all<ResourceRow>(
        `SELECT uid, kind, name, path, body, fingerprint, created_at AS "createdAt", updated_at AS "updatedAt"
         FROM resources WHERE factory_uid = $1 AND deleted_at IS NULL ORDER BY kind, name`,
        [factoryUid],
      );
      const live = rows.map((row): StoredResource => ({ ...row, deleted: false }));
      return {
        webhooks: live.filter(({ kind }) => kind === "webhook"),
        automations: live.filter(({ kind }) => kind === "automation"),
        waitingRuns: await count("runs WHERE factory_uid = $1 AND state = 'QUEUED'", factoryUid),
        workingRuns: await count(`runs WHERE factory_uid = $1 AND state IN ${WORKING}`, factoryUid),
        schedules: await count("schedules WHERE factory_uid = $1", factoryUid),
      };
    },
    async remove(factoryUid, at) {
      if (!(await db.first("SELECT uid FROM factories WHERE uid = $1", [factoryUid]))) return undefined;
      const set = "cancel_requested_at = $1, finished_at = $1";
      // Those that wait for other runs have no worker that would end them.
      const waiting = await moveRuns(
        db,
        MOVES.cancel,
        {
          set,
          where: "factory_uid = $2 AND lease_expires_at IS NULL AND state <> 'BLOCKED'",
          values: [factoryUid],
        },
        at,
      );
      for (const { run_id } of waiting) await dropWaits(db, run_id);
      for (const { run_id } of waiting) await tellWaiting(db, run_id, at);
      const working = await db.all<{ run_id: string }>(
        `UPDATE runs SET cancel_requested_at = COALESCE(cancel_requested_at, $1)
         WHERE factory_uid = $2 AND state IN ${WORKING} RETURNING run_id`,
        [at, factoryUid],
      );
      // Senders go on sending to the URLs of what is deleted: no other webhook gets their uids.
      await db.run(
        `INSERT INTO deleted_webhooks (uid, factory_uid, deleted_at)
         SELECT uid, factory_uid, $1 FROM resources WHERE factory_uid = $2 AND kind = 'webhook' ON CONFLICT DO NOTHING`,
        [at, factoryUid],
      );
      await forgetFiles(db, factoryUid);
      await forgetObjects(db, factoryUid);
      const ofIt = "(SELECT uid FROM resources WHERE factory_uid = $1)";
      await db.run(
        "UPDATE runs SET task_uid = NULL WHERE task_uid IN (SELECT uid FROM tasks WHERE factory_uid = $1)",
        [factoryUid],
      );
      for (const part of [
        `webhook_credentials WHERE webhook_uid IN ${ofIt}`,
        "pauses WHERE factory_uid = $1",
        "notifications WHERE factory_uid = $1",
        "notifications WHERE owner_uid = $1",
        `notification_series WHERE kind IN ('run', 'webhook') AND subject IN ${ofIt}`,
        "notification_series WHERE kind = 'run' AND subject IN (SELECT schedule_id FROM schedules WHERE factory_uid = $1)",
        // Of runs without either, as `UID/AGENT`; targets are `UID.NAME`.
        "notification_series WHERE kind = 'run' AND subject >= $1 || '/' AND subject < $1 || '0'",
        "outbound_messages WHERE factory_uid = $1",
        "outbound_messages WHERE owner_uid = $1",
        "outbound_targets WHERE target >= $1 || '.' AND target < $1 || '/'",
        "notification_targets WHERE target >= $1 || '.' AND target < $1 || '/'",
        "spend WHERE owner_uid = $1",
        `spend WHERE owner_uid IN ${ofIt}`,
        "used_up_days WHERE owner_uid = $1",
        `used_up_days WHERE owner_uid IN ${ofIt}`,
        "schedules WHERE factory_uid = $1",
        "trigger_listeners WHERE factory_uid = $1",
        "pull_request_authors WHERE factory_uid = $1",
        "pull_request_events WHERE factory_uid = $1",
        // Scopes of what the settings keep stay: without them it would be the only remaining factory's at the next start.
        "secret_scopes WHERE factory_uid = $1 AND name IN (SELECT name FROM secrets)",
        "revisions WHERE factory_uid = $1",
        "resources WHERE factory_uid = $1",
        "task_events WHERE task_uid IN (SELECT uid FROM tasks WHERE factory_uid = $1)",
        "tasks WHERE factory_uid = $1",
        "factories WHERE uid = $1",
      ]) {
        await db.run(`DELETE FROM ${part}`, [factoryUid]);
      }
      await countChange(db);
      const subject = { kind: "factory" as const, subject: factoryUid, factoryUid };
      await recordChange(db, { ...subject, webhookUid: null, status: "deleted", at });
      return { runs: [...waiting, ...working].map(({ run_id }) => run_id) };
    },
  };
}
