import type {
  Disposition,
  DispositionKind,
  RunDelivery,
  RunKeyStore,
  WaitedFor,
} from "../../runs/rules/run-key.ts";
import { EVENT_PAYLOAD, joinedPayloadName } from "../../runs/rules/workspace-names.ts";
import type { StartingDelivery } from "../runs/run-row.ts";
import type { Database } from "../sqlite/database.ts";

/** What a delivery is to a run. */
export interface GivenDelivery {
  delivery: StartingDelivery;
  automationUid: string | null;
  kind: DispositionKind;
  key: string | null;
  replaced?: readonly string[];
  waitedFor?: WaitedFor | null;
}

interface RunDeliveryRow<Kind = RunDelivery["kind"]> {
  run_id: string;
  delivery_id: string;
  position: number;
  automation_uid: string | null;
  kind: Kind;
  key: string | null;
  lacks_key: number;
  replaced: string | null;
  waited_for: WaitedFor | null;
  at: string;
  is_held: number;
}

/** The window of a later turn holds only what continues the run: the deliveries of its first turn have started it. */
const COLUMNS = `d.run_id, d.delivery_id, d.position, d.automation_uid, d.kind, d.key, d.lacks_key, d.replaced,
  d.waited_for, d.at, r.held_until IS NOT NULL AND (r.turn = 1 OR d.kind = 'continued') AS is_held`;

/** The deliveries of runs whose automations have a key or a window. */
export function runDeliveries(
  db: Database,
): Pick<RunKeyStore, "listRunDeliveries" | "findRunDelivery" | "listDispositions"> {
  return {
    async listRunDeliveries(runId, { after, limit }) {
      const rows = await db.all<RunDeliveryRow>(
        `SELECT ${COLUMNS} FROM run_deliveries d JOIN runs r ON r.run_id = d.run_id
         WHERE d.run_id = $1 AND d.position > $2 ORDER BY d.position LIMIT $3`,
        [runId, after, limit],
      );
      return rows.map(toRunDelivery);
    },
    async findRunDelivery(runId, deliveryId) {
      const row = await db.first<RunDeliveryRow>(
        `SELECT ${COLUMNS} FROM run_deliveries d JOIN runs r ON r.run_id = d.run_id
         WHERE d.delivery_id = $1 AND d.run_id = $2`,
        [deliveryId, runId],
      );
      return row && toRunDelivery(row);
    },
    async listDispositions(deliveryId): Promise<Disposition[]> {
      const rows = await db.all<RunDeliveryRow<DispositionKind>>(
        `SELECT ${COLUMNS} FROM run_deliveries d JOIN runs r ON r.run_id = d.run_id
         WHERE d.delivery_id = $1 AND d.kind <> 'repeated' ORDER BY d.run_id`,
        [deliveryId],
      );
      return rows.map((row) => ({ ...toRunDelivery(row), kind: row.kind }));
    },
  };
}

/** How many deliveries a run has, and the bytes of their bodies. */
export async function findGiven(
  db: Database,
  runId: string,
): Promise<{ position: number; total_size: number }> {
  const last = await db.first<{ position: number; total_size: number }>(
    "SELECT position, total_size FROM run_deliveries WHERE run_id = $1 ORDER BY position DESC LIMIT 1",
    [runId],
  );
  return last ?? { position: 0, total_size: 0 };
}

/** Records the delivery that starts a run. */
export async function recordFirst(
  db: Database,
  runId: string,
  given: GivenDelivery,
  at: string,
): Promise<void> {
  await insert(db, runId, given, { position: 1, total_size: given.delivery.size }, at);
}

/** Gives a run one more delivery: the newest one is `event-payload.json`, and all of them are in `event-payloads/`. */
export async function recordNext(
  db: Database,
  runId: string,
  given: GivenDelivery,
  at: string,
): Promise<void> {
  const { delivery } = given;
  const last = await findGiven(db, runId);
  if (last.position === 1) await listFirst(db, runId);
  const place = { position: last.position + 1, total_size: last.total_size + delivery.size };
  await insert(db, runId, given, place, at);
  await db.run(
    `INSERT INTO run_attachments (run_id, name, mime_type, size, content, delivery_id) VALUES ($1, $2, 'application/json', $3, NULL, $4)`,
    [runId, joinedPayloadName(place.position, delivery.id), delivery.size, delivery.id],
  );
  await db.run(
    `INSERT INTO run_attachments (run_id, name, mime_type, size, content, delivery_id)
     VALUES ($1, '${EVENT_PAYLOAD}', 'application/json', $2, NULL, $3)
     ON CONFLICT (run_id, name) DO UPDATE SET size = excluded.size, content = NULL, delivery_id = excluded.delivery_id`,
    [runId, delivery.size, delivery.id],
  );
}

/** As long as a run has one delivery, that is in no folder. */
async function listFirst(db: Database, runId: string): Promise<void> {
  const first = await db.first<{ delivery_id: string }>(
    "SELECT delivery_id FROM run_deliveries WHERE run_id = $1 AND position = 1",
    [runId],
  );
  await db.run(
    `INSERT INTO run_attachments (run_id, name, mime_type, size, content, delivery_id)
     SELECT run_id, $1, mime_type, size, content, delivery_id FROM run_attachments WHERE run_id = $2 AND name = '${EVENT_PAYLOAD}'`,
    [joinedPayloadName(1, first?.delivery_id ?? ""), runId],
  );
}

async function insert(
  db: Database,
  runId: string,
  { delivery, automationUid, kind, key, replaced = [], waitedFor = null }: GivenDelivery,
  { position, total_size }: { position: number; total_size: number },
  at: string,
): Promise<void> {
  await db.run(
    `INSERT INTO run_deliveries
       (run_id, position, delivery_id, automation_uid, kind, key, lacks_key, replaced, waited_for, at, total_size)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      runId,
      position,
      delivery.id,
      automationUid,
      kind,
      key,
      key === null ? 1 : 0,
      replaced.length > 0 ? JSON.stringify(replaced) : null,
      waitedFor,
      at,
      total_size,
    ],
  );
}

function toRunDelivery(row: RunDeliveryRow): RunDelivery {
  return {
    runId: row.run_id,
    deliveryId: row.delivery_id,
    position: row.position,
    automationUid: row.automation_uid,
    kind: row.kind,
    key: row.key,
    lacksKey: row.lacks_key === 1,
    replaced: row.replaced === null ? [] : JSON.parse(row.replaced),
    waitedFor: row.waited_for,
    at: row.at,
    isHeld: row.is_held === 1,
  };
}
