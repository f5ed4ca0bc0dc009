import type { RunStore } from "../../runs/run-store.ts";
import type { Reaches, RefusalReason } from "../../runs/turn/reaches.ts";
import type { Database } from "../sqlite/database.ts";
import { recordRefusal } from "./run-events.ts";

interface NetworkRow {
  host: string;
  port: number;
  reason: "" | RefusalReason;
  requests: number;
}

interface FactoryRow {
  run_id: string;
  automation_uid: string | null;
  agent_uid: string | null;
  host: string;
  port: number;
}

/** What the programs of runs have reached over the network. */
export function runNetwork(
  db: Database,
): Pick<RunStore, "keepReaches" | "listReaches" | "listFactoryReaches"> {
  return {
    async keepReaches({ id, ticket }, { reached, refused }, at) {
      const run = await db.first<{ turn: number }>(
        "SELECT turn FROM runs WHERE run_id = $1 AND ticket = $2",
        [id, ticket],
      );
      if (!run) return;
      const known = await db.all<NetworkRow>(
        "SELECT host, port, reason, requests FROM run_network WHERE run_id = $1 AND turn = $2",
        [id, run.turn],
      );
      const before = new Map(known.map((row) => [placeOf(row), row.requests]));
      for (const row of [...reached.map((one) => ({ ...one, reason: "" as const })), ...refused]) {
        const requests = before.get(placeOf(row)) ?? 0;
        // All that was reached so far is told each time, so the larger number is the later one.
        if (row.requests <= requests) continue;
        await db.run(
          `INSERT INTO run_network (run_id, turn, host, port, reason, requests, reported_at)
           VALUES ($1, $2, $3, $4, $5, $6, $7)
           ON CONFLICT (run_id, turn, host, port, reason) DO UPDATE SET
             requests = excluded.requests, reported_at = excluded.reported_at`,
          [id, run.turn, row.host, row.port, row.reason, row.requests, at],
        );
        if (row.reason === "" || requests > 0) continue;
        const { host, port, reason } = row;
        await recordRefusal(db, id, "network_refused", { turn: run.turn, host, port, reason }, at);
      }
    },
    async listFactoryReaches(factoryUid, since, limit) {
      const rows = await db.all<FactoryRow>(
        `SELECT DISTINCT run_network.run_id, automation_uid, agent_uid, host, port FROM run_network
         JOIN runs ON runs.run_id = run_network.run_id
         WHERE reported_at >= $1 AND reason = '' AND factory_uid = $2
         ORDER BY run_network.run_id DESC LIMIT $3`,
        [since, factoryUid, limit],
      );
      return rows.map(({ run_id: runId, automation_uid: automationUid, agent_uid: agentUid, host, port }) => {
        return { runId, automationUid, agentUid, host, port };
      });
    },
    async listReaches(runId, turn): Promise<Reaches> {
      const rows = await db.all<NetworkRow>(
        `SELECT host, port, reason, SUM(requests) AS requests FROM run_network
         WHERE run_id = $1 ${turn === undefined ? "" : "AND turn = $2"}
         GROUP BY host, port, reason ORDER BY host, port, reason`,
        turn === undefined ? [runId] : [runId, turn],
      );
      const listed = rows.map((row) => ({ ...row, requests: Number(row.requests) }));
      return {
        reached: listed.flatMap(({ reason, ...reach }) => (reason === "" ? [reach] : [])),
        refused: listed.flatMap(({ reason, ...reach }) => (reason === "" ? [] : [{ ...reach, reason }])),
      };
    },
  };
}

const placeOf = ({ host, port, reason }: Pick<NetworkRow, "host" | "port" | "reason">) =>
  `${host} ${port} ${reason}`;
