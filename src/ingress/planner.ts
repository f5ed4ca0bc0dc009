import type { PlanReport } from "../definitions/plan-report.ts";
import { listenersOf } from "../definitions/replay.ts";
import { errorMessage } from "../error.ts";
import type { Log } from "../log.ts";
import type { Factories, Factory } from "../reconcile/factories.ts";
import type { PlanSubject } from "../reconcile/plan-subject.ts";
import type { PlannedTree } from "../reconcile/plan-tree.ts";
import { type ReplayParts, replayTraffic } from "./replay-traffic.ts";

export interface PlannerParts extends ReplayParts {
  factories: Pick<Factories, "plan">;
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

export function createPlanner({ factories, deliveries, now, log }: PlannerParts): Planner {
  const replay = oneByOne(replayTraffic);
  /** A plan without traffic is better than none. */
  const giveUp = (error: unknown): null => {
    log.warn({ error: errorMessage(error) }, "deliveries could not be replayed for a plan");
    return null;
  };
  return {
    async plan(factory, subject, { traffic } = { traffic: true }) {
      const planned = await factories.plan(factory.record.uid, subject);
      const sides = traffic ? sidesOf(factory, planned) : undefined;
      const replayed = sides ? await replay(sides, { deliveries, now }).catch(giveUp) : null;
      const { report, isUntouched, former } = planned;
      return { report: { ...report, traffic: replayed }, isUntouched, former };
    },
  };
}

/** Who listens now and who would; nothing when there is nothing to compare. */
function sidesOf({ record, served }: Factory, { definition, plan }: PlannedTree) {
  if (!served || !definition || !plan) return undefined;
  const uids = new Map(plan.changes.map(({ kind, name, uid }) => [`${kind}/${name}`, uid]));
  const planned = definition.webhooks.map((webhook) => {
    return { uid: uids.get(`webhook/${webhook.name}`), webhook };
  });
  return {
    factoryUid: record.uid,
    before: listenersOf(served.definition.automations, served.webhooks),
    after: listenersOf(definition.automations, planned),
  };
}

/** Replaying keeps a processor busy, and the ingress needs the others: one goes on at a time. */
function oneByOne<Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) {
  let last: Promise<unknown> = Promise.resolve();
  return (...args: Args): Promise<Result> => {
    const result = last.then(() => work(...args));
    last = result.catch(() => {});
    return result;
  };
}
