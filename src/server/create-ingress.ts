import type { Metrics } from "../api/admin/metrics.ts";
import type { RunDeps } from "../api/runs/find-run.ts";
import { tellEnd } from "../api/runs/run-actions.ts";
import type { Config } from "../config/config.ts";
import { countDropped } from "../ingress/dropped.ts";
import { createGate, type GateDeps } from "../ingress/gate.ts";
import type { LatestDefinitions } from "../ingress/webhook-table.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { KeyEffects } from "../runs/rules/run-key.ts";
import type { Store } from "../store/store.ts";
import type { Stops } from "./stops.ts";

interface IngressParts extends KeyTelling, Pick<GateDeps, "room" | "publicUrl" | "log" | "now"> {
  store: Store["deliveries"];
  factories: Pick<Factories, "find">;
  metrics: Metrics;
}

/** The ingress, with the counts of what it refuses without a record, and all that it reports to the metrics. */
export function createIngress(
  config: Config,
  { store, factories, metrics, room, queue, meter, publicUrl, log, now }: IngressParts,
  definitions: LatestDefinitions,
  stops: Stops,
) {
  const dropped = countDropped({
    store,
    onDropped({ name: webhook, factoryUid }, reason) {
      metrics.dropped({ factory: factories.find(factoryUid)?.record.name ?? factoryUid, webhook }, reason);
    },
    log,
    now,
  });
  stops.push(dropped.stop);
  const gate = createGate(config, {
    room,
    store,
    ...definitions,
    dropped,
    onRuns: queue.wake,
    onKeys: tellOfKeys({ queue, meter }),
    onRecorded: metrics.delivered,
    onRefused: metrics.refused,
    onAnswered: metrics.accepted,
    publicUrl,
    log,
    now,
  });
  stops.push(gate.stop);
  return { gate, dropped };
}

/** Who executes runs, and who counts them. */
type KeyTelling = Pick<RunDeps, "queue" | "meter">;

/** Tells those who execute runs of what a delivery has done to runs that were there before. */
function tellOfKeys({ queue, meter }: KeyTelling): (effects: KeyEffects) => void {
  return ({ ended, messaged }) => {
    for (const member of ended) tellEnd(member, { queue, meter });
    for (const id of messaged) queue.notify(id);
  };
}
