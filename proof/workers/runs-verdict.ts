import { LEASE_MS } from "./fleet.ts";
import { explains, type Harm } from "./harms.ts";
import type { SentWork } from "./load.ts";
import type { SiteClient } from "./site.ts";
import type { Start } from "./witnesses.ts";

/** A run as the API tells of it when all is over. */
export interface EndedRun {
  run_id: string;
  state: string;
  created_at: string;
  updated_at: string;
  status_message?: { message?: string; error_code?: string } | null;
}

/** What a sender was told of a delivery, as the log has it. */
export interface LoggedDelivery {
  delivery_id: string;
  outcome: string;
  run_ids: string[];
}

export interface RunsEvidence {
  sent: readonly SentWork[];
  /** Runs that were asked for without a delivery. */
  asked: readonly string[];
  deliveries: readonly LoggedDelivery[];
  runs: readonly EndedRun[];
  starts: readonly Start[];
  harms: readonly Harm[];
}

export interface RunsVerdict {
  lost: string[];
  doubled: string[];
  stuck: string[];
  /** Runs that have not succeeded, each of which something that was done explains. */
  cutOff: number;
}

export const ENDED_STATES = ["SUCCEEDED", "FAILED", "ERROR", "CANCELLED"];

/** Holds what senders were told, what the server says, what agents noted, and what was done to their machines against each other. */
export function judgeRuns({ sent, asked, deliveries, runs, starts, harms }: RunsEvidence): RunsVerdict {
  const verdict: RunsVerdict = { lost: [], doubled: [], stuck: [], cutOff: 0 };
  const accepted = new Map(
    deliveries
      .filter(({ outcome }) => outcome === "Accepted")
      .map((delivery) => [delivery.delivery_id, delivery]),
  );
  const known = new Map(runs.map((run) => [run.run_id, run]));
  const wanted = new Set(asked);
  for (const run of asked)
    if (!known.has(run)) verdict.lost.push(`there is no run ${run}, which was asked for`);
  for (const { number, ids } of sent) {
    const [id] = ids;
    if (id === undefined) {
      verdict.stuck.push(`piece ${number} was never taken`);
      continue;
    }
    if (ids.size > 1) verdict.doubled.push(`piece ${number} was taken as ${[...ids].join(" and ")}`);
    const runIds = accepted.get(id)?.run_ids ?? [];
    if (runIds.length === 0) verdict.lost.push(`piece ${number} was answered 202, and has no run`);
    if (runIds.length > 1) verdict.doubled.push(`piece ${number} has ${runIds.length} runs`);
    for (const run of runIds) {
      wanted.add(run);
      if (!known.has(run)) verdict.lost.push(`there is no run ${run} of piece ${number}`);
    }
  }
  if (accepted.size > sent.length)
    verdict.doubled.push(`${accepted.size} deliveries were accepted, and ${sent.length} were sent`);

  const startsOfRuns = new Map<string, Start[]>();
  for (const start of starts) startsOfRuns.set(start.run, [...(startsOfRuns.get(start.run) ?? []), start]);
  for (const run of startsOfRuns.keys())
    if (!known.has(run))
      verdict.lost.push(`an agent has worked on run ${run}, which the server does not know`);
  for (const run of runs) {
    if (!wanted.has(run.run_id)) verdict.doubled.push(`nobody has asked for run ${run.run_id}`);
    judgeRun(run, startsOfRuns.get(run.run_id) ?? []);
  }
  return verdict;

  function judgeRun(run: EndedRun, own: readonly Start[]): void {
    const { run_id, state } = run;
    for (const turn of new Set(own.map((start) => start.turn))) {
      const times = own.filter((start) => start.turn === turn);
      if (times.length > 1)
        verdict.doubled.push(
          `turn ${turn} of run ${run_id} has started ${times.length} times, on ${times.map(({ worker }) => worker).join(" and ")}`,
        );
    }
    if (!ENDED_STATES.includes(state)) verdict.stuck.push(`run ${run_id} is ${state}`);
    else if (state === "SUCCEEDED") {
      if (own.length === 0) verdict.lost.push(`run ${run_id} is SUCCEEDED, and no agent has started`);
    } else judgeFailed(run, own);
  }

  function judgeFailed(run: EndedRun, own: readonly Start[]): void {
    verdict.cutOff += 1;
    const { run_id, state, status_message, created_at, updated_at } = run;
    const last = own.at(-1);
    const span = {
      worker: last?.worker,
      fromMs: last?.atMs ?? Date.parse(created_at),
      untilMs: Date.parse(updated_at),
    };
    const said = `${status_message?.error_code ?? "no reason"}: ${status_message?.message ?? ""}`;
    if (!status_message?.error_code) verdict.lost.push(`run ${run_id} is ${state} for no reason`);
    else if (!harms.some((harm) => explains(harm, span, LEASE_MS)))
      verdict.lost.push(
        `run ${run_id} on ${span.worker} is ${state}, and nothing was done that explains it (${said})`,
      );
  }
}

/** All that a list of the API has. */
export async function all<Item>(
  { api }: Pick<SiteClient, "api">,
  path: string,
  name: string,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined = "";
  while (cursor !== undefined) {
    const query = `limit=500${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ""}`;
    const page: Record<string, unknown> = await api("GET", `${path}?${query}`);
    items.push(...(page[name] as Item[]));
    cursor = (page.page_info as { next_cursor?: string }).next_cursor;
  }
  return items;
}

/** The log of a webhook. @param path where it takes deliveries */
export function deliveriesOf(site: Pick<SiteClient, "api">, path: string): Promise<LoggedDelivery[]> {
  const uid = path.split("/").at(-1);
  return all<LoggedDelivery>(site, `/factories/acme/webhooks/${uid}/deliveries`, "deliveries");
}
