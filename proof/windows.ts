import { setTimeout as sleep } from "node:timers/promises";
import { hasEnded, type RunState } from "../src/runs/rules/state.ts";
import { crash, waitFor } from "../test/given/server.ts";
import { type Chance, chanceFrom } from "./given/chance.ts";
import type { Figures, WholePart } from "./given/part.ts";
import { type SentWork, sendRound } from "./windows/bursts.ts";
import { openWindowsStage, QUIET_MS, type WindowsStage } from "./windows/windows-stage.ts";
import { judgeWindows } from "./windows/windows-verdict.ts";

/** Each thread of Slack has a message in so many rounds. */
const MESSAGES = 3;
const MAX_PEACE_MS = 900;

/**
 * Kills a server while windows are open and messages come, and lets its clock pass their end. A pull request and an outage are one
 * run in each round; a thread is one run in all of its rounds.
 */
export const windows: WholePart = {
  name: "windows",
  share: 0.1,
  async prove({ seconds, seed, leastFaults = 0 }) {
    const chance = chanceFrom(seed);
    const stage = await openWindowsStage();
    const began = performance.now();
    const isOver = () => performance.now() - began > seconds * 1_000;
    const sent: SentWork[] = [];
    let kills = 0;
    for (
      let round = 0;
      round === 0 || !isOver() || kills < leastFaults || round % MESSAGES !== 0;
      round += 1
    ) {
      const thread = `${Math.floor(round / MESSAGES)}.1`;
      const sending = sendRound(stage, { round, threads: [thread], chance });
      kills += await killWithin(stage, chance);
      sent.push(...(await sending));
      await endWindows(stage);
    }
    const took = (performance.now() - began) / 1_000;
    await stage.server.stop();
    return figuresOf(stage, sent, kills, took);
  },
};

/** One kill while windows are open, and now and then a second one right after the start. @returns how many */
async function killWithin(stage: WindowsStage, chance: Chance): Promise<number> {
  const kills = chance.next() < 0.3 ? 2 : 1;
  for (let n = 0; n < kills; n += 1) {
    await sleep(chance.next() * MAX_PEACE_MS);
    await crash(stage.server);
    await stage.start();
  }
  return kills;
}

/** Passes the end of every window, and waits until all runs have ended. */
async function endWindows(stage: WindowsStage): Promise<void> {
  stage.clock.shift += QUIET_MS + 60_000;
  stage.clock.set(stage.clock.shift);
  await waitFor(async () => {
    const { runs } = await stage.server.api<{ runs: { state: RunState }[] }>("GET", "/agent/runs?limit=100");
    return runs.every(({ state }) => hasEnded(state)) || undefined;
  }, 60);
}

async function figuresOf(
  { server }: WindowsStage,
  sent: readonly SentWork[],
  kills: number,
  seconds: number,
): Promise<Figures> {
  const verdict = await judgeWindows(server.dataDir, sent);
  const requests = sent.reduce((sum, work) => sum + work.requests, 0);
  return {
    part: "windows",
    ...{
      seconds,
      faults: kills,
      requests,
      taken: sent.length,
      duplicates: 0,
      refused: requests - sent.length,
    },
    ...verdict,
    broken: [
      ...verdict.broken,
      ...(verdict.cutOff > kills ? [`${verdict.cutOff} runs were cut off by ${kills} kills`] : []),
    ],
    note: `${sent.length} deliveries made ${verdict.runs} runs`,
  };
}
