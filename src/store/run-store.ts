import { newUuid } from "../id.ts";
import type { Attachment, Claim, NewRun, OutputChunk, Run, RunPage, RunStore } from "../runs/run.ts";
import { type Database, placeholders, type SqlValue } from "./database.ts";
import { RUN_COLUMNS, type RunRow, toRun } from "./run-row.ts";

export function runStore(db: Database): RunStore {
  const find = async (id: string) => {
    const row = await db.first<RunRow>(`SELECT ${RUN_COLUMNS} FROM runs WHERE run_id = $1`, [id]);
    return row && toRun(row);
  };

  return {
    async create(run, at) {
      await insertRun(db, run, null, at);
      const created = await find(run.id);
      if (!created) throw new Error("the run that was just made is not there");
      return created;
    },
    find,
    async list(page) {
      const { where, values } = pageConditions(page);
      const rows = await db.all<RunRow>(
        `SELECT ${RUN_COLUMNS} FROM runs ${where} ORDER BY updated_at DESC, run_id DESC LIMIT $${values.length + 1}`,
        [...values, page.limit],
      );
      return rows.map(toRun);
    },
    async findByToken(tokenHash) {
      const row = await db.first<RunRow>(
        `SELECT ${RUN_COLUMNS} FROM runs WHERE state IN ('CLAIMED', 'INPROGRESS') AND token_hash = $1`,
        [tokenHash],
      );
      return row && toRun(row);
    },
    async claim(limit, at) {
      const rows = await db.all<RunRow>(
        `UPDATE runs SET state = 'CLAIMED', ticket = ticket + 1, updated_at = $1
         WHERE run_id IN (SELECT run_id FROM runs WHERE state = 'QUEUED' ORDER BY run_id LIMIT $2)
         RETURNING ${RUN_COLUMNS}`,
        [at, limit],
      );
      for (const row of rows) await insertEvent(db, row.run_id, "oz_run_claimed", at);
      const claims = rows.map((row): Claim => ({ run: toRun(row), ticket: row.ticket }));
      return claims.sort((a, b) => (a.run.id < b.run.id ? -1 : 1));
    },
    async start({ id, ticket, sessionId, tokenHash }, at) {
      const started = await db.run(
        `UPDATE runs SET state = 'INPROGRESS', session_id = $1, token_hash = $2, started_at = $3, updated_at = $3
         WHERE run_id = $4 AND state = 'CLAIMED' AND ticket = $5`,
        [sessionId, tokenHash, at, id, ticket],
      );
      if (started > 0) await insertEvent(db, id, "agent_started", at);
      return started > 0;
    },
    async finish({ id, ticket }, { state, exitCode, statusMessage }, at) {
      const finished = await db.run(
        `UPDATE runs SET state = $1, exit_code = $2, status_message = $3, finished_at = $4, updated_at = $4, token_hash = NULL
         WHERE run_id = $5 AND state IN ('CLAIMED', 'INPROGRESS') AND ticket = $6`,
        [state, exitCode, statusMessage && JSON.stringify(statusMessage), at, id, ticket],
      );
      if (finished > 0) await insertEvent(db, id, END_EVENTS[state], at);
      return finished > 0;
    },
    async listStarted() {
      const rows = await db.all<{ run_id: string }>("SELECT run_id FROM runs WHERE state = 'INPROGRESS'");
      return rows.map(({ run_id }) => run_id);
    },
    async recoverLost(message, at) {
      await db.run("UPDATE runs SET state = 'QUEUED', updated_at = $1 WHERE state = 'CLAIMED'", [at]);
      const statusMessage = { message, error_code: "infrastructure_timeout", retryable: false };
      const lost = await db.all<{ run_id: string }>(
        `UPDATE runs SET state = 'ERROR', status_message = $1, finished_at = $2, updated_at = $2, token_hash = NULL
         WHERE state = 'INPROGRESS' RETURNING run_id`,
        [JSON.stringify(statusMessage), at],
      );
      for (const { run_id } of lost) await insertEvent(db, run_id, END_EVENTS.ERROR, at);
      return lost.map(({ run_id }) => run_id);
    },
    async appendOutput(runId, chunks) {
      for (const chunk of chunks) {
        await db.run(
          "INSERT INTO run_output (run_id, seq, turn, stream, at, bytes) VALUES ($1, $2, $3, $4, $5, $6)",
          [runId, chunk.seq, chunk.turn, chunk.stream, chunk.at, chunk.bytes],
        );
      }
    },
    listOutput: (runId, afterSeq, limit) =>
      db.all<OutputChunk>(
        "SELECT seq, turn, stream, at, bytes FROM run_output WHERE run_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
        [runId, afterSeq, limit],
      ),
    listAttachments: (runId) =>
      db.all<Attachment>(
        'SELECT name, mime_type AS "mimeType", size FROM run_attachments WHERE run_id = $1 ORDER BY name',
        [runId],
      ),
    findAttachment: (runId, name) =>
      db.first<Attachment & { content: Uint8Array }>(
        `SELECT a.name, a.mime_type AS "mimeType", a.size, COALESCE(a.content, d.payload) AS content
         FROM run_attachments a LEFT JOIN deliveries d ON d.delivery_id = a.delivery_id
         WHERE a.run_id = $1 AND a.name = $2`,
        [runId, name],
      ),
    async listCountsByState() {
      const rows = await db.all<{ state: Run["state"]; runs: number }>(
        "SELECT state, COUNT(*) AS runs FROM runs GROUP BY state",
      );
      return Object.fromEntries(rows.map(({ state, runs }) => [state, runs]));
    },
    async listIdsByDelivery(deliveryIds) {
      if (deliveryIds.length === 0) return {};
      const rows = await db.all<{ delivery_id: string; run_id: string }>(
        `SELECT delivery_id, run_id FROM runs
         WHERE delivery_id IN (${placeholders(deliveryIds.length)}) ORDER BY run_id`,
        deliveryIds,
      );
      const ids: Record<string, string[]> = Object.fromEntries(deliveryIds.map((id) => [id, []]));
      for (const row of rows) ids[row.delivery_id]?.push(row.run_id);
      return ids;
    },
  };
}

