import type { ChangeEvent, OutboundStore } from "../../messages/outbound-events.ts";
import type { EventBody, SentType } from "../../messages/outbox.ts";
import { ENDS_OR_BLOCKS, EVENT_OF_MOVE, nextChanges } from "../changes/change-store.ts";
import type { Database } from "../sqlite/database.ts";
import { outboxStore } from "./outbox-store.ts";
import { OUTBOUND_TABLES } from "./outbox-tables.ts";

export function outboundStore(db: Database): OutboundStore {
  return { ...outboxStore<SentType, EventBody>(db, OUTBOUND_TABLES), ...outboundEvents(db) };
}

/** What an event is found by, and what it says beside its resource. */
interface EventRow {
  id: string;
  seq: number;
  type: ChangeEvent["type"];
  at: string;
  factoryUid: string | null;
  subject: string;
  fromStage?: string | null;
  toStage?: string;
  revision?: string;
  limit?: string;
}

const CHANGE = `changes.seq, changes.at, changes.factory_uid AS "factoryUid", changes.subject`;
const RANGE = "changes.seq > $1 AND changes.seq <= $2";

const RUNS = `
  SELECT ${CHANGE}, event_uuid AS id,
    CASE changes.status WHEN 'QUEUED' THEN 'run.created' WHEN 'INPROGRESS' THEN 'run.started'
      WHEN 'BLOCKED' THEN 'run.blocked' ELSE 'run.ended' END AS type
  FROM changes
  ${EVENT_OF_MOVE}
  WHERE ${RANGE} AND changes.kind = 'run' AND (changes.status IN ('QUEUED', 'INPROGRESS') OR ${ENDS_OR_BLOCKS})`;

/** Applying the revision that was applied already, with changes, puts right what was stored. */
const DEFINITIONS = `
  SELECT ${CHANGE}, revisions.id, revisions.revision,
    CASE WHEN outcome <> 'applied' THEN 'definition.failed'
      WHEN revisions.changes <> '[]' AND revisions.revision = (
        SELECT revision FROM revisions AS earlier
        WHERE earlier.factory_uid = revisions.factory_uid AND earlier.id < revisions.id AND earlier.outcome = 'applied'
        ORDER BY earlier.id DESC LIMIT 1) THEN 'definition.drifted'
      ELSE 'definition.applied' END AS type
  FROM changes
  JOIN revisions ON revisions.factory_uid = changes.subject AND revisions.at = changes.at
  WHERE ${RANGE} AND changes.kind = 'factory' AND changes.status <> 'deleted'`;

/** An edit of a task is a change too, and has no event of its instant. */
const TASKS = `
  SELECT ${CHANGE}, 'task:' || task_events.seq AS id, 'task.moved' AS type, from_stage AS "fromStage",
    to_stage AS "toStage"
  FROM changes
  JOIN task_events ON task_events.task_uid = changes.subject AND to_stage = changes.status AND task_events.at = changes.at
  WHERE ${RANGE} AND changes.kind = 'task'`;

const REFUSALS = `
  SELECT ${CHANGE}, 'delivery:' || changes.subject AS id, 'delivery.refused' AS type
  FROM changes WHERE ${RANGE} AND changes.kind = 'delivery' AND changes.status LIKE 'Rejected%'`;

const BUDGETS = `
  SELECT ${CHANGE}, 'budget:' || changes.seq AS id, 'budget.reached' AS type, changes.status AS "limit"
  FROM changes WHERE ${RANGE} AND changes.kind = 'budget'`;

/** Reads the log of changes for what outbound webhooks tell of. */
function outboundEvents(db: Database): Pick<OutboundStore, "findEvents"> {
  return {
    async findEvents(after, limit) {
      const { from, upTo } = await nextChanges(db, after, limit);
      if (upTo === after) return { events: [], upTo };
      const rows: EventRow[] = [];
      for (const statement of [RUNS, DEFINITIONS, TASKS, REFUSALS, BUDGETS])
        rows.push(...(await db.all<EventRow>(statement, [from, upTo])));
      return { events: rows.sort((a, b) => a.seq - b.seq).map(toEvent), upTo };
    },
  };
}

function toEvent({ fromStage = null, toStage, revision, limit, ...event }: EventRow): ChangeEvent {
  if (toStage !== undefined) return { ...event, details: { from: fromStage, to: toStage } };
  if (revision !== undefined) return { ...event, details: { revision } };
  // What the budget is of is read with it.
  if (limit !== undefined)
    return { ...event, details: { of: "factory", uid: event.subject, name: "", limit } };
  return event;
}
