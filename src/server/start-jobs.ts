import { expireSecretAnswers } from "../api/http/secret-answers.ts";
import { pruneChanges } from "../changes/log.ts";
import { inBatches, type PeriodicJob, startPeriodicJobs } from "../concurrency/periodic-jobs.ts";
import type { Leadership } from "../concurrency/rounds.ts";
import type { Config } from "../config/config.ts";
import { retentionOf } from "../config/retention.ts";
import type { FileWorker } from "../executor/files/file-worker.ts";
import { keepDiskTotal } from "../executor/workspace/remove-ended.ts";
import type { Workspaces } from "../executor/workspace/workspaces.ts";
import { packRepositories } from "../git/managed/place-repository.ts";
import { type MirrorCache, removeUnusedMirrors } from "../git/mirrors/mirror-cache.ts";
import { pruneDeliveries } from "../ingress/delivery.ts";
import { pruneEvents } from "../insight/pull-request.ts";
import type { Log } from "../log.ts";
import { pruneOutbox } from "../messages/outbox.ts";
import type { IdentityKeys } from "../oidc/identity-keys.ts";
import { pruneAudit } from "../principals/audit.ts";
import { pruneSessions } from "../principals/session.ts";
import { endUnfitted, type UnfittedDeps } from "../runs/end-unfitted.ts";
import { forgetAnswers } from "../runs/idempotency.ts";
import type { ArtifactBytes } from "../runs/output/artifact-bytes.ts";
import { artifactSweep } from "../runs/output/artifact-sweep.ts";
import type { Queue } from "../runs/queue.ts";
import { FOR_EVER, pruneRuns, pruneTranscripts, pruneUsage, pruneWorkspaces } from "../runs/retention.ts";
import { pruneFirings } from "../runs/schedules/schedule.ts";
import { forgetTasks } from "../runs/tasks/task.ts";
import { pruneTriggered } from "../runs/triggers/follow-events.ts";
import type { Store } from "../store/store.ts";
import { DAY_MS, formatDuration } from "../time/duration.ts";
import type { Workers } from "../workers/workers.ts";
import { pruneProcesses } from "../workers/workers.ts";

interface JobDeps {
  config: Config;
  store: Store;
  identityKeys: Pick<IdentityKeys, "rotate">;
  workspaces: Workspaces;
  onDisk: Parameters<typeof retentionJobs>[2];
  registry: Pick<Workers, "connected">;
  queue: Pick<Queue, "wake">;
  leadership: Leadership;
  log: Log;
  now: () => Date;
}

/**
 * Starts what is done every few minutes: deleting what is old, ending what has waited too long, and replacing keys.
 * @returns what ends it
 */
export function startJobs(deps: JobDeps): () => Promise<void> {
  const { config, store, identityKeys, workspaces, onDisk, registry, queue, leadership, log, now } = deps;
  const waiting = {
    store: store.runs,
    connectedWorkers: registry.connected,
    onEnded: queue.wake,
    now,
  };
  const jobs = [
    ...retentionJobs(store, workspaces, onDisk, config, now),
    longestWaitJob(config, waiting),
    ofLeader("the keys that sign identity tokens", identityKeys.rotate),
  ];
  return startPeriodicJobs(jobs, leadership, log);
}

/** Ends runs that have waited too long for a worker, as the settings say. */
function longestWaitJob(
  { workers, workerMaxWait: ms }: Pick<Config, "workers" | "workerMaxWait">,
  deps: Omit<UnfittedDeps, "isExecuting" | "maxWait">,
): PeriodicJob {
  const maxWait = { ms, text: formatDuration(ms) };
  return ofLeader(
    "runs that no worker fits",
    endUnfitted({ ...deps, isExecuting: workers === "local", maxWait }),
  );
}

/** What lies beside the store. */
interface OnDisk {
  artifacts: readonly ArtifactBytes[];
  /** Where mirrors are. */
  git: string;
  /** Where the repositories of managed factories are. */
  factories: string;
  mirrors: Pick<MirrorCache, "removeUnused">;
  files: Pick<FileWorker, "run">;
  /** Whether the mirror of this name is that of a source that is served. */
  isServed(name: string): boolean;
}

/** So many of those that were sent or given up are kept, for at most 30 days. */
const KEPT_NOTIFICATIONS = { messages: 10_000, bytes: 256 * 1024 * 1024 };
const KEPT_OUTBOUND = { messages: 50_000, bytes: 1024 * 1024 * 1024 };
/** A mirror that was needed so recently may be needed by a run that is being prepared. */
const MIRRORS_NEEDED_MS = 60 * 60_000;
/** A mirror that no run has needed for so long is made again when one does. */
const MIRRORS_KEPT_MS = 30 * DAY_MS;

