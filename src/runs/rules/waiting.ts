import { pluralize } from "../../pluralize.ts";
import type { RunCaps } from "../caps.ts";
import { type UsedUpDay, usedUpText } from "./budget.ts";
import type { Pause } from "./pause.ts";
import { demandText, type HomeLoad, type WorkerLoad } from "./placement.ts";
import type { ProviderHold } from "./provider-limit.ts";
import type { KeyHold } from "./run-key.ts";

/** Why runs wait in the queue, and no other reasons. */
export const WAITING_REASONS = {
  paused: "a pause holds the run",
  window: "the run waits until no further deliveries have come for a while",
  key: "another run with the same key has not ended",
  provider_limit: "the provider of the model refuses more for now, or is not available",
  automation_limit: "as many runs of the automation are in progress as its limit allows",
  hourly_limit: "the factory has started as many runs in the last hour as its limit allows",
  share:
    "runs of other factories have their turn first, or the factory has as many runs in progress as its share allows",
  budget: "the budget of the factory, the agent or the automation for 24 hours is used up",
  no_worker: "no worker that the run could execute on is connected",
  workspace:
    "the worker that has the workspace of the run is not connected, or is busy; after a while another one takes the run",
  worker_limit: "all connected workers that the run could execute on are busy, or drain and get no more runs",
  server_limit: "the server executes as many runs at the same time as it can",
  disk_space: "the server has too little free disk space to start runs",
  order: "other runs of the factory start first",
  starting: "the run is about to start",
} as const;

export type WaitingReason = keyof typeof WAITING_REASONS;

/** What keeps a run from being claimed. */
export type Hold = LaneHold | KeyHold | { kind: "provider_limit"; hold: ProviderHold };

/** What keeps runs from being claimed that could be claimed otherwise. */
export type LaneHold =
  | { kind: "paused"; pause: Pause }
  | { kind: "automation_limit"; cap: number; working: number }
  | { kind: "hourly_limit"; cap: number; started: number }
  | { kind: "share"; cap: number; working: number }
  | { kind: "budget"; day: UsedUpDay };

/** Where a waiting run stands in the queue. */
export interface QueuePlace {
  /** Nothing for one that starts as soon as it is its turn. */
  hold?: Hold;
  /** When the hour of its factory, or the day of a budget, allows another run; known only while that holds the run. */
  opensAt?: string;
  /** What it demands of the worker that executes it. */
  placement: string;
  factoryUid: string | null;
  /** Who has its workspace, and since when its turn waits; null for one of which that is not known, and for a first turn. */
  home: string | null;
  turnAskedAt: string | null;
  /**
   * How many runs that wait for the same start before it; no more than {@link MAX_AHEAD} are counted. Where nothing holds it, they
   * are those of its factory.
   */
  ahead: number;
  /** Runs of other factories have their turn before it, too. */
  isBehindOthers?: true;
}

/** Finds why runs wait. */
export interface QueuePlaceStore {
  /**
   * Why a run waits, and how many start before it; nothing for one that does not wait.
   * @param within uids of the only factories whose runs are counted; null and left out count all
   */
  findQueuePlace(
    id: string,
    caps: RunCaps,
    at: string,
    within?: readonly string[] | null,
  ): Promise<QueuePlace | undefined>;
  /** When the first of the factories that have used up their hour may start a run again. */
  findHourOpening(perHour: RunCaps["factories"], at: string): Promise<string | undefined>;
  /** Whether one more run of a factory would have to wait for the next hour, those that wait already counted in. */
  findHourIsFull(factoryUid: string, cap: number, at: string): Promise<boolean>;
}

/** What the one who executes runs knows of it. */
export interface ExecutorLoad {
  executing: number;
  concurrency: number;
  hasRoom: boolean;
  /** How the connected workers stand to it; only of a run that a worker executes. */
  workers?: WorkerLoad;
  /** How the worker stands that has its workspace, as long as the run waits for that one. */
  awaitedHome?: HomeLoad;
  /** Who makes a machine for it. */
  starter?: RunStarter;
}

