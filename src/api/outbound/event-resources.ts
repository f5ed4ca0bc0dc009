import type { Models } from "../../client/typed-paths.ts";
import type { ChangeEvent, EventDetails, EventResources } from "../../outbound-webhooks/outbound-event.ts";
import type { ApiKey } from "../../principals/principal.ts";
import { findByUid } from "../../reconcile/factories.ts";
import type { FactoryStore } from "../../reconcile/factory.ts";
import { runCaps } from "../../runs/caps.ts";
import { DAY_LIMITS } from "../../runs/rules/budget.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { TaskStore } from "../../tasks/task.ts";
import { budgetViews } from "../factories/budget-view.ts";
import { type FactoryDeps, factoryView } from "../factories/factories.ts";
import type { Caller } from "../http/authorize.ts";
import { runResources } from "../runs/output/run-usage.ts";
import { belongingsOf } from "../runs/run-belongings.ts";
import { runItem } from "../runs/run-item.ts";
import { taskItem } from "../tasks/task-item.ts";
import { type DeliveryDeps, deliveryView } from "../webhooks/delivery-view.ts";

export interface EventResourceDeps extends Pick<FactoryDeps, "factories" | "feedback" | "now"> {
  runs: Pick<
    RunStore,
    "find" | "listArtifacts" | "listUsage" | "listQuestions" | "listBudgetUse" | "listTurnWork"
  >;
  deliveries: Pick<DeliveryDeps["deliveries"], "find">;
  tasks: Pick<TaskStore, "find" | "findLastMove" | "listCurrentRuns" | "listOutputs">;
  records: Pick<FactoryStore, "list">;
  publicUrl: () => string;
}

type Found = { data: object; details?: EventDetails } | undefined;

/** Whoever can push a definition sees of a run what a viewer does. */
const AS_VIEWER: Caller = { kind: "key", key: { role: "viewer" } as ApiKey };

/** The resources that events happened to, in the shapes of the API and as they are now. */
export function eventResources(deps: EventResourceDeps): EventResources {
  const { runs, deliveries, tasks, factories, records } = deps;

  async function run({ subject: id, factoryUid }: ChangeEvent): Promise<Found> {
    const found = await runs.find(id);
    if (!found || found.factoryUid !== factoryUid) return undefined;
    const [belongings, resources] = await Promise.all([belongingsOf([found], deps), runResources(id, deps)]);
    return { data: { ...runItem(found, belongings(found), deps, AS_VIEWER), ...resources } };
  }

  async function delivery({ subject, factoryUid }: ChangeEvent): Promise<Found> {
    const found = await deliveries.find(subject);
    const factory = findByUid(factoryUid, factories);
    if (!found || !factory || found.factoryUid !== factoryUid) return undefined;
    return { data: deliveryView(found, [], factory) };
  }

  async function task({ subject, factoryUid, details }: ChangeEvent): Promise<Found> {
    const found = await tasks.find(subject);
    if (found?.factoryUid !== factoryUid) return undefined;
    const moved = details ?? (await tasks.findLastMove(subject));
    return { data: await taskItem(found, { tasks }), ...(moved ? { details: moved } : {}) };
  }

  async function definition({ subject, type, details }: ChangeEvent): Promise<Found> {
    const factory = findByUid(subject, factories);
    // What was committed a moment ago may not be active yet.
    const record = (await records.list()).find(({ uid }) => uid === subject);
    if (!factory || !record) return undefined;
    const { attemptedRevision, appliedRevision } = record.sync;
    const revision = type === "definition.failed" ? attemptedRevision : appliedRevision;
    const attempted = details ?? (revision === null ? undefined : { revision });
    return {
      data: await factoryView({ ...factory, record }, deps),
      ...(attempted ? { details: attempted } : {}),
    };
  }

  /** @returns nothing when the definition does not have the limit any more */
  async function budget({ subject, factoryUid, details }: ChangeEvent): Promise<Found> {
    const factory = findByUid(factoryUid, factories);
    if (!factory) return undefined;
    const known = runCaps([factory]).budgets[subject];
    const limit =
      details && "limit" in details
        ? details.limit
        : (DAY_LIMITS.find((each) => known?.[each] !== undefined) ?? "");
    const data: Models["Budget"] | undefined = (await budgetViews([factory], deps)).get(subject);
    if (!known || !data || !DAY_LIMITS.some((each) => each === limit)) return undefined;
    return { data, details: { of: known.kind, uid: subject, name: known.name, limit } };
  }

  return {
    async factoryOf({ type, subject }) {
      if (type.startsWith("run.")) return (await runs.find(subject))?.factoryUid;
      if (type === "delivery.refused") return (await deliveries.find(subject))?.factoryUid;
      if (type === "task.moved") return (await tasks.find(subject))?.factoryUid;
      const ofBudget = () => factories.list().find((factory) => runCaps([factory]).budgets[subject]);
      const found = type === "budget.reached" ? ofBudget() : factories.find(subject);
      return found?.record.uid;
    },
    read(event) {
      if (event.type.startsWith("run.")) return run(event);
      if (event.type === "delivery.refused") return delivery(event);
      if (event.type === "task.moved") return task(event);
      return event.type === "budget.reached" ? budget(event) : definition(event);
    },
  };
}
