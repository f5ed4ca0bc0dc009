import type { Request, Router } from "express";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { isLoopbackAddress } from "../../config/loopback.ts";
import { MillraceError } from "../../errors/error.ts";
import type { Feedback, FeedbackOutcome } from "../../feedback/feedback.ts";
import type { DeliveryOutcome, DeliveryStore } from "../../ingress/delivery.ts";
import type { DropReason } from "../../ingress/dropped.ts";
import type { RefusalReason } from "../../ingress/refusal.ts";
import type { NotificationStore } from "../../messages/notifications.ts";
import type { OutboundStore } from "../../messages/outbound-events.ts";
import type { MessageOutcome } from "../../messages/start-outbox.ts";
import { buildInfo } from "../../platform/version.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { SYNC_STATUSES } from "../../reconcile/factory.ts";
import type { RunStore } from "../../runs/run-store.ts";
import { type AuthorizeDeps, authenticateCaller, requireRole } from "../http/authorize.ts";
import { createRunMetrics, type RunGaugeDeps, type RunMetrics, runGauges } from "./run-metrics.ts";

/** What the parts of the program report while they work. Labels are of closed sets, or names of a definition: no address, name or token of a sender. */
export interface Metrics {
  delivered(outcome: DeliveryOutcome): void;
  refused(reason: RefusalReason): void;
  /** A delivery was refused without a record. */
  dropped(webhook: { factory: string; webhook: string }, reason: DropReason): void;
  /** @param seconds between the last header of a delivery and its 202 */
  accepted(seconds: number): void;
  /** @param calls how many shared one transaction of the store */
  committed(calls: number): void;
  /** A forge was told how something stands, or could not be. */
  reportedFeedback(outcome: FeedbackOutcome): void;
  /** A notification was sent, or not. */
  notified(outcome: MessageOutcome, count?: number): void;
  /** An event was posted to an outbound webhook, or not. */
  postedEvent(outcome: MessageOutcome, count?: number): void;
  runs: RunMetrics;
  disk: DiskMetrics;
  registry: Registry;
}

/** Metrics of one server, at zero. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  registerBuild(registry);
  const deliveries = new Counter({
    name: "millrace_deliveries_total",
    help: "Deliveries recorded, by outcome",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const refusals = new Counter({
    name: "millrace_ingress_refusals_total",
    help: "Requests to the ingress that were refused, by reason",
    labelNames: ["reason"],
    registers: [registry],
  });
  const drops = new Counter({
    name: "millrace_ingress_dropped_total",
    help: "Deliveries refused without a record, by webhook and reason",
    labelNames: ["factory", "webhook", "reason"],
    registers: [registry],
  });
  const latency = new Histogram({
    name: "millrace_ingress_accept_seconds",
    help: "Time from the last header of a delivery to its 202 response",
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  });
  const batches = new Histogram({
    name: "millrace_store_batch_calls",
    help: "Writes committed in one transaction of the store",
    buckets: [1, 2, 4, 8, 16, 32, 64, 128, 256, 512],
    registers: [registry],
  });
  const feedback = new Counter({
    name: "millrace_feedback_total",
    help: "Checks and statuses reported to forges, by result",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const notifications = new Counter({
    name: "millrace_notifications_total",
    help: "Attempts to send notifications, by result; dropped notifications were not stored",
    labelNames: ["outcome"],
    registers: [registry],
  });
  const posted = new Counter({
    name: "millrace_outbound_events_total",
    help: "Attempts to post events to outbound webhooks, by result; dropped events were not sent",
    labelNames: ["outcome"],
    registers: [registry],
  });
  return {
    delivered: (outcome) => deliveries.inc({ outcome }),
    refused: (reason) => refusals.inc({ reason }),
    dropped: (webhook, reason) => drops.inc({ ...webhook, reason }),
    accepted: (seconds) => latency.observe(seconds),
    committed: (calls) => batches.observe(calls),
    reportedFeedback: (outcome) => feedback.inc({ outcome }),
    notified: (outcome, count = 1) =>
      notifications.inc({ outcome: outcome === "waiting" ? "retried" : outcome }, count),
    postedEvent: (outcome, count = 1) =>
      posted.inc({ outcome: outcome === "waiting" ? "retried" : outcome }, count),
    runs: createRunMetrics(registry),
    disk: createDiskMetrics(registry),
    registry,
  };
}

/** One series whose labels say which program this is. */
function registerBuild(registry: Registry): void {
  const { version, commit, node } = buildInfo();
  new Gauge({
    name: "millrace_build_info",
    help: "1, with the version of the server, the commit that it was built from, and the version of Node",
    labelNames: ["version", "commit", "node"],
    registers: [registry],
  }).set({ version, commit: commit ?? "", node }, 1);
}

