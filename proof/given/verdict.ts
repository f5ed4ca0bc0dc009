import type { Sent } from "./sent.ts";
import type { Witness } from "./stage.ts";

/** An accepted delivery, as the API tells of it and as the store holds it. */
export interface Accepted {
  delivery_id: string;
  identity: string | undefined;
  run_ids: readonly string[];
  /** The SHA-256 of the payload in the store; nothing when the store has no such delivery. */
  storedSha256: string | undefined;
}

export interface KnownRun {
  run_id: string;
  state: string;
  /** Why it has not succeeded. */
  reason: string | undefined;
  /** The due time, of a run that a schedule has started. */
  due: string | undefined;
}

/** All that is known when a part is over, from three sides that know nothing of each other. */
export interface Evidence {
  sent: readonly Sent[];
  accepted: readonly Accepted[];
  runs: readonly KnownRun[];
  witnesses: ReadonlyMap<string, Witness>;
  /** How many runs the faults can have cut off. */
  mostCutOff: number;
}

/** A sentence for each thing that must not be. */
export interface Verdict {
  lost: string[];
  doubled: string[];
  stuck: string[];
  /** Runs that a fault has ended, with the reason on record. */
  cutOff: number;
}

const ENDED = ["SUCCEEDED", "FAILED", "ERROR", "CANCELLED"];

/** Holds what senders were answered, what the server says, and what agents wrote down against each other. */
export function judge({ sent, accepted, runs, witnesses, mostCutOff }: Evidence): Verdict {
  const verdict: Verdict = { lost: [], doubled: [], stuck: [], cutOff: 0 };
  const byId = new Map(accepted.map((delivery) => [delivery.delivery_id, delivery]));
  const runsById = new Map(runs.map((run) => [run.run_id, run]));
  const expected = new Map<string, Sent | undefined>();

  for (const work of sent) {
    const name = `${work.way} ${work.number}`;
    const [id] = work.ids;
    if (id === undefined) verdict.stuck.push(`${name} was never taken`);
    else if (work.ids.size > 1) verdict.doubled.push(`${name} was taken as ${[...work.ids].join(" and ")}`);
    if (id === undefined) continue;
    if (work.way === "run") expected.set(id, undefined);
    else judgeDelivery(work, name, byId.get(id));
  }
  judgeIdentities();
  for (const id of expected.keys()) if (!runsById.has(id)) verdict.lost.push(`there is no run ${id}`);
  for (const run of runs) judgeRun(run);
  judgeSchedules();
  if (verdict.cutOff > mostCutOff) {
    verdict.lost.push(`${verdict.cutOff} runs did not succeed; the faults explain ${mostCutOff} at most`);
  }
  return verdict;

  function judgeDelivery(work: Sent, name: string, delivery: Accepted | undefined): void {
    if (!delivery) {
      verdict.lost.push(`${name} was answered 202, and is not in the log`);
      return;
    }
    if (delivery.storedSha256 !== work.sha256) verdict.lost.push(`${name} is not stored as it was sent`);
    const wanted = work.go ? 1 : 0;
    if (delivery.run_ids.length < wanted) verdict.lost.push(`${name} has started no run`);
    if (delivery.run_ids.length > wanted) verdict.doubled.push(`${name} has started more than it should`);
    for (const id of delivery.run_ids) expected.set(id, work);
  }

  function judgeIdentities(): void {
    const known = new Set(sent.map(({ identity }) => identity));
    const seen = new Set<string>();
    for (const { delivery_id, identity = "none" } of accepted) {
      if (!known.has(identity)) verdict.doubled.push(`nobody has sent what ${delivery_id} was accepted for`);
      if (seen.has(identity)) verdict.doubled.push(`${identity} was accepted twice`);
      seen.add(identity);
    }
  }

  function judgeRun({ run_id, state, reason, due }: KnownRun): void {
    const { starts, ends, payload } = witnesses.get(run_id) ?? { starts: 0, ends: 0, payload: undefined };
    if (!expected.has(run_id) && due === undefined) verdict.doubled.push(`nobody asked for run ${run_id}`);
    if (starts > 1) verdict.doubled.push(`the agent of ${run_id} has started ${starts} times`);
    if (!ENDED.includes(state)) verdict.stuck.push(`run ${run_id} is ${state}`);
    else if (state !== "SUCCEEDED" && reason) verdict.cutOff += 1;
    else if (state !== "SUCCEEDED") verdict.lost.push(`run ${run_id} is ${state} for no reason`);
    else if (starts === 0 || ends === 0)
      verdict.lost.push(`run ${run_id} is SUCCEEDED, and its agent did not end`);
    const wanted = expected.get(run_id)?.sha256;
    if (starts > 0 && payload !== wanted) verdict.lost.push(`the agent of ${run_id} found another payload`);
  }

  function judgeSchedules(): void {
    const seen = new Set<string>();
    for (const { run_id, due } of runs) {
      if (due === undefined) continue;
      if (seen.has(due)) verdict.doubled.push(`${run_id} is the second run that was due at ${due}`);
      seen.add(due);
    }
  }
}
