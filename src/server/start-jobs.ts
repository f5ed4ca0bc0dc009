import { expireSecretAnswers, type SecretAnswerStore } from "../api/http/secret-answers.ts";
import { type ChangeStore, pruneChanges } from "../changes/log.ts";
import { inBatches, type PeriodicJob, startPeriodicJobs } from "../concurrency/periodic-jobs.ts";
import type { Leadership } from "../concurrency/rounds.ts";
import type { Config } from "../config/config.ts";
import { retentionOf } from "../config/retention.ts";
import type { FileWorker } from "../executor/files/file-worker.ts";
import { keepDiskTotal } from "../executor/workspace/remove-ended.ts";
import type { Workspaces } from "../executor/workspace/workspaces.ts";
import { packRepositories } from "../git/managed/place-repository.ts";
import { type MirrorCache, removeUnusedMirrors } from "../git/mirrors/mirror-cache.ts";
import { type DeliveryStore, pruneDeliveries } from "../ingress/delivery.ts";
import { type PullRequestStore, pruneEvents } from "../insight/pull-request.ts";
import type { Log } from "../log.ts";
import type { NotificationStore } from "../messages/notifications.ts";
import type { OutboundStore } from "../messages/outbound-events.ts";
import { pruneOutbox } from "../messages/outbox.ts";
import type { IdentityKeys } from "../oidc/identity-keys.ts";
import { type AuditStore, pruneAudit } from "../principals/audit.ts";
import { pruneSessions, type SessionStore } from "../principals/session.ts";
import { endUnfitted, type UnfittedDeps } from "../runs/end-unfitted.ts";
import { forgetAnswers } from "../runs/idempotency.ts";
import type { ArtifactBytes } from "../runs/output/artifact-bytes.ts";
import { artifactSweep } from "../runs/output/artifact-sweep.ts";
import type { TranscriptStore } from "../runs/output/transcript.ts";
import type { Queue } from "../runs/queue.ts";
import { FOR_EVER, pruneRuns, pruneTranscripts, pruneUsage, pruneWorkspaces } from "../runs/retention.ts";
import type { RunStore } from "../runs/run-store.ts";
import { pruneFirings, type ScheduleStore } from "../runs/schedules/schedule.ts";
import { forgetTasks, type TaskStore } from "../runs/tasks/task.ts";
import type { TriggerStore } from "../runs/triggers/factory-event.ts";
import { pruneTriggered } from "../runs/triggers/follow-events.ts";
import type { Store } from "../store/store.ts";
import { DAY_MS, formatDuration } from "../time/duration.ts";
import type { WorkerStore } from "../workers/worker.ts";
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
    { about: "the keys that sign identity tokens", isForLeader: true, prune: identityKeys.rotate },
  ];
  return startPeriodicJobs(jobs, leadership, log);
}

/** Ends runs that have waited too long for a worker, as the settings say. */
function longestWaitJob(
  { workers, workerMaxWait: ms }: Pick<Config, "workers" | "workerMaxWait">,
  deps: Omit<UnfittedDeps, "isExecuting" | "maxWait">,
): PeriodicJob {
  const maxWait = { ms, text: formatDuration(ms) };
  return {
    about: "runs that no worker fits",
    isForLeader: true,
    prune: endUnfitted({ ...deps, isExecuting: workers === "local", maxWait }),
  };
}

