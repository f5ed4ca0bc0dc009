import type { Metrics } from "../api/admin/metrics.ts";
import { eventResources } from "../api/messages/explain-outbound.ts";
import type { CommitSignal, Leadership } from "../concurrency/rounds.ts";
import type { Config } from "../config/config.ts";
import { startFeedback } from "../feedback/factory-feedback.ts";
import type { Feedback } from "../feedback/feedback.ts";
import type { Log } from "../log.ts";
import { type Notifier, startNotifications } from "../messages/notifications.ts";
import { type EventResources, type OutboundSender, startOutbound } from "../messages/outbound-events.ts";
import { addressRules } from "../outbound/address-rules.ts";
import { createOutboundClient } from "../outbound/outbound-client.ts";
import type { Planner } from "../plans/planner.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { Vault } from "../secrets/vault.ts";
import type { OpenStore } from "../store/open-store.ts";
import type { Stops } from "./stops.ts";

interface ReportingDeps {
  config: Config;
  store: OpenStore;
  vault: Vault;
  factories: Factories;
  planner: Planner;
  metrics: Metrics;
  commits: CommitSignal;
  leadership: Leadership;
  publicUrl(): string;
  env: Record<string, string | undefined>;
  log: Log;
  now: () => Date;
}

/** Starts what reports to others: to forges about commits and pull requests, to people about what needs them, to programs about events. */
export function startReporting(
  {
    config,
    store,
    vault,
    factories,
    planner,
    metrics,
    commits,
    leadership,
    publicUrl,
    env,
    log,
    now,
  }: ReportingDeps,
  stopping: AbortController,
  stops: Stops,
): { feedback: Feedback; notifier: Notifier; outboundSender: OutboundSender; resources: EventResources } {
  const feedback = startFeedback(
    factories,
    {
      store: store.feedback,
      revisions: store.factories,
      planner,
      leadership,
      onEnded: metrics.reportedFeedback,
      log,
      now,
    },
    stopping,
  );
  stops.push(feedback.stop);
  const client = createOutboundClient({ isPermitted: addressRules(config.outboundAllow), env });
  const notifier = startNotifications({
    settings: config.notifications,
    smtp: config.smtp,
    store: store.notifications,
    deliveries: store.deliveries,
    client,
    leadership,
    nextCommit: commits.next,
    onEnded: metrics.notified,
    catchUp: factories.catchUp,
    vault,
    factories,
    publicUrl,
    env,
    log,
    now,
  });
  stops.push(notifier.stop);
  const resources = eventResources({
    ...store,
    records: store.factories,
    factories,
    feedback,
    publicUrl,
    now,
  });
  const outboundSender = startOutbound({
    settings: config.outbound,
    store: store.outbound,
    resources,
    onEnded: metrics.postedEvent,
    nextCommit: commits.next,
    catchUp: factories.catchUp,
    client,
    leadership,
    vault,
    factories,
    env,
    log,
    now,
  });
  stops.push(outboundSender.stop);
  return { feedback, notifier, outboundSender, resources };
}
