import { serial } from "../concurrency/serial.ts";
import type { Plan } from "../definitions/changes/plan.ts";
import type { PlanWarning } from "../definitions/changes/plan-warning.ts";
import { TRAFFIC_DAYS } from "../definitions/changes/prune-guard.ts";
import { FILE_START } from "../definitions/problem.ts";
import { errorMessage } from "../errors/error.ts";
import type { SpendStore } from "../insight/usage.ts";
import type { Log } from "../log.ts";
import type { Factories } from "../reconcile/factories.ts";
import type { Evaluation } from "../reconcile/reconcile.ts";
import { ROLLBACK } from "../reconcile/rollback.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { warnOfSecond } from "../reconcile/second-factory.ts";
import type { ReachStore } from "../runs/turn/reaches.ts";
import { DAY_MS } from "../time/duration.ts";
import { deniedReaches } from "./denied-reaches.ts";
import { type PlanReport, reportPlan } from "./plan-report.ts";
import { type PlanSubject, treeFor } from "./plan-subject.ts";
import { listenersOf } from "./replay.ts";
import { type ReplayDeps, replayTraffic } from "./replay-traffic.ts";
import { priceTraffic } from "./run-cost.ts";

export interface PlannerDeps extends ReplayDeps {
  spend: Pick<SpendStore, "listRunCosts">;
  factories: Pick<Factories, "list" | "get">;
  reaches: Pick<ReachStore, "listFactoryReaches">;
  /** The factory that the settings name for runs whose requests name none. */
  defaultFactory: { readonly name: string | undefined };
  log: Log;
}

/** Makes plans that know of traffic, for whoever asks: a request of the API, or a pull request. */
export interface Planner {
  /**
   * What would change if something came into force, and which runs the deliveries of the last days would have started.
   * @throws SourceError when the source cannot be read
   */
  plan(factory: Factory, subject: PlanSubject, options?: { traffic: boolean }): Promise<TrafficAwarePlan>;
}

export interface TrafficAwarePlan {
  report: PlanReport;
  /** Whether it is a pull request that leaves the definition as the branch has it. */
  isUntouched: boolean;
  /** The uid of another factory that the source would go on with: the report says what that one has. */
  former: string | undefined;
}

export function createPlanner({
  factories,
  defaultFactory,
  deliveries,
  reaches,
  spend,
  now,
  log,
}: PlannerDeps): Planner {
  // Replaying keeps a processor busy, and the ingress needs the others.
  const replays = serial();
  /** A plan without traffic is better than none. */
  const giveUp = (error: unknown): null => {
    log.warn({ error: errorMessage(error) }, "deliveries could not be replayed for a plan");
    return null;
  };
  const noneOf = (error: unknown): PlanWarning[] => {
    log.warn({ error: errorMessage(error) }, "what runs have reached could not be read for a plan");
    return [];
  };
  async function warnOfDenied(factory: Factory, { loaded, plan }: Evaluation): Promise<PlanWarning[]> {
    const { definition, locate } = loaded;
    if (!definition || !plan || !changesNetworks(plan)) return [];
    const since = new Date(now().getTime() - TRAFFIC_DAYS * DAY_MS).toISOString();
    const reached = await reaches.listFactoryReaches(factory.record.uid, since, MAX_REACHES);
    const names = new Map(plan.changes.map(({ kind, name, uid }) => [`${kind} ${uid}`, name]));
    return deniedReaches(reached, { definition, locate, nameOf: (kind, uid) => names.get(`${kind} ${uid}`) });
  }
  /** Said with the first definition of a factory: its author hears of it before anything is in force. */
  function ofSecond({ record, active }: Factory): PlanWarning[] {
    const message = active ? undefined : warnOfSecond(factories.list(), record.uid, defaultFactory.name);
    if (message === undefined) return [];
    return [{ code: "second_factory", message, path: "factory.yaml", ...FILE_START, blocking: false }];
  }
  return {
    async plan(factory, subject, { traffic } = { traffic: true }) {
      const running = factories.get(factory.record.uid);
      const tree = await treeFor(subject, running);
      const isRollback = subject !== "latest" && "rollbackTo" in subject;
      const evaluation = await running.evaluate(tree, isRollback ? ROLLBACK : {});
      const sides = traffic ? sidesOf(factory, evaluation) : undefined;
      const replayed = sides
        ? await replays
            .run(() => replayTraffic(sides, { deliveries, now }))
            .then((found) => priceTraffic(found, factory, spend))
            .catch(giveUp)
        : null;
      const report = reportOf(evaluation, tree.revision.id);
      const denied = traffic ? await warnOfDenied(factory, evaluation).catch(noneOf) : [];
      const warnings = [...report.warnings, ...denied, ...ofSecond(factory)];
      return {
        report: { ...report, warnings, traffic: replayed },
        isUntouched: tree.isUntouched ?? false,
        former: evaluation.former?.uid,
      };
    },
  };
}

/** Enough to tell. */
const MAX_REACHES = 20_000;

function changesNetworks({ changes }: Plan): boolean {
  return changes.some(({ fields }) => fields.includes("network"));
}

function reportOf({ loaded, target, plan, unplanned }: Evaluation, revision: string): PlanReport {
  const factory = loaded.definition?.factory.name ?? target.factory.name;
  return reportPlan({ factory, revision, plan, problems: unplanned });
}

/** Who listens now and who would; nothing when there is nothing to compare. */
function sidesOf({ record, active }: Factory, { loaded: { definition }, plan }: Evaluation) {
  if (!active || !definition || !plan) return undefined;
  const uids = new Map(plan.changes.map(({ kind, name, uid }) => [`${kind}/${name}`, uid]));
  const planned = definition.webhooks.map((webhook) => {
    return { uid: uids.get(`webhook/${webhook.name}`), webhook };
  });
  return {
    factoryUid: record.uid,
    before: listenersOf(active.definition.automations, active.webhooks),
    after: listenersOf(definition.automations, planned),
  };
}
