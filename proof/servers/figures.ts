import { writeFileSync } from "node:fs";
import type { Figures } from "../given/part.ts";
import { LEASE_MS } from "../workers/fleet.ts";
import { absencesOf, type Harms } from "../workers/harms.ts";
import type { Load } from "../workers/load.ts";
import { all, deliveriesOf, type EndedRun, judgeRuns } from "../workers/runs-verdict.ts";
import { judgeTalks, type Talks } from "../workers/talks.ts";
import { compareTranscripts } from "../workers/transcripts.ts";
import { linesOf, type Start } from "../workers/witnesses.ts";
import type { CapWatch } from "./cap-watch.ts";
import { CAP, type Cluster } from "./cluster.ts";
import { type Probes, recoveries } from "./probes.ts";

const MAX_RECOVERY_MS = 5_000;
const TOLD_GAP = /^\[millrace: \d+ bytes could not be stored here\]$/m;
const CRASHES = ["postgres crashed", "failed over"];
/** So many kinds of ends are told of. */
const REASONS = 6;

/** What was done, and what came of it. */
export interface Proven {
  load: Load;
  talks: Talks;
  probes: Probes;
  agents: CapWatch;
  seconds: number;
  harms: Harms;
  stuck: string[];
  broken: string[];
}

/** Asks the servers for everything, and judges it. */
export async function figuresOf(cluster: Cluster, proven: Proven): Promise<Figures> {
  const { load, talks, probes, agents, seconds, harms } = proven;
  const { witnesses, paths, workers, servers, probePath } = cluster;
  const runs = await all<EndedRun>(cluster, "/agent/runs", "runs");
  const logs = new Map<string, Awaited<ReturnType<typeof deliveriesOf>>>();
  for (const [name, path] of Object.entries(paths)) logs.set(name, await deliveriesOf(cluster, path));
  const deliveries = [...logs.values()].flat();
  const probed = await deliveriesOf(cluster, probePath);
  const starts = witnesses.starts().sort((a, b) => a.atMs - b.atMs);
  const asked = talks.all.flatMap(({ ids }) => [...ids]);
  const absences = workers.map(async ({ name, beats }) =>
    absencesOf(name, { beats: await beats(), harms: harms.all, leaseMs: LEASE_MS }),
  );
  const causes = [...harms.all, ...(await Promise.all(absences)).flat()];
  const verdict = judgeRuns({ sent: load.sent, asked, deliveries, runs, starts, harms: causes });
  const probeVerdict = probes.judge(probed);
  const transcripts = await compareTranscripts(cluster, runs, mayHaveGaps(starts, harms));
  const states = new Map(runs.map(({ run_id, state }) => [run_id, state]));
  const talked = judgeTalks(talks.all, (run) =>
    states.get(run) === "SUCCEEDED" ? linesOf(witnesses, starts, run) : undefined,
  );
  const capped = agents.mostAtOnce(new Set(logs.get("capped")?.flatMap(({ run_ids }) => run_ids)));
  const recovered = recoveries(
    probes.taken,
    harms.all,
    servers.map(({ number }) => number),
  );
  const last = recovered.at(-1) ?? Number.POSITIVE_INFINITY;
  const late =
    last > MAX_RECOVERY_MS ? [`not every server took deliveries ${last / 1_000} s after the last fault`] : [];
  const overCap = capped > CAP ? [`${capped} agents of an automation with a cap of ${CAP} were at work`] : [];
  keepLogs(cluster);

  const byReason = new Map<string, number>();
  for (const { state, status_message: message } of runs) {
    if (state === "SUCCEEDED") continue;
    const reason = `${state} ${message?.error_code ?? ""}`;
    byReason.set(reason, (byReason.get(reason) ?? 0) + 1);
  }
  const inSeconds = (ms: number) => (ms / 1_000).toFixed(1);
  const note = [
    `${servers.length} servers, ${workers.length} workers`,
    `every server took deliveries ${inSeconds(last)} s after the last fault, and at most ${inSeconds(Math.max(...recovered))} s after one of ${recovered.length} moments without any`,
    `agents of the automation with a cap of ${CAP} at once: ${capped}`,
    `probes: ${probes.taken.length} taken, ${probes.retries()} retries`,
    `runs that did not succeed: ${
      [...byReason]
        .slice(0, REASONS)
        .map(([reason, count]) => `${count} ${reason}`)
        .join(", ") || "none"
    }`,
    `transcripts with exactly what agents wrote: ${transcripts.whole} of ${transcripts.whole + transcripts.different.length}, and ${transcripts.parts} of runs that were cut off have its beginning; ${transcripts.gaps} have gaps, since the database was not there`,
    `follow-ups: ${load.counts.followUps}, live sessions: ${talks.all.length} with ${talks.all.flatMap(({ messages }) => messages).length} messages`,
    `faults: ${[...harms.counts()].map(([kind, count]) => `${count} ${kind}`).join(", ")}`,
    ...(cluster.divisible.networks ? [] : ["the nodes share the network of this machine"]),
  ].join("; ");
  return {
    part: "servers",
    seconds,
    faults: harms.all.length,
    requests: load.counts.requests,
    taken: load.counts.taken,
    duplicates: deliveries.filter(({ outcome }) => outcome === "Duplicate").length,
    refused: load.counts.refused,
    runs: runs.length,
    cutOff: verdict.cutOff,
    lost: [...verdict.lost, ...probeVerdict.lost, ...talked.lost],
    doubled: [...verdict.doubled, ...probeVerdict.doubled, ...talked.doubled, ...overCap],
    stuck: [...verdict.stuck, ...proven.stuck, ...late],
    broken: [
      ...[...proven.broken, ...load.broken, ...talks.broken],
      ...[...probeVerdict.broken, ...transcripts.different, ...deadlocksIn(cluster)],
    ],
    note,
  };
}

/** Servers write one after the other: two of them cannot wait for each other. */
function deadlocksIn({ place }: Cluster): string[] {
  const count = place.said.join("").split("deadlock detected").length - 1;
  return count > 0 ? [`PostgreSQL has found ${count} deadlocks`] : [];
}

/** Where a transcript says so, and of agents at work when the database crashed: it had not flushed the last of what they wrote. */
function mayHaveGaps(starts: readonly Start[], harms: Harms): (run: EndedRun, transcript: string) => boolean {
  const crashes = harms.all.filter(({ kind }) => CRASHES.includes(kind));
  return ({ run_id, updated_at }, transcript) => {
    if (TOLD_GAP.test(transcript)) return true;
    const first = starts.find(({ run }) => run === run_id)?.atMs ?? 0;
    return crashes.some(({ fromMs, untilMs }) => first < untilMs && Date.parse(updated_at) > fromMs);
  };
}

function keepLogs({ servers, workers, place }: Cluster): void {
  const { PROOF_LOGS: folder } = process.env;
  if (!folder) return;
  for (const node of [...servers, ...workers]) writeFileSync(`${folder}/${node.name}.log`, node.said());
  writeFileSync(`${folder}/postgres.log`, place.said.join(""));
}
