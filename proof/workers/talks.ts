import { setTimeout as sleep } from "node:timers/promises";
import type { Chance } from "../given/chance.ts";
import { ADMIN_KEY } from "../given/sent.ts";
import { ENDED_STATES } from "./runs-verdict.ts";
import type { Site } from "./site.ts";

/** Somebody who starts a run whose session takes messages, and sends it some. */
export interface Talk {
  number: number;
  /** The ids that the run was answered with; more than one is a fault. */
  ids: Set<string>;
  /** The messages that were taken. */
  messages: string[];
}

export interface Talks {
  all: Talk[];
  /** Answers that nobody honest should get, a sentence each. */
  broken: string[];
  /** Lets no talk begin, and those that have begun come to their ends. */
  settle(): Promise<void>;
}

const TALKERS = 2;
const PATIENCE_MS = 10_000;
/** A talk waits for its run for so long; then the next one begins. */
const MAX_TALK_MS = 60_000;

/** Talks with live sessions, each request of which is sent with one key until it is answered. */
export function startTalks(site: Site, chance: Chance): Talks {
  let isOver = false;
  const talks: Talks = {
    all: [],
    broken: [],
    async settle() {
      isOver = true;
      await Promise.all(talking);
    },
  };

  /** @returns the answer; nothing when the run cannot take it */
  async function send(path: string, key: string, body: object): Promise<Record<string, string>> {
    for (;;) {
      try {
        const answer = await fetch(`${site.url}/api/v1${path}`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${ADMIN_KEY}`,
            "idempotency-key": key,
            "content-type": "application/json",
          },
          body: JSON.stringify(body),
          signal: AbortSignal.timeout(PATIENCE_MS),
        });
        const text = await answer.text();
        if (answer.ok) return JSON.parse(text);
        if (answer.status !== 503) talks.broken.push(`${key} was answered ${answer.status}: ${text}`);
        if (answer.status < 500) return {};
      } catch {
        // The connection broke, or nobody listens.
      }
      await sleep(200);
    }
  }

  async function talk(): Promise<void> {
    const talk: Talk = { number: talks.all.length, ids: new Set(), messages: [] };
    talks.all.push(talk);
    const config = { worker_host: chance.oneOf(site.talkHosts), harness: { type: "live" } };
    const count = 2 + chance.below(5);
    for (let copies = chance.of(0.1) ? 2 : 1; copies > 0; copies -= 1) {
      const { run_id } = await send("/agent/runs", `talk-${talk.number}`, { prompt: "Listen.", config });
      if (run_id) talk.ids.add(run_id);
    }
    const [id] = talk.ids;
    if (id === undefined) return;
    for (let number = 1; number <= count; number += 1) {
      await sleep(chance.next() * 1_500);
      const message = `message-${talk.number}-${number}.`;
      const isLast = number === count;
      const text = isLast ? `${message} That is all.` : message;
      for (let copies = chance.of(0.1) ? 2 : 1; copies > 0; copies -= 1)
        await send(`/agent/runs/${id}/followups`, message, { message: text });
      talk.messages.push(message);
    }
    await hasEnded(id);
  }

  async function hasEnded(id: string): Promise<void> {
    for (const until = performance.now() + MAX_TALK_MS; performance.now() < until && !isOver; ) {
      const run = await site.api<{ state: string }>("GET", `/agent/runs/${id}`).catch(() => undefined);
      if (run && ENDED_STATES.includes(run.state)) return;
      await sleep(500);
    }
  }

  const talking = Array.from({ length: TALKERS }, async () => {
    while (!isOver) await talk();
  });
  return talks;
}

/**
 * Holds the messages that were taken against those that agents have heard.
 * @param heard what the agents of a run have said that they heard, turn by turn; nothing for a run that has not succeeded
 * @returns a sentence for each message that is lost or was given twice
 */
export function judgeTalks(
  all: readonly Talk[],
  heard: (run: string) => readonly string[][] | undefined,
): { lost: string[]; doubled: string[] } {
  const lost: string[] = [];
  const doubled: string[] = [];
  for (const { number, ids, messages } of all) {
    const [id] = ids;
    if (ids.size > 1) doubled.push(`talk ${number} has started ${[...ids].join(" and ")}`);
    if (id === undefined) lost.push(`talk ${number} has no run`);
    const turns = id === undefined ? undefined : heard(id);
    if (turns === undefined) continue;
    for (const message of messages) {
      const said = (turn: readonly string[], how: string) =>
        turn.filter((line) => line === `${how} ${message}`).length;
      if (!turns.some((turn) => said(turn, "heard") + said(turn, "prompted") > 0))
        lost.push(`run ${id} has succeeded, and nobody has heard ${message}`);
      if (turns.some((turn) => said(turn, "heard") > 1))
        doubled.push(`an agent of ${id} has heard ${message} twice`);
    }
  }
  return { lost, doubled };
}
