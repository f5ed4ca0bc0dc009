import type { Runner } from "../../definitions/definition.ts";
import { canonicalWorkerHost, labelsOf } from "../../definitions/worker-host.ts";
import { pluralize } from "../../pluralize.ts";

/** The placement of runs that name no worker: the server executes them, or any worker where it executes none. */
export const DEFAULT_PLACEMENT = "";

/** What a run demands of the worker that executes it. */
export interface Demands {
  /** A name, or `labels:` with labels. */
  host: string;
  os?: string;
  arch?: string;
  vcpus?: number;
  memoryGb?: number;
}

/** A worker as far as the placement of runs looks at it. */
export interface PlacementWorker {
  /** Several workers may have one name: it is that of a pool. */
  name: string;
  labels: readonly string[];
  /** Null while it has not reported one. */
  platform: { os: string; arch: string } | null;
  shape: { vcpus: number; memoryGb: number } | null;
  /** How it isolates agents; null while it has not reported that. */
  sandbox?: string | null;
  /** Uids of the only factories whose runs it may have; null for all runs, also those of no factory. */
  factories: readonly string[] | null;
}

/** What a worker reports as its sandbox that has runs executed on other machines, which are made for them. */
export const STARTS_ELSEWHERE = "command";

/** A worker that is connected at the moment. */
export interface ConnectedWorker extends PlacementWorker {
  /** Of the worker and of the process, as its leases name them. */
  id?: string;
  processUid?: string;
  /** Where its workspaces are. */
  home: string;
  /** How many runs it executes. */
  executing: number;
  /** How many runs it executes at the same time; null when it has not reported that. */
  concurrency: number | null;
  /** It takes no more runs. */
  isDraining: boolean;
}

/**
 * What a run demands, as one text by which it is stored, claimed and counted: two runs with the same demands have the
 * same text. What a runner asks of the machine counts only for runs that name a worker: everywhere else it is ignored
 * with a notice.
 */
