import type { AudienceOutcome } from "../../runs/rules/run-audience.ts";
import { MAX_AUDIENCES } from "../../runs/rules/run-audience.ts";
import type { RunStore } from "../../runs/run.ts";
import type { Database } from "../sqlite/database.ts";
import { insertRunEvent } from "./run-events.ts";
import { MAY_ACT } from "./state-lists.ts";

const ISSUED = "identity_token_issued";

/** For whom the agents of runs have got tokens that say who they are. */
export function runAudiences(db: Database): Pick<RunStore, "noteAudience"> {
  return {
    async noteAudience({ id, turn }, audience, at): Promise<AudienceOutcome> {
      const atWork = await db.first(
        `SELECT run_id FROM runs WHERE run_id = $1 AND turn = $2 AND ${MAY_ACT}`,
        [id, turn],
      );
      if (!atWork) return "not running";
      const rows = await db.all<{ payload: string }>(
        "SELECT payload FROM run_events WHERE run_id = $1 AND event_type = $2",
        [id, ISSUED],
      );
      if (rows.some(({ payload }) => JSON.parse(payload).audience === audience)) return "noted";
      if (rows.length >= MAX_AUDIENCES) return "too many";
      await insertRunEvent(db, id, ISSUED, at, { turn, audience });
      return "noted";
    },
  };
}
