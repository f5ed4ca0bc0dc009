import { MAX_LABELS, WORKER_LABEL, WORKER_NAME } from "../../definitions/worker-host.ts";
import { remoteHome } from "../../runs/rules/remote-worker.ts";
import type { ProcessFacts, Worker, WorkerProcess } from "../worker.ts";

/** A process that was last seen longer ago is not connected: a beat takes half a minute at most. */
export const CONNECTED_FOR_MS = 60_000;

/** draining: connected, and gets no new turns. offline: no process is connected, whether it is draining or not. */
export type WorkerState = "connected" | "draining" | "offline";

/** A worker with the processes that have used its token lately. */
export interface WorkerStanding {
  worker: Worker;
  state: WorkerState;
  /** Those that are connected, the oldest first. */
  connected: WorkerProcess[];
  /** The one that was seen last, connected or not. */
  last: WorkerProcess | undefined;
}

/** A process that can be given turns now, with what decides which ones. */
export interface ConnectedProcess {
  id: string;
  name: string;
  labels: string[];
  factories: string[] | null;
  processUid: string;
  /** Where its workspaces are. */
  home: string;
  platform: WorkerProcess["platform"];
  shape: WorkerProcess["shape"];
  sandbox: WorkerProcess["sandbox"];
  concurrency: number;
  executing: number;
  isDraining: boolean;
}

/** Before this instant, whoever was last seen is away. */
export function awayBefore(now: Date, connectedFor: number): string {
  return new Date(now.getTime() - connectedFor).toISOString();
}

/** The labels that count for a process: those that its worker was granted; what it reports where none were. */
export function effectiveLabels(worker: Worker, facts: Pick<ProcessFacts, "labels"> | undefined): string[] {
  return worker.labels.length > 0 ? worker.labels : (facts?.labels ?? []);
}

/** Where the workspaces of a process are. One that does not say so has them to itself. */
export function homeOf({ id }: Worker, uid: string, { dataFolder = uid }: ProcessFacts): string {
  return remoteHome(id, dataFolder);
}

/** How a worker stands, with the processes that have its token. @param away instant before which who was last seen is away */
export function standingOf(
  worker: Worker,
  processes: readonly WorkerProcess[],
  away: string,
): WorkerStanding {
  const own = processes.filter(({ workerId }) => workerId === worker.id);
  const connected = own
    .filter(({ seenAt, leftAt }) => leftAt === null && seenAt >= away)
    .sort((a, b) => (`${a.connectedAt} ${a.uid}` < `${b.connectedAt} ${b.uid}` ? -1 : 1));
  const last = own.reduce<WorkerProcess | undefined>(
    (latest, each) => (latest && latest.seenAt >= each.seenAt ? latest : each),
    undefined,
  );
  const whenConnected = worker.drainingSince === null ? "connected" : "draining";
  return { worker, state: connected.length === 0 ? "offline" : whenConnected, connected, last };
}

/** A process of a worker, as it is matched against runs. */
export function connectedProcess(worker: Worker, uid: string, facts: ProcessFacts): ConnectedProcess {
  return {
    id: worker.id,
    name: worker.name,
    labels: effectiveLabels(worker, facts),
    factories: worker.factories,
    processUid: uid,
    home: homeOf(worker, uid, facts),
    platform: facts.platform,
    shape: facts.shape,
    sandbox: facts.sandbox,
    concurrency: facts.concurrency,
    executing: facts.executing,
    isDraining: worker.drainingSince !== null,
  };
}

/** Why a text cannot be a label of a worker, as a sentence; nothing for one that can. */
export function labelProblem(label: string): string | undefined {
  if (WORKER_LABEL.test(label)) return undefined;
  return `The label "${shown(label)}" is not valid: expected 1 to 63 lower-case letters, digits, dots, underscores and hyphens, beginning with a letter or digit.`;
}

/** Why these cannot be the labels of a worker, as a sentence. */
export function labelsProblem(labels: readonly string[]): string | undefined {
  if (labels.length > MAX_LABELS)
    return `A worker has at most ${MAX_LABELS} labels, but ${labels.length} were given.`;
  return labels.map(labelProblem).find((problem) => problem !== undefined);
}

/**
 * Why a text cannot be the name of a worker, as a sentence. A definition names a worker by it, beside `labels:a,b`: so a name
 * has no colon and no comma.
 */
export function workerNameProblem(name: string): string | undefined {
  if (WORKER_NAME.test(name)) return undefined;
  return `The name "${shown(name)}" is not valid: expected 1 to 63 letters, digits, dots, underscores and hyphens, beginning with a letter or digit.`;
}

/** Labels in the order in which they are compared and shown, each once. */
export function sortedLabels(labels: readonly string[]): string[] {
  return [...new Set(labels)].sort();
}

/** What was sent may be of any length. */
const shown = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text);
