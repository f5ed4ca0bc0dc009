import { writeFileSync } from "node:fs";
import type { Figures } from "../given/part.ts";
import type { CutOffs } from "./cut-offs.ts";
import { type Fleet, LEASE_MS } from "./fleet.ts";
import { absencesOf, type Harms } from "./harms.ts";
import type { Load } from "./load.ts";
import { all, deliveriesOf, type EndedRun, judgeRuns } from "./runs-verdict.ts";
import type { ServerKills } from "./server-kills.ts";
import { judgeTalks, type Talks } from "./talks.ts";
import { compareTranscripts } from "./transcripts.ts";
import { linesOf, type Start } from "./witnesses.ts";

/** Of the runs that were live when only the server was killed. */
const LEAST_SUCCEEDED = 0.99;
/** What ends agents, as long as they end with what has started them. */
const LOST_AGENTS = ["worker killed", "supervisor killed"];

/** What was done, and what came of it. */
export interface Proven {
  load: Load;
  talks: Talks;
  seconds: number;
  harms: Harms;
  kills: ServerKills;
  cutOffs: CutOffs;
  stuck: string[];
  broken: string[];
}

/** Asks the server for everything, and judges it. */
export async function figuresOf(fleet: Fleet, proven: Proven): Promise<Figures> {
  const { load, talks, seconds, harms, kills, cutOffs } = proven;
  const runs = await all<EndedRun>(fleet, "/agent/runs", "runs");
  const deliveries = (
    await Promise.all(Object.values(fleet.paths).map((path) => deliveriesOf(fleet, path)))
  ).flat();
  const starts = fleet.witnesses.starts().sort((a, b) => a.atMs - b.atMs);
  const asked = talks.all.flatMap(({ ids }) => [...ids]);
  const absences = fleet.workers.map(async ({ name, beats }) =>
    absencesOf(name, { beats: await beats(), harms: harms.all, leaseMs: LEASE_MS }),
  );
  const causes = [...harms.all, ...(await Promise.all(absences)).flat()];
  const verdict = judgeRuns({ sent: load.sent, asked, deliveries, runs, starts, harms: causes });
  const transcripts = await compareTranscripts(fleet, runs);
  const states = new Map(runs.map(({ run_id, state }) => [run_id, state]));
  const hasSucceeded = (run: string) => states.get(run) === "SUCCEEDED";
  const heard = (run: string) => (hasSucceeded(run) ? linesOf(fleet.witnesses, starts, run) : undefined);
  const talked = judgeTalks(talks.all, heard);

  const live = [...kills.live];
  const failed = live.filter((run) => (kills.endedAs.get(run) ?? states.get(run)) !== "SUCCEEDED");
  const succeeded = live.length - failed.length;
  const longest = (Math.max(0, ...kills.absencesMs) / 1_000).toFixed(1);
  const tooFew =
    succeeded < LEAST_SUCCEEDED * live.length
      ? [
          `of ${live.length} runs that were live when the server was killed, ${succeeded} succeeded; the server was away for up to ${longest} s`,
          ...runs.filter(({ run_id }) => failed.includes(run_id)).map(describe),
        ]
      : [];
  for (const node of [fleet.server, ...fleet.workers])
    if (process.env.PROOF_LOGS) writeFileSync(`${process.env.PROOF_LOGS}/${node.name}.log`, node.said());
  const { whole, parts, different } = transcripts;
  const orphans = orphansOf(harms, starts, runs, fleet.witnesses.endTimes());
  const note = [
    `kills of the server alone: ${kills.kills}, with the server away for up to ${longest} s, after which ${succeeded} of ${live.length} live runs succeeded`,
    `cut-off agents gone before the lease ended: ${cutOffs.goneInTime} of ${cutOffs.cuts}`,
    `transcripts with exactly what agents wrote: ${whole} of ${whole + different.length}, and ${parts} of runs that were cut off have its beginning`,
    `runs that were live when their worker or its supervisor was killed: ${orphans.length}, of which ${orphans.filter(hasSucceeded).length} succeeded`,
    `follow-ups: ${load.counts.followUps}, live sessions: ${talks.all.length} with ${talks.all.flatMap(({ messages }) => messages).length} messages`,
    `faults: ${[...harms.counts()].map(([kind, count]) => `${count} ${kind}`).join(", ")}`,
    ...(fleet.divisible.networks ? [] : ["the nodes share the network of this machine"]),
  ].join("; ");
  return {
    part: "workers",
    seconds,
    faults: harms.all.length,
    requests: load.counts.requests,
    taken: load.counts.taken,
    duplicates: deliveries.filter(({ outcome }) => outcome === "Duplicate").length,
    refused: load.counts.refused,
    runs: runs.length,
    cutOff: verdict.cutOff,
    lost: [...verdict.lost, ...tooFew, ...talked.lost],
    doubled: [...verdict.doubled, ...talked.doubled],
    stuck: [...verdict.stuck, ...proven.stuck],
    broken: [...proven.broken, ...load.broken, ...talks.broken, ...cutOffs.late, ...different],
    note,
  };
}

/** The runs whose agents worked on a worker when it, or what has started them, was killed. */
function orphansOf(
  harms: Harms,
  starts: readonly Start[],
  runs: readonly EndedRun[],
  endTimes: ReadonlyMap<string, number>,
): string[] {
  const updated = new Map(runs.map(({ run_id, updated_at }) => [run_id, Date.parse(updated_at)]));
  const endOf = ({ run, turn }: Start) => endTimes.get(`${run}.${turn}`) ?? updated.get(run) ?? 0;
  const killed = harms.all.filter(({ kind }) => LOST_AGENTS.includes(kind));
  const found = starts.filter((start) =>
    killed.some(({ node, fromMs }) => node === start.worker && start.atMs < fromMs && endOf(start) > fromMs),
  );
  return [...new Set(found.map(({ run }) => run))];
}

function describe({ run_id, state, status_message, created_at, updated_at }: EndedRun): string {
  return `run ${run_id} from ${created_at} to ${updated_at} is ${state}: ${status_message?.message ?? ""}`;
}