const END_EVENTS = {
  SUCCEEDED: "oz_run_done",
  FAILED: "oz_run_failed",
  ERROR: "oz_run_errored",
  CANCELLED: "oz_run_cancelled",
} as const;

/** Writes a run with its attachments. The delivery that starts it calls this inside its own transaction. */
export async function insertRun(
  db: Database,
  run: NewRun,
  delivery: { id: string; size: number } | null,
  at: string,
): Promise<void> {
  await db.run(
    `INSERT INTO runs (
       run_id, factory_uid, automation_uid, agent_uid, delivery_id, webhook_uid, title, prompt, source, creator,
       creator_uid, config, config_name, model_id, execution, metadata, state, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 'QUEUED', $17, $17)`,
    [
      run.id,
      run.factoryUid,
      run.automationUid,
      run.agentUid,
      delivery?.id ?? null,
      run.webhookUid,
      run.title,
      run.prompt,
      run.source,
      JSON.stringify(run.creator),
      run.creator.uid,
      JSON.stringify(run.config),
      run.config.name ?? null,
      run.config.model_id ?? null,
      JSON.stringify(run.execution),
      JSON.stringify(run.metadata),
      at,
    ],
  );
  for (const attachment of run.attachments) {
    const content = "content" in attachment ? attachment.content : null;
    await db.run(
      `INSERT INTO run_attachments (run_id, name, mime_type, size, content, delivery_id)
       VALUES ($1, $2, $3, $4, $5, $6)`,
      [
        run.id,
        attachment.name,
        attachment.mimeType,
        content?.length ?? delivery?.size ?? 0,
        content,
        content ? null : (delivery?.id ?? null),
      ],
    );
  }
  await insertEvent(db, run.id, "oz_run_created", at);
}

async function insertEvent(db: Database, runId: string, type: string, at: string): Promise<void> {
  await db.run(
    "INSERT INTO run_events (event_uuid, run_id, event_type, occurred_at) VALUES ($1, $2, $3, $4)",
    [newUuid(), runId, type, at],
  );
}

function pageConditions({ after, state, visibleTo }: RunPage): { where: string; values: SqlValue[] } {
  const conditions: string[] = [];
  const values: SqlValue[] = [];
  if (state) {
    conditions.push(`state IN (${placeholders(state.length, values.length)})`);
    values.push(...state);
  }
  if (visibleTo) {
    const { factories, principalUid } = visibleTo;
    const ofFactory =
      factories.length > 0 ? `factory_uid IN (${placeholders(factories.length, values.length)}) OR ` : "";
    values.push(...factories, principalUid);
    conditions.push(`(${ofFactory}(factory_uid IS NULL AND creator_uid = $${values.length}))`);
  }
  if (after) {
    values.push(after.updatedAt, after.id);
    const [at, id] = [`$${values.length - 1}`, `$${values.length}`];
    conditions.push(`(updated_at < ${at} OR (updated_at = ${at} AND run_id < ${id}))`);
  }
  return { where: conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "", values };
}
