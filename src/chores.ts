import { type ChangeStore, pruneChanges } from "./api/change.ts";
import type { Config } from "./config/config.ts";
import { retentionOf } from "./config/retention.ts";
import type { MirrorCache } from "./git/mirror-cache.ts";
import { removeUnusedMirrors } from "./git/unused-mirrors.ts";
import type { DeliveryStore } from "./ingress/delivery.ts";
import { pruneDeliveries } from "./ingress/retention.ts";
import { DAY_MS } from "./instant.ts";
import type { Chore } from "./maintenance.ts";
import { type AuditStore, pruneAudit } from "./principals/audit.ts";
import { pruneSessions, type SessionStore } from "./principals/session.ts";
import { artifactSweep } from "./runs/artifact-sweep.ts";
import type { FileWorker } from "./runs/files/file-worker.ts";
import { forgetAnswers } from "./runs/once.ts";
import { FOR_EVER, pruneRuns, pruneTranscripts, pruneWorkspaces } from "./runs/retention.ts";
import type { RunStore } from "./runs/run.ts";
import { pruneFirings, type ScheduleStore } from "./runs/schedule.ts";
import type { TranscriptStore } from "./runs/transcript.ts";
import { keepDiskTotal } from "./runs/workspace/disk-total.ts";
import type { Workspaces } from "./runs/workspace/workspaces.ts";

interface KeptForAWhile {
  deliveries: DeliveryStore;
  audit: AuditStore;
  changes: ChangeStore;
  runs: RunStore;
  transcripts: TranscriptStore;
  schedules: ScheduleStore;
  sessions: SessionStore;
}

/** What lies beside the store. */
interface OnDisk {
  artifacts: string;
  /** Where mirrors are. */
  git: string;
  mirrors: Pick<MirrorCache, "removeUnused">;
  files: Pick<FileWorker, "run">;
  /** Whether the mirror of this name is that of a source that is served. */
  isServed(name: string): boolean;
}

/** A mirror that was needed so recently may be needed by a run that is being prepared. */
const MIRRORS_NEEDED_MS = 60 * 60_000;
/** A mirror that no run has needed for so long is made anew when one does. */
const MIRRORS_KEPT_MS = 30 * DAY_MS;

/** What of a server would grow for ever, and for how long it is kept. */
export function chores(
  store: KeptForAWhile,
  workspaces: Workspaces,
  { artifacts, git, mirrors, files, isServed }: OnDisk,
  {
    retention,
    sessionIdleTimeout: idleMs,
    diskTotal,
  }: Pick<Config, "retention" | "sessionIdleTimeout" | "diskTotal">,
  now: () => Date,
): Chore[] {
  const { deliveries, audit, changes, runs, transcripts, schedules, sessions } = store;
  const keep = retentionOf(retention);
  const ofRuns = (keepMs: number) => ({ store: runs, keepMs, now });
  return [
    {
      about: "the delivery log",
      prune: (signal) => pruneDeliveries({ store: deliveries, keepMs: keep.deliveries, now }, signal),
    },
    { about: "the audit log", prune: (signal) => pruneAudit({ store: audit, now }, signal) },
    { about: "the sessions", prune: (signal) => pruneSessions({ store: sessions, now, idleMs }, signal) },
    { about: "the log of changes", prune: (signal) => pruneChanges(changes, signal) },
    {
      about: "the due times that have fired",
      prune: (signal) => pruneFirings({ store: schedules, now }, signal),
    },
    { about: "the idempotency keys", prune: (signal) => forgetAnswers({ store: runs, now }, signal) },
    ...optional("the runs", keep.runs, (keepMs, signal) => pruneRuns(ofRuns(keepMs), signal)),
    // After the runs: what belongs to those that are gone goes with them.
    {
      about: "the transcripts",
      prune: (signal) => pruneTranscripts({ ...ofRuns(keep.transcripts ?? FOR_EVER), transcripts }, signal),
    },
    {
      about: "the workspaces",
      prune: (signal) => pruneWorkspaces({ ...ofRuns(keep.workspaces), workspaces }, signal),
    },
    {
      about: "the files of artifacts",
      prune: artifactSweep({ store: runs, kept: artifacts, now }),
    },
    {
      about: "the mirrors of repositories",
      prune: (signal) => mirrors.removeUnused(new Date(now().getTime() - MIRRORS_KEPT_MS), signal),
    },
    {
      about: "the mirrors of sources that are served no more",
      prune: (signal) =>
        removeUnusedMirrors(git, new Date(now().getTime() - MIRRORS_KEPT_MS), signal, isServed),
    },
    {
      about: "the total of workspaces and mirrors",
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
): Chore[] {
  return keepMs === undefined ? [] : [{ about, prune: (signal) => prune(keepMs, signal) }];
}
