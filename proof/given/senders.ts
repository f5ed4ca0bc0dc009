import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "./chance.ts";
import { newWork, requestFor, type Sent } from "./sent.ts";
import type { Stage } from "./stage.ts";

const SENDERS = 6;
/** Of all senders together; agents have to keep up with a tenth of it. */
const PER_SECOND = Number(process.env.PROOF_RATE ?? 100);
const PATIENCE_MS = 20_000;
const SETTLE_MS = 90_000;

/** What all senders of a part have sent, and what they were answered. */
export interface Ledger {
  sent: Sent[];
  requests: number;
  /** Answers 202, and 200 for requests of the run API. */
  taken: number;
  /** Asked to come again, or no answer at all. */
  refused: number;
  /** Answers that no honest sender should get, a sentence each. */
  broken: string[];
}

export interface Senders {
  ledger: Ledger;
  /** Lets nothing new begin, and sends what was not taken yet until it is. */
  settle(): Promise<void>;
}

/**
 * Senders as they are in the world: each sends until it is told 202, and now and then once more, alone or twice at the
 * same moment.
 */
export function startSenders(stage: Stage, chance: Chance, options: { large?: boolean } = {}): Senders {
  const ledger: Ledger = { sent: [], requests: 0, taken: 0, refused: 0, broken: [] };
  const untaken: Sent[] = [];
  let isOver = false;

  const fresh = () => {
    const work = newWork(ledger.sent.length, chance, options);
    ledger.sent.push(work);
    return work;
  };
  const next = () =>
    untaken.shift() ?? (ledger.sent.length > 0 && chance.of(0.05) ? chance.oneOf(ledger.sent) : fresh());

  async function give(work: Sent): Promise<void> {
    const copies = chance.of(0.02) ? 2 : 1;
    const taken = await Promise.all(Array.from({ length: copies }, () => send(stage, ledger, work)));
    if (taken.includes(true)) return;
    if (!untaken.includes(work)) untaken.push(work);
    await sleep(50);
  }

  const sending = Array.from({ length: SENDERS }, async () => {
    while (!isOver) {
      await give(next());
      await sleep((chance.next() * 2_000 * SENDERS) / PER_SECOND);
    }
  });
  return {
    ledger,
    async settle() {
      isOver = true;
      await Promise.all(sending);
      const until = performance.now() + SETTLE_MS;
      while (untaken.length > 0 && performance.now() < until) await give(untaken.shift() as Sent);
    },
  };
}

/** @returns whether it was taken */
async function send(stage: Stage, ledger: Ledger, work: Sent): Promise<boolean> {
  const { path, headers } = requestFor(work, stage.paths);
  ledger.requests += 1;
  try {
    const answer = await fetch(stage.server.url + path, {
      method: "POST",
      headers,
      body: work.body,
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const text = await answer.text();
    if (answer.status === (work.way === "run" ? 200 : 202)) {
      const { delivery_id, run_id } = JSON.parse(text);
      work.ids.add(delivery_id ?? run_id);
      ledger.taken += 1;
      return true;
    }
    if (answer.status !== 503)
      ledger.broken.push(`${work.way} ${work.number} was answered ${answer.status}: ${text}`);
  } catch {
    // The connection broke, or nobody listens: what a crash looks like from outside.
  }
  ledger.refused += 1;
  return false;
}