/** What of a server would grow for ever, and for how long it is kept. */
function retentionJobs(
  store: Store,
  workspaces: Workspaces,
  { artifacts, git, factories, mirrors, files, isServed }: OnDisk,
  {
    retention,
    sessionIdleTimeout: idleMs,
    diskTotal,
  }: Pick<Config, "retention" | "sessionIdleTimeout" | "diskTotal">,
  now: () => Date,
): PeriodicJob[] {
  const { runs, transcripts } = store;
  const keep = retentionOf(retention);
  const ofRuns = (keepMs: number) => ({ store: runs, keepMs, now });
  const before = (ms: number) => new Date(now().getTime() - ms);
  const inStore = [
    ofLeader("the delivery log", (signal) =>
      pruneDeliveries({ store: store.deliveries, keepMs: keep.deliveries, now }, signal),
    ),
    ofLeader("the audit log", (signal) => pruneAudit({ store: store.audit, now }, signal)),
    ofLeader("dashboard sessions", (signal) => pruneSessions({ store: store.sessions, now, idleMs }, signal)),
    ofLeader("the change log", (signal) => pruneChanges(store.changes, signal)),
    ofLeader("records of fired schedules", (signal) => pruneFirings({ store: store.schedules, now }, signal)),
    ofLeader("records of events that started automations", (signal) =>
      pruneTriggered({ store: store.triggers, now }, signal),
    ),
    ofLeader("the notifications", (signal) =>
      pruneOutbox({ outbox: store.notifications, now }, KEPT_NOTIFICATIONS, signal),
    ),
    ofLeader("the events that were posted", (signal) =>
      pruneOutbox({ outbox: store.outbound, now }, KEPT_OUTBOUND, signal),
    ),
    ofLeader("the processes of workers", (signal) => pruneProcesses({ store: store.workers, now }, signal)),
    ofLeader("idempotency keys", (signal) => forgetAnswers({ store: runs, now }, signal)),
    ofLeader("what runs have used", (signal) =>
      inBatches((limit) => runs.pruneSpend(now().toISOString(), limit), signal),
    ),
    ofLeader("answers with secrets", (signal) =>
      expireSecretAnswers({ store: store.secretAnswers, now }, signal),
    ),
    ...ifLimited(keep.runs, (keepMs) => [
      ofLeader("the runs", (signal) => pruneRuns(ofRuns(keepMs), signal)),
      ofLeader("the tasks", (signal) => forgetTasks({ store: store.tasks, keepMs, now }, signal)),
    ]),
    ofLeader("the usage of deleted runs", (signal) => pruneUsage(ofRuns(keep.usage), signal)),
    ofLeader("events of pull requests", (signal) =>
      pruneEvents({ store: store.pullRequests, keepMs: keep.usage, now }, signal),
    ),
    // After the runs: what belongs to those that are gone goes with them.
    ofLeader("the transcripts", (signal) =>
      pruneTranscripts({ ...ofRuns(keep.transcripts ?? FOR_EVER), transcripts }, signal),
    ),
  ];
  const removeMirrors = (signal: AbortSignal) => mirrors.removeUnused(before(MIRRORS_NEEDED_MS), signal);
  const diskLimit = { store: runs, workspaces, files, git, mostBytes: diskTotal, now, removeMirrors };
  return [
    ...inStore,
    {
      about: "the workspaces",
      prune: (signal) => pruneWorkspaces({ ...ofRuns(keep.workspaces), workspaces }, signal),
    },
    ...artifacts.map((kept) => ({
      about: "artifact files",
      prune: artifactSweep({ store: runs, kept, now }),
    })),
    {
      about: "repository mirrors",
      prune: (signal) => mirrors.removeUnused(before(MIRRORS_KEPT_MS), signal),
    },
    {
      about: "mirrors of sources that are no longer configured",
      prune: (signal) => removeUnusedMirrors(git, before(MIRRORS_KEPT_MS), signal, isServed),
    },
    {
      about: "small files in the repositories of managed factories",
      prune: (signal) => packRepositories(factories, signal),
    },
    {
      about: "workspaces and mirrors over the size limit",
      prune: (signal) => keepDiskTotal(diskLimit, signal),
    },
  ];
}

/** A job on what is in the store alone, so that one server does it for all. */
function ofLeader(about: string, prune: PeriodicJob["prune"]): PeriodicJob {
  return { about, isForLeader: true, prune };
}

/** Jobs that there are only if the settings limit how long something is kept. */
function ifLimited(keepMs: number | undefined, jobs: (keepMs: number) => PeriodicJob[]): PeriodicJob[] {
  return keepMs === undefined ? [] : jobs(keepMs);
}
