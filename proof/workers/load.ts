import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../given/chance.ts";
import { TOKEN } from "../given/sent.ts";
import type { Site } from "./site.ts";

const SENDERS = 3;
const LOOK_MS = 500;
const PATIENCE_MS = 10_000;
/** Runs that have not ended at any time: half of them execute. */
const MAX_OPEN = 20;
const OPEN_STATES = "state=QUEUED&state=CLAIMED&state=INPROGRESS&state=BLOCKED";
/** Of the runs that have succeeded, so many are told to go on once. */
const FOLLOWED = 0.2;

/** How long agents of new work are at it. */
export type Pace = "mixed" | "long";

/** A delivery that a sender has sent until it was taken. */
export interface SentWork {
  number: number;
  host: string;
  body: string;
  /** The ids that it was answered with; more than one is a fault. */
  ids: Set<string>;
}

export interface Load {
  sent: SentWork[];
  counts: { requests: number; taken: number; refused: number; followUps: number };
  /** Answers that no honest sender should get, a sentence each. */
  broken: string[];
  pace: Pace;
  /** The runs that have not ended, as the server has said last. */
  open(): number;
  /** Lets nothing new begin, and sends what was not taken yet until it is. */
  settle(): Promise<void>;
}

/** Senders that start runs as long as not too many are open. Now and then they send something twice, or tell a run to go on. */
export function startLoad(site: Site, chance: Chance): Load {
  let isOver = false;
  let open = 0;
  const followed = new Set<string>();
  const load: Load = {
    sent: [],
    counts: { requests: 0, taken: 0, refused: 0, followUps: 0 },
    broken: [],
    pace: "mixed",
    open: () => open,
    async settle() {
      isOver = true;
      await Promise.all([...sending, looking]);
    },
  };

  function newWork(): SentWork {
    const work = {
      number: load.sent.length,
      host: site.choosePlace(chance),
      body: JSON.stringify({ number: load.sent.length, ...taskOf(load.pace, chance) }),
      ids: new Set<string>(),
    };
    load.sent.push(work);
    return work;
  }

  async function send(work: SentWork): Promise<boolean> {
    load.counts.requests += 1;
    try {
      const answer = await fetch(site.url + site.paths[work.host], {
        method: "POST",
        headers: { authorization: `Bearer ${TOKEN}`, "x-service-delivery-id": `piece-${work.number}` },
        body: work.body,
        signal: AbortSignal.timeout(PATIENCE_MS),
      });
      const text = await answer.text();
      if (answer.status === 202) {
        work.ids.add(JSON.parse(text).delivery_id);
        load.counts.taken += 1;
        return true;
      }
      if (answer.status !== 503)
        load.broken.push(`piece ${work.number} was answered ${answer.status}: ${text}`);
    } catch {
      // The connection broke, or nobody listens.
    }
    load.counts.refused += 1;
    return false;
  }

  async function sendOn(): Promise<void> {
    while (!isOver) {
      await sleep(100 + chance.next() * 400);
      if (open >= MAX_OPEN) continue;
      const work = newWork();
      open += 1;
      while (!(await send(work))) await sleep(200);
      if (chance.of(0.1)) await send(work);
    }
  }

  /** Asks what is open, and tells some of those that have ended to go on. */
  async function look(): Promise<void> {
    while (!isOver) {
      await sleep(LOOK_MS);
      try {
        open = await countOpen(site);
        for (const { run_id } of await runsIn(site, "state=SUCCEEDED")) {
          if (followed.has(run_id)) continue;
          followed.add(run_id);
          if (!chance.of(FOLLOWED) || open >= MAX_OPEN) continue;
          await site.api("POST", `/agent/runs/${run_id}/followups`, { message: "Once more." });
          load.counts.followUps += 1;
        }
      } catch {
        // The server is not there.
      }
    }
  }

  const sending = Array.from({ length: SENDERS }, sendOn);
  const looking = look();
  return load;
}

/** What an agent is to do: lines, and the longest pause before one of them in seconds. */
function taskOf(pace: Pace, chance: Chance): object {
  if (pace === "long") return { isLong: true, lines: 200, pause: 0.3, stubborn: chance.of(0.5) };
  const seconds = 0.5 + chance.next() * 7.5;
  const lines = 3 + chance.below(60);
  return { lines, pause: Number(((1.5 * seconds) / lines).toFixed(3)), stubborn: chance.of(0.3) };
}

/** The last runs that are in some states. */
export async function runsIn(site: Site, states: string): Promise<{ run_id: string; state: string }[]> {
  return (
    await site.api<{ runs: { run_id: string; state: string }[] }>("GET", `/agent/runs?limit=100&${states}`)
  ).runs;
}

/** The runs that have not ended. */
export function listOpen(site: Site): ReturnType<typeof runsIn> {
  return runsIn(site, OPEN_STATES);
}

/** How many runs have not ended. */
export async function countOpen(site: Site): Promise<number> {
  return (await listOpen(site)).length;
}
