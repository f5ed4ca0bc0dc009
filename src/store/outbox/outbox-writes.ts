import type { Followed, NewMessage, Outbox } from "../../outbox/outbox.ts";
import type { Database } from "../sqlite/database.ts";
import { outboxProgress } from "./outbox-progress.ts";
import { outboxRoom } from "./outbox-room.ts";
import type { OutboxTables } from "./outbox-tables.ts";

type New = NewMessage<string, unknown>;

/** Writes what following the changes has come to. */
export function outboxWrites(
  db: Database,
  tables: OutboxTables,
): Pick<Outbox<string, unknown>, "findProgress" | "follow" | "pass" | "saveProgress" | "saveFollowed"> {
  const { progress } = tables;
  const following = outboxProgress(db, tables);

  return {
    ...following,
    async saveFollowed({ from, upTo, messages }: Followed<string, unknown>) {
      const row = await db.first<{ seq: number }>(`SELECT seq FROM ${progress}`);
      if (row?.seq !== from) throw new Error("another server follows the changes now");
      const roomFor = outboxRoom(db, tables);
      let dropped = 0;
      for (const each of messages) {
        const content = JSON.stringify(each.content);
        const room = await roomFor(each, Buffer.byteLength(content));
        if (room === "free")
          await insertMessage(db, tables, each, { state: "waiting", nextAttemptAt: each.at, content });
        if (room === "full") dropped += 1;
      }
      await following.saveProgress(upTo);
      return dropped;
    },
  };
}

interface InsertedState {
  state: "waiting" | "sent" | "failed";
  nextAttemptAt: string | null;
  /** What it says, as JSON. */
  content: string;
}

/** Writes a message down, unless its cause was told to its target. */
export async function insertMessage(
  db: Database,
  { messages, id }: Pick<OutboxTables, "messages" | "id">,
  each: New,
  { state, nextAttemptAt, content }: InsertedState,
): Promise<void> {
  await db.run(
    `INSERT INTO ${messages}
       (${id}, dedup_key, target, owner_uid, factory_uid, run_id, event, bytes, content, state, created_at,
        next_attempt_at, ended_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) ON CONFLICT (dedup_key) DO NOTHING`,
    [
      each.id,
      `${each.target} ${each.cause}`,
      each.target,
      each.ownerUid,
      each.factoryUid,
      each.runId,
      each.event,
      Buffer.byteLength(content),
      content,
      state,
      each.at,
      nextAttemptAt,
      nextAttemptAt === null ? each.at : null,
    ],
  );
}
