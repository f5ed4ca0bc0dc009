import { type ChangeStore, pruneChanges } from "./api/change.ts";
import type { Config } from "./config/config.ts";
import { logRetentionMs } from "./config/retention.ts";
import type { DeliveryStore } from "./ingress/delivery.ts";
import { pruneDeliveries } from "./ingress/retention.ts";
import type { Chore } from "./maintenance.ts";
import { type AuditStore, pruneAudit } from "./principals/audit.ts";
import { forgetAnswers } from "./runs/once.ts";
import type { RunStore } from "./runs/run.ts";
import { pruneFirings, type ScheduleStore } from "./runs/schedule.ts";

interface KeptForAWhile {
  deliveries: DeliveryStore;
  audit: AuditStore;
  changes: ChangeStore;
  runs: RunStore;
  schedules: ScheduleStore;
}

/** What of a store would grow for ever, and for how long it is kept. */
export function chores(store: KeptForAWhile, retention: Config["retention"], now: () => Date): Chore[] {
  const { deliveries, audit, changes, runs, schedules } = store;
  const keepMs = logRetentionMs(retention);
  return [
    {
      about: "the delivery log",
      prune: (signal) => pruneDeliveries({ store: deliveries, keepMs, now }, signal),
    },
    { about: "the audit log", prune: (signal) => pruneAudit({ store: audit, now }, signal) },
    { about: "the log of changes", prune: (signal) => pruneChanges(changes, signal) },
    {
      about: "the due times that have fired",
      prune: (signal) => pruneFirings({ store: schedules, now }, signal),
    },
    { about: "the idempotency keys", prune: (signal) => forgetAnswers({ store: runs, now }, signal) },
  ];
}