/** A worker that makes a machine for a run, on which another worker claims it. */
export interface RunStarter {
  worker: string;
  /** Why there is none yet, in its own words. */
  reason?: string;
  /** It does not try any more. */
  isGivenUp: boolean;
}

/** Why a run waits, in the shape of the API. */
export interface Waiting {
  reason: WaitingReason;
  message: string;
  place: number;
}

export const MAX_AHEAD = 100;

/**
 * Why a run waits, in words.
 * @param isBound whether who asks reaches some factories only: nothing is counted then that others have
 */
export function waitingOf(
  { hold, opensAt, ahead, isBehindOthers, placement, ...load }: QueuePlace & ExecutorLoad,
  { isBound = false, ...names }: { factory: string; automation: string; isBound?: boolean },
): Waiting {
  const held = hold && heldMessage(hold, opensAt, names);
  if (held) return { reason: hold.kind, message: held, place: ahead };
  if (load.starter) return { reason: "starting", message: starterMessage(load.starter), place: ahead };
  const { workers } = load;
  const full = workers ? workersFull(placement, { ...load, workers }, isBound) : serverFull(load, isBound);
  const isBusy = full?.reason === "server_limit" || (full?.reason === "worker_limit" && !isDrained(load));
  if (isBehindOthers && (!full || isBusy)) return { ...shareOf(ahead, names.factory), place: ahead };
  if (full) return { ...full, place: ahead };
  if (ahead === 0) return { reason: "starting", message: "The run is about to start.", place: 0 };
  return { reason: "order", message: `${earlierRuns(ahead)} will start first.`, place: ahead };
}

const earlierRuns = (ahead: number) =>
  ahead === MAX_AHEAD ? `At least ${MAX_AHEAD} earlier runs` : pluralize(ahead, "earlier run");

/** Whether no worker that is there gets a run. */
const isDrained = ({ workers }: ExecutorLoad) =>
  workers !== undefined && workers.draining === workers.fitting;

/** It says nothing of the runs of other factories but that there are some. */
function shareOf(ahead: number, factory: string): Pick<Waiting, "reason" | "message"> {
  const others = "Runs of other factories have their turn first";
  if (ahead === 0) return { reason: "share", message: `${others}.` };
  const own = factory === "" ? "without a factory" : `of the factory ${factory}`;
  return {
    reason: "share",
    message: `${others}, and so ${ahead === 1 ? "has" : "have"} ${lower(earlierRuns(ahead))} ${own}.`,
  };
}

const lower = (text: string) => `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;

function starterMessage({ worker, reason, isGivenUp }: RunStarter): string {
  const does = isGivenUp
    ? `The worker ${worker} could not start a machine for the run, and does not try again`
    : `The worker ${worker} is starting a machine for the run`;
  return reason === undefined ? `${does}.` : `${does}: ${reason}`;
}

function workersFull(
  placement: string,
  {
    workers: { connected, fitting, free, draining },
    awaitedHome: home,
  }: ExecutorLoad & { workers: WorkerLoad },
  isBound: boolean,
): Omit<Waiting, "place"> | undefined {
  if (fitting === 0) {
    const wanted = ["worker", demandText(placement)].filter((part) => part !== "").join(" ");
    const others =
      connected === 0 || isBound ? "." : `; ${connected} ${connected === 1 ? "other is" : "others are"}.`;
    return { reason: "no_worker", message: `No ${wanted} is connected${others}` };
  }
  if (home) return { reason: "workspace", message: homeMessage(home) };
  if (free > 0) return undefined;
  const [who, is, drains, gets] =
    fitting === 1
      ? ["The only connected worker", "is", "drains", "gets"]
      : [`All ${fitting} connected workers`, "are", "drain", "get"];
  const does =
    draining === 0
      ? `${is} busy`
      : draining < fitting
        ? `${is} busy, or ${drains} and ${gets} no more runs`
        : `${drains} and ${gets} no more runs (to end this: \`millrace workers drain NAME --end\`)`;
  return { reason: "worker_limit", message: `${who} that the run could execute on ${does}.` };
}