export function placementOf(
  workerHost: string | undefined,
  { platform, instanceShape }: Pick<Runner, "platform" | "instanceShape"> = {},
): string {
  const host = canonicalWorkerHost(workerHost);
  if (host === "") return DEFAULT_PLACEMENT;
  const demands = {
    os: platform?.os,
    arch: platform?.arch,
    vcpus: instanceShape?.vcpus,
    memory: instanceShape?.memoryGb,
  };
  const parts = Object.entries(demands).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}=${value}`],
  );
  // Definitions that were applied before the form of a host was checked may have any text there.
  return [encodeURIComponent(host), ...parts].join(";");
}

/** The demands of a placement that is not the default one. */
export function demandsOf(placement: string): Demands {
  const [host = "", ...parts] = placement.split(";");
  const demands = new Map(parts.map((part) => part.split("=") as [string, string]));
  const { os, arch, vcpus, memory } = Object.fromEntries(demands);
  return {
    host: decodeURIComponent(host),
    ...(os === undefined ? {} : { os }),
    ...(arch === undefined ? {} : { arch }),
    ...(vcpus === undefined ? {} : { vcpus: Number(vcpus) }),
    ...(memory === undefined ? {} : { memoryGb: Number(memory) }),
  };
}

/** Whether a worker gives what a placement demands. Whose runs it may have is said by {@link mayExecute}. */
export function fits(
  placement: string,
  { name, labels, platform, shape, sandbox }: PlacementWorker,
): boolean {
  if (placement === DEFAULT_PLACEMENT) return true;
  const { host, os, arch, vcpus = 0, memoryGb = 0 } = demandsOf(placement);
  const wanted = labelsOf(host);
  if (wanted ? !wanted.every((label) => labels.includes(label)) : name !== host) return false;
  if (sandbox === STARTS_ELSEWHERE) return true;
  // A worker that has not reported what it is does not count as what a run asks for.
  if (os !== undefined && os !== platform?.os) return false;
  if (arch !== undefined && arch !== platform?.arch) return false;
  return (shape?.vcpus ?? 0) >= vcpus && (shape?.memoryGb ?? 0) >= memoryGb;
}

/** Whether a worker may have the runs of a factory; null is no factory. */
export function mayExecute(factoryUid: string | null, { factories }: PlacementWorker): boolean {
  return factories === null || (factoryUid !== null && factories.includes(factoryUid));
}

/**
 * The placements, of those that wait, whose runs a worker can claim. Runs that name no worker are left to the server as
 * long as it executes runs itself.
 */
export function placementsFor(
  worker: PlacementWorker,
  queued: readonly string[],
  { isServerExecuting }: { isServerExecuting: boolean },
): string[] {
  return queued.filter(
    (placement) => (placement !== DEFAULT_PLACEMENT || !isServerExecuting) && fits(placement, worker),
  );
}

/** What a placement demands, in words that follow "worker": `with labels gpu, eu and 4 vCPUs`. */
export function demandText(placement: string): string {
  if (placement === DEFAULT_PLACEMENT) return "";
  const { host, os, arch, vcpus, memoryGb } = demandsOf(placement);
  const labels = labelsOf(host);
  const machine = [
    ...(os === undefined && arch === undefined
      ? []
      : [[os, arch].filter((part) => part !== undefined).join(" on ")]),
    ...(vcpus === undefined ? [] : [`at least ${pluralize(vcpus, "vCPU")}`]),
    ...(memoryGb === undefined ? [] : [`at least ${memoryGb} GB of memory`]),
  ];
  const who = labels
    ? `with ${labels.length === 1 ? "label" : "labels"} ${labels.join(", ")}`
    : `named ${host}`;
  return machine.length === 0 ? who : `${who} (${machine.join(", ")})`;
}

/** How connected workers stand to a run that waits for one. */
export interface WorkerLoad {
  connected: number;
  /** Those that the run can execute on. */
  fitting: number;
  /** Those of them that can take a run now. */
  free: number;
  /** Those that take no more runs. */
  draining: number;
}

/** Whether a worker can take a run now. */
function isFree({ isDraining, executing, concurrency }: ConnectedWorker): boolean {
  return !isDraining && (concurrency === null || executing < concurrency);
}

/** Counts the connected workers for a run that a worker executes. */
export function workerLoad(
  { placement, factoryUid }: { placement: string; factoryUid: string | null },
  workers: readonly ConnectedWorker[],
): WorkerLoad {
  const fitting = workers.filter((worker) => fits(placement, worker) && mayExecute(factoryUid, worker));
  return {
    connected: workers.length,
    fitting: fitting.length,
    free: fitting.filter(isFree).length,
    draining: fitting.filter(({ isDraining }) => isDraining).length,
  };
}

/** The waiting runs that one who claims can have. */
export interface ClaimReach {
  placements: readonly string[];
  /** Uids of the only factories whose runs are claimed; null for all runs. */
  factories: readonly string[] | null;
  /** Where the one who claims has its workspaces; left out by those who have none. */
  home?: string;
  /** Turns that were asked for at this instant or later are left to whoever has the workspace of their run. Left out: none are. */
  leftSince?: string;
  /** Whose executions factories share: those of the server where it is left out, else those of the workers with a name. */
  executor?: string;
  /** The only run that is claimed. */
  run?: string;
}

/** The home of runs whose workspaces the server has. */
export const SERVER_HOME = "local";

/** What the server claims for itself. No worker takes these runs as long as it does, so it leaves none to them. */
export const SERVER_REACH: ClaimReach = {
  placements: [DEFAULT_PLACEMENT],
  factories: null,
  home: SERVER_HOME,
};

/** Runs that wait, and runs that execute, by what they demand. */
export interface Demand {
  placement: string;
  waiting: number;
  executing: number;
  /** When the oldest of those that wait began to wait. */
  oldestSince: string | null;
}

/** Runs of a placement that no worker has fitted for too long. */
export interface UnfittedRuns {
  placement: string;
  /** Factories that a worker is there for. */
  exceptFactories: readonly string[];
  /** Only runs that have waited since then. */
  queuedBefore: string;
  message: string;
}

/** Knows what waiting runs demand. */
export interface PlacementStore {
  /** The placements of which runs wait; as many steps as there are placements. */
  listQueuedPlacements(): Promise<string[]>;
  listDemand(): Promise<Demand[]>;
  /** Ends, in ERROR, at most so many runs that have waited too long. @returns how many */
  endUnfitted(runs: UnfittedRuns, limit: number, at: string): Promise<number>;
}

/** A worker that is there takes a turn within this time. */
const TAKEN_WITHIN_MS = 3_000;

/** How the worker stands that has the workspace of a run, for which the run waits. */
export interface HomeLoad {
  /** free: it is connected and has room, but has not taken the turn. */
  stands: "away" | "busy" | "free";
  /** The instant after which any other worker takes the run. */
  until: string;
}

/**
 * Why a later turn is left to the worker that has the workspace of its run, by the same rule by which turns are claimed.
 * @returns nothing for a turn that somebody takes now
 */
export function homeLoad(
  { home, turnAskedAt }: { home: string | null; turnAskedAt: string | null },
  workers: readonly ConnectedWorker[],
  { waitMs, at }: { waitMs: number; at: Date },
): HomeLoad | undefined {
  if (home === null || home === SERVER_HOME || turnAskedAt === null) return undefined;
  const until = new Date(Date.parse(turnAskedAt) + waitMs);
  if (until < at) return undefined;
  const own = workers.filter((worker) => worker.home === home);
  const isThere = own.some(isFree);
  // One that has been killed counts as connected for a minute.
  if (isThere && at.getTime() - Date.parse(turnAskedAt) < TAKEN_WITHIN_MS) return undefined;
  const stands = isThere ? "free" : own.length > 0 ? "busy" : "away";
  return { stands, until: until.toISOString() };
}

/** Whose executions a run takes part of. Several workers may have the labels of a run: which one will execute it is not known. */
export function executorOf(placement: string): string {
  if (placement === DEFAULT_PLACEMENT) return "";
  const { host } = demandsOf(placement);
  return labelsOf(host) ? "" : host;
}
