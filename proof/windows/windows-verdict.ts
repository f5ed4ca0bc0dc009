import { join } from "node:path";
import { groupBy } from "../../src/insight/periods.ts";
import { hasEnded, type RunState } from "../../src/runs/rules/state.ts";
import { openSqlite } from "../../src/store/sqlite/sqlite.ts";
import type { SentWork } from "./bursts.ts";

interface GivenRow {
  run_id: string;
  delivery_id: string;
  position: number;
  key: string;
  state: RunState;
  turn: number;
  /** The body of the newest delivery, as the run has it. */
  newest: Uint8Array;
}

/** What is wrong with the runs that deliveries have made, a sentence each. */
export interface WindowsVerdict {
  lost: string[];
  doubled: string[];
  stuck: string[];
  broken: string[];
  /** How many runs a kill has cut off while their agents were at work. */
  cutOff: number;
  runs: number;
}

/** Holds what a server has stored against what was sent. */
export async function judgeWindows(dataDir: string, sent: readonly SentWork[]): Promise<WindowsVerdict> {
  const database = openSqlite(join(dataDir, "millrace.db"));
  const rows = await readGiven(database);
  database.close();
  const byDelivery = groupBy(rows, ({ delivery_id }) => delivery_id);
  const lost = sent.filter(({ deliveryId }) => !byDelivery.has(deliveryId)).map(described("is in no run"));
  const doubled = sent
    .filter(({ deliveryId }) => (byDelivery.get(deliveryId)?.length ?? 0) > 1)
    .map(described("is in several runs, or twice in one"));
  const stuck = [...groupBy(rows, ({ run_id }) => run_id)]
    .filter(([, [row]]) => !row || !hasEnded(row.state))
    .map(([id, [row]]) => `run ${id} is ${row?.state}`);
  // Their agents were at work when the server and its supervisor were killed.
  const cutOff = new Set(rows.filter(({ state }) => state === "ERROR").map(({ run_id }) => run_id)).size;
  const broken = [
    ...wrongStates(rows),
    ...wrongRuns(sent, byDelivery),
    ...wrongTurns(sent, byDelivery),
    ...wrongBodies(sent, rows),
  ];
  return { lost, doubled, stuck, broken, cutOff, runs: new Set(rows.map(({ run_id }) => run_id)).size };
}

const described = (what: string) => (work: SentWork) =>
  `delivery ${work.deliveryId} about ${work.about} ${what}`;

function readGiven(database: ReturnType<typeof openSqlite>): Promise<GivenRow[]> {
  return database.all<GivenRow>(
    `SELECT g.run_id, g.delivery_id, g.position, g.key, r.state, r.turn, COALESCE(a.content, d.payload) AS newest
     FROM run_deliveries g JOIN runs r ON r.run_id = g.run_id
     JOIN run_attachments a ON a.run_id = g.run_id AND a.name = 'event-payload.json'
     LEFT JOIN deliveries d ON d.delivery_id = a.delivery_id
     ORDER BY g.run_id, g.position`,
  );
}

/** Agents succeed, unless a kill ends them. */
function wrongStates(rows: readonly GivenRow[]): string[] {
  const wrong = rows.filter(({ state }) => hasEnded(state) && state !== "SUCCEEDED" && state !== "ERROR");
  return wrong.map(({ run_id, state }) => `run ${run_id} is ${state}`);
}

/** What was sent within one window is one run, and nothing else is part of it. */
function wrongRuns(sent: readonly SentWork[], byDelivery: ReadonlyMap<string, GivenRow[]>): string[] {
  const windows = groupBy(
    sent.filter(({ way }) => way !== "slack"),
    ({ about, round }) => `${about} in round ${round}`,
  );
  const seen = new Map<string, string>();
  return [...windows].flatMap(([window, works]) => {
    const runs = new Set(
      works.flatMap(({ deliveryId }) => byDelivery.get(deliveryId)?.map(({ run_id }) => run_id) ?? []),
    );
    const others = [...runs].flatMap((id) => seen.get(id) ?? []);
    for (const id of runs) seen.set(id, window);
    return [
      ...(runs.size === 1
        ? []
        : [`${works.length} deliveries about ${window} made ${runs.size} runs, not one`]),
      ...others.map((other) => `the deliveries about ${window} are in the run of ${other}`),
    ];
  });
}

/** A thread is one run, with a turn for each of its messages. */
function wrongTurns(sent: readonly SentWork[], byDelivery: ReadonlyMap<string, GivenRow[]>): string[] {
  const threads = groupBy(
    sent.filter(({ way }) => way === "slack"),
    ({ about }) => about,
  );
  return [...threads].flatMap(([thread, works]) => {
    const rows = works.flatMap(({ deliveryId }) => byDelivery.get(deliveryId) ?? []);
    const runs = new Set(rows.map(({ run_id }) => run_id));
    const turns = rows[0]?.turn;
    const isRight = runs.size === 1 && turns === works.length;
    return isRight
      ? []
      : [`${works.length} messages in ${thread} made ${runs.size} runs with ${turns} turns`];
  });
}

/** The newest delivery of a run is its `event-payload.json`. */
function wrongBodies(sent: readonly SentWork[], rows: readonly GivenRow[]): string[] {
  const bodies = new Map(sent.map(({ deliveryId, body }) => [deliveryId, body]));
  return [...groupBy(rows, ({ run_id }) => run_id)].flatMap(([id, given]) => {
    const last = given.at(-1);
    const isRight = last && bodies.get(last.delivery_id) === Buffer.from(last.newest).toString("utf8");
    return isRight ? [] : [`run ${id} has not the body of its newest delivery`];
  });
}