export interface MetricsDeps extends AuthorizeDeps {
  metrics: Metrics;
  factories: Factories;
  feedback: Pick<Feedback, "waiting">;
  notifications: Pick<NotificationStore, "findWaiting">;
  outbound: Pick<OutboundStore, "findWaiting">;
  runs: RunGaugeDeps["runs"] & Pick<RunStore, "find" | "findByToken">;
  deliveries: Pick<DeliveryStore, "findSearchBacklog">;
  /** Whether everybody may read them. */
  publicMetrics: boolean;
  /** Whether a connection from this machine is an operator's: no proxy stands in front, and no agent can send from here. */
  trustsThisMachine: boolean;
}

/**
 * `GET /metrics` in the text format of Prometheus: with a key. Without one only where the settings open it, or from this very
 * machine where no agent can send from there.
 */
export function metricsRoute(router: Router, deps: MetricsDeps): void {
  const { registry, runs } = deps.metrics;
  runs.nameBy(deps.factories);
  const measureRuns = runGauges(registry, deps);
  const measureFactories = factoryGauges(registry, deps.factories);
  const waiting = new Gauge({
    name: "millrace_feedback_waiting",
    help: "Checks and statuses not yet reported to forges",
    registers: [registry],
  });
  const unsent = new Gauge({
    name: "millrace_notifications_waiting",
    help: "Notifications not yet sent",
    registers: [registry],
  });
  const unposted = new Gauge({
    name: "millrace_outbound_events_waiting",
    help: "Events not yet posted to outbound webhooks",
    registers: [registry],
  });
  router.get("/metrics", async (request, response) => {
    if (!isOpen(request, deps) || request.headers.authorization !== undefined) {
      const caller = await authenticateCaller(request, deps);
      requireRole(caller, "viewer", { toRunToken: false });
      if (caller.kind === "key" && caller.key.factories !== null) {
        throw new MillraceError(
          "not_authorized",
          "Metrics cover the whole server, but the API key is limited to some factories.",
        );
      }
    }
    await measureRuns();
    measureFactories();
    runs.forgetDeleted(deps.factories);
    waiting.set(deps.feedback.waiting());
    unsent.set(await deps.notifications.findWaiting());
    unposted.set(await deps.outbound.findWaiting());
    response.type(registry.contentType).send(await registry.metrics());
  });
}

const FORWARDING_HEADERS = [
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "via",
];

function isOpen(request: Request, { publicMetrics, trustsThisMachine }: MetricsDeps): boolean {
  return (
    publicMetrics || (trustsThisMachine && isFromThisMachine(request.socket.remoteAddress, request.headers))
  );
}

function isFromThisMachine(address: string | undefined, headers: Record<string, unknown>): boolean {
  return isLoopbackAddress(address ?? "") && FORWARDING_HEADERS.every((name) => headers[name] === undefined);
}

function factoryGauges(registry: Registry, factories: Factories) {
  const status = new Gauge({
    name: "millrace_factory_sync_status",
    help: "1 for the status of a factory's last sync attempt",
    labelNames: ["factory", "status"],
    registers: [registry],
  });
  const age = new Gauge({
    name: "millrace_factory_sync_age_seconds",
    help: "Time since the last attempt to apply a revision of a factory, and since the last successful attempt",
    labelNames: ["factory", "event"],
    registers: [registry],
  });
  return () => {
    status.reset();
    age.reset();
    for (const { record } of factories.list()) {
      const { name: factory, sync } = record;
      for (const each of SYNC_STATUSES) status.set({ factory, status: each }, sync.status === each ? 1 : 0);
      for (const [event, at] of [
        ["attempted", sync.attemptedAt],
        ["applied", sync.appliedAt],
      ] as const) {
        if (at) age.set({ factory, event }, (Date.now() - Date.parse(at)) / 1_000);
      }
    }
  };
}

/** What a server has stored, in bytes. */
export type StoredBytes = Readonly<Record<string, number>>;

/** Is told what was measured of the disk; a request for metrics measures nothing. */
export interface DiskMetrics {
  stored(parts: StoredBytes): void;
  volume(folder: string, bytes: { free: number; size: number }): void;
}

function createDiskMetrics(registry: Registry): DiskMetrics {
  const registers = [registry];
  const stored = new Gauge({
    name: "millrace_data_folder_bytes",
    help: "Disk space that the data of the server uses, by part; measured every ten minutes",
    labelNames: ["part"],
    registers,
  });
  const free = new Gauge({
    name: "millrace_disk_free_bytes",
    help: "Free space on the volumes of the data folder; measured every minute",
    labelNames: ["volume"],
    registers,
  });
  const size = new Gauge({
    name: "millrace_disk_size_bytes",
    help: "Size of the volumes of the data folder",
    labelNames: ["volume"],
    registers,
  });
  return {
    stored(parts) {
      for (const [part, bytes] of Object.entries(parts)) stored.set({ part }, bytes);
    },
    volume(folder, bytes) {
      free.set({ volume: folder }, bytes.free);
      size.set({ volume: folder }, bytes.size);
    },
  };
}