interface PrunedStore {
  deliveries: DeliveryStore;
  audit: AuditStore;
  changes: ChangeStore;
  runs: RunStore;
  transcripts: TranscriptStore;
  schedules: ScheduleStore;
  sessions: SessionStore;
  notifications: NotificationStore;
  outbound: OutboundStore;
  tasks: TaskStore;
  triggers: TriggerStore;
  workers: WorkerStore;
  secretAnswers: SecretAnswerStore;
  pullRequests: PullRequestStore;
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

/** What is in the store alone. */
const isForLeader = true;

/** What of a server would grow for ever, and for how long it is kept. */
function retentionJobs(
  store: PrunedStore,
  workspaces: Workspaces,
  { artifacts, git, factories, mirrors, files, isServed }: OnDisk,
  {
    retention,
    sessionIdleTimeout: idleMs,
    diskTotal,
  }: Pick<Config, "retention" | "sessionIdleTimeout" | "diskTotal">,
  now: () => Date,
): PeriodicJob[] {
  const {
    deliveries,
    audit,
    changes,
    runs,
    transcripts,
    schedules,
    sessions,
    notifications,
    outbound,
    tasks,
    triggers,
    workers,
    secretAnswers,
    pullRequests,
  } = store;
  const keep = retentionOf(retention);
  const ofRuns = (keepMs: number) => ({ store: runs, keepMs, now });
  return [
    {
      about: "the delivery log",
      isForLeader,
      prune: (signal) => pruneDeliveries({ store: deliveries, keepMs: keep.deliveries, now }, signal),
    },
    { about: "the audit log", isForLeader, prune: (signal) => pruneAudit({ store: audit, now }, signal) },
    {
      about: "dashboard sessions",
      isForLeader,
      prune: (signal) => pruneSessions({ store: sessions, now, idleMs }, signal),
    },
    { about: "the change log", isForLeader, prune: (signal) => pruneChanges(changes, signal) },
    {
      about: "records of fired schedules",
      isForLeader,
      prune: (signal) => pruneFirings({ store: schedules, now }, signal),
    },
    {
      about: "records of events that started automations",
      isForLeader,
      prune: (signal) => pruneTriggered({ store: triggers, now }, signal),
    },
    {
      about: "the notifications",
      isForLeader,
      prune: (signal) => pruneOutbox({ outbox: notifications, now }, KEPT_NOTIFICATIONS, signal),
    },
    {
      about: "the events that were posted",
      isForLeader,
      prune: (signal) => pruneOutbox({ outbox: outbound, now }, KEPT_OUTBOUND, signal),
    },
    {
      about: "the processes of workers",
      isForLeader,
      prune: (signal) => pruneProcesses({ store: workers, now }, signal),
    },
    {
      about: "idempotency keys",
      isForLeader,
      prune: (signal) => forgetAnswers({ store: runs, now }, signal),
    },
    {
      about: "what runs have used",
      isForLeader,
      prune: (signal) => inBatches((limit) => runs.pruneSpend(now().toISOString(), limit), signal),
    },
    {
      about: "answers with secrets",
      isForLeader,
      prune: (signal) => expireSecretAnswers({ store: secretAnswers, now }, signal),
    },
    ...optional("the runs", keep.runs, (keepMs, signal) => pruneRuns(ofRuns(keepMs), signal)),
    ...optional("the tasks", keep.runs, (keepMs, signal) =>
      forgetTasks({ store: tasks, keepMs, now }, signal),
    ),
    {
      about: "the usage of deleted runs",
      isForLeader,
      prune: (signal) => pruneUsage(ofRuns(keep.usage), signal),
    },
    {
      about: "events of pull requests",
      isForLeader,
      prune: (signal) => pruneEvents({ store: pullRequests, keepMs: keep.usage, now }, signal),
    },
    // After the runs: what belongs to those that are gone goes with them.
    {
      about: "the transcripts",
      isForLeader,
      prune: (signal) => pruneTranscripts({ ...ofRuns(keep.transcripts ?? FOR_EVER), transcripts }, signal),
    },
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
      prune: (signal) => mirrors.removeUnused(new Date(now().getTime() - MIRRORS_KEPT_MS), signal),
    },
    {
      about: "mirrors of sources that are no longer configured",
      prune: (signal) =>
        removeUnusedMirrors(git, new Date(now().getTime() - MIRRORS_KEPT_MS), signal, isServed),
    },
    {
      about: "small files in the repositories of managed factories",
      prune: (signal) => packRepositories(factories, signal),
    },
    {
      about: "workspaces and mirrors over the size limit",
      prune: (signal) =>
        keepDiskTotal(
          {
            store: runs,
            workspaces,
            files,
            git,
            mostBytes: diskTotal,
            now,
            removeMirrors: (ending) =>
              mirrors.removeUnused(new Date(now().getTime() - MIRRORS_NEEDED_MS), ending),
          },
          signal,
        ),
    },
  ];
}

function optional(
  about: string,
  keepMs: number | undefined,
  prune: (keepMs: number, signal: AbortSignal) => Promise<void>,
): PeriodicJob[] {
  return keepMs === undefined ? [] : [{ about, isForLeader, prune: (signal) => prune(keepMs, signal) }];
}
