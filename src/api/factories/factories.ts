import { MillraceError } from "../../errors/error.ts";
import type { Feedback } from "../../feedback/feedback.ts";
import type { Log } from "../../log.ts";
import { type Factories, warnOfSecond } from "../../reconcile/factories.ts";
import type { RestingFactory } from "../../reconcile/resting.ts";
import type { Factory, RunningFactory } from "../../reconcile/running-factory.ts";
import type { DefaultFactory } from "../agents/reached-agent.ts";
import { type Caller, reachesFactory } from "../http/authorize.ts";
import type { Cursors } from "../http/cursor.ts";
import { type Called, type Endpoints, keyOf, unlimitedKeyOf } from "../http/endpoint.ts";
import { pageOf } from "../http/page.ts";
import { type BudgetViewDeps, budgetViews } from "./budget-view.ts";

export interface FactoryDeps extends BudgetViewDeps {
  factories: Factories;
  cursors: Cursors;
  feedback: Pick<Feedback, "noticesOf">;
}

export interface FactoryMakerDeps extends FactoryDeps {
  making: {
    /** Makes a factory whose definition millrace keeps. @throws MillraceError `invalid_request`, `conflict` */
    makeFactory(name: string): Promise<Factory>;
    /** The factories that no source of this start serves. */
    listResting(): Promise<RestingFactory[]>;
  };
  defaultFactory: DefaultFactory;
  log: Log;
}

export function factoryEndpoints(deps: FactoryMakerDeps) {
  const { factories, cursors, making, defaultFactory, log } = deps;
  const view = (factory: Factory) => factoryView(factory, deps);
  return {
    listFactories: {
      async handle(request) {
        const key = keyOf(request);
        const visible = factories.list().filter(({ record }) => reachesFactory(key, record.uid));
        const { items, pageInfo } = pageOf(visible, ({ record }) => record.uid, request, cursors);
        const resting = (await making.listResting()).filter(({ record }) => reachesFactory(key, record.uid));
        return {
          json: {
            factories: await Promise.all(items.map(view)),
            ...(resting.length === 0 ? {} : { resting: resting.map(restingView) }),
            page_info: pageInfo,
          },
        };
      },
    },
    createFactory: {
      async handle(request) {
        unlimitedKeyOf(request);
        const made = await making.makeFactory(request.body.name);
        // It may be the one that the settings name.
        await defaultFactory.find();
        const warning = warnOfSecond(factories.list(), made.record.uid, defaultFactory.name);
        if (warning !== undefined) log.warn({ factory: made.record.name }, warning);
        return {
          status: 201,
          json: { ...(await view(made)), ...(warning === undefined ? {} : { warning }) },
        };
      },
    },
    getFactory: {
      handle: async (request) => ({ json: await view(findFactory(request, factories)) }),
    },
    syncFactory: {
      async handle(request) {
        const factory = findFactory(request, factories);
        const { principal } = keyOf(request);
        const pass = factory.sync({
          principal,
          allowsDeletes: request.query.allow_deletes ? [(request.query.revision ?? "").toLowerCase()] : [],
        });
        if (request.query.wait) await pass;
        return { json: await view(factory) };
      },
    },
  } satisfies Endpoints;
}

/** A request that names a factory. The paths of the public API call it a uid, and take a name there too. */
export interface FactoryRequest extends Called {
  path: { factory: string } | { uid: string };
}

/** The factory that the path names. @throws MillraceError `resource_not_found`, also for one that the key may not see */
export function findFactory({ caller, path }: FactoryRequest, factories: Factories): RunningFactory {
  const name = "factory" in path ? path.factory : path.uid;
  const found = factories.find(name);
  if (found && reaches(caller, found)) return found;
  throw noSuchFactory(name);
}

/** The factory that the query names, else all that the caller may see. @throws MillraceError `resource_not_found` */
export function askedFactories(
  { caller, query }: Called & { query: { factory?: string } },
  factories: Factories,
): RunningFactory[] {
  if (query.factory !== undefined)
    return [findFactory({ caller, path: { factory: query.factory } }, factories)];
  return factories.list().filter((factory) => reaches(caller, factory));
}

export function noSuchFactory(name: string): MillraceError {
  return new MillraceError("resource_not_found", `There is no factory "${name}" on this server.`, {
    remedy: "`millrace status` shows the factories that the key can access.",
  });
}

function reaches(caller: Caller, { record }: Factory): boolean {
  return caller.kind === "key" && reachesFactory(caller.key, record.uid);
}

function restingView({ record: { uid, name, mode, source }, webhooks, waitingRuns }: RestingFactory) {
  return { uid, name, mode, source, webhooks, waiting_runs: waitingRuns };
}

/** A factory as the API shows it, with what is to be said of it beside what its last attempt has found. */
export async function factoryView(
  factory: Factory,
  { feedback, ...deps }: Pick<FactoryDeps, "feedback" | "runs" | "now">,
) {
  const { uid, name, mode, source, sync } = factory.record;
  const budget = (await budgetViews([factory], deps)).get(uid);
  return {
    uid,
    name,
    mode,
    source,
    sync: {
      status: sync.status,
      attempted_revision: sync.attemptedRevision,
      attempted_at: sync.attemptedAt,
      applied_revision: sync.appliedRevision,
      applied_at: sync.appliedAt,
      problems: [...sync.problems, ...feedback.noticesOf(uid)],
    },
    ...(budget ? { budget } : {}),
  };
}