const HOME_STANDS = {
  away: "is not connected",
  busy: "is busy, or takes no more runs",
  free: "has not taken it yet",
} as const;

function homeMessage({ stands, until }: HomeLoad): string {
  return (
    `The worker that has the workspace of the run ${HOME_STANDS[stands]}. ` +
    `After ${until}, any other worker that the run could execute on starts its turn in a new workspace.`
  );
}

function serverFull(
  { executing, concurrency, hasRoom }: ExecutorLoad,
  isBound: boolean,
): Omit<Waiting, "place"> | undefined {
  if (!hasRoom) {
    return { reason: "disk_space", message: "The server starts no runs until it has more free disk space." };
  }
  if (executing < concurrency) return undefined;
  if (isBound) {
    return {
      reason: "server_limit",
      message: "The server executes as many runs at the same time as it can.",
    };
  }
  const message = `${executing} of ${pluralize(concurrency, "run")} that the server executes at the same time ${areFor(concurrency)} in progress.`;
  return { reason: "server_limit", message };
}

function heldMessage(
  hold: Hold,
  opensAt: string | undefined,
  { factory, automation }: { factory: string; automation: string },
): string {
  switch (hold.kind) {
    case "paused":
      return `${pausedThing(hold.pause, factory)} is paused${hold.pause.reason ? `: ${hold.pause.reason}` : "."}`;
    case "window":
      return `The run waits for further deliveries, and can start at ${hold.endsAt} if no more come.`;
    case "key":
      return hold.holder === null
        ? `Another run with the key ${hold.key} has not ended.`
        : `The run ${hold.holder} with the key ${hold.key} has not ended.`;
    case "provider_limit": {
      const { credential, model, until, reason } = hold.hold;
      return `Runs with the credential ${credential} and the model ${model} wait until ${until}: ${reason}`;
    }
    case "automation_limit":
      return hold.working >= hold.cap
        ? `${hold.working} of ${pluralize(hold.cap, "run")} of the automation ${automation} ${areFor(hold.cap)} in progress.`
        : `The automation ${automation} is limited to ${pluralize(hold.cap, "run")} at the same time, and earlier runs start first.`;
    case "hourly_limit": {
      const opens = opensAt === undefined ? "" : ` The next one can start at ${opensAt}.`;
      return hold.started >= hold.cap
        ? `The factory ${factory} has started ${hold.started} of ${pluralize(hold.cap, "run")} in the last hour.${opens}`
        : `The factory ${factory} is limited to ${pluralize(hold.cap, "run")} per hour, and earlier runs start first.`;
    }
    case "share":
      return hold.working >= hold.cap
        ? `${hold.working} of ${pluralize(hold.cap, "run")} that the share of the factory ${factory} allows ${areFor(hold.cap)} in progress.`
        : `The share of the factory ${factory} allows ${pluralize(hold.cap, "run")} at the same time, and earlier runs start first.`;
    case "budget": {
      const opens = opensAt === undefined ? "" : ` Runs can start again at ${opensAt}.`;
      return `${usedUpText(hold.day)}${opens}`;
    }
  }
}

const areFor = (count: number) => (count === 1 ? "is" : "are");

function pausedThing({ factoryUid, webhookUid, automationUid, name }: Pause, factory: string): string {
  if (automationUid !== null) return `The automation ${name ?? automationUid}`;
  if (webhookUid !== null) return `The webhook ${name ?? webhookUid}`;
  return factoryUid === null ? "The server" : `The factory ${factory}`;
}
