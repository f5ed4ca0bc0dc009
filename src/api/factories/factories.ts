import type { Models } from "../../client/typed-paths.ts";
import type { StoredResource } from "../../definitions/changes/plan.ts";
import type { Webhook } from "../../definitions/definition.ts";
import { MillraceError } from "../../errors/error.ts";
import type { Feedback } from "../../feedback/feedback.ts";
import { INGRESS_PREFIX } from "../../ingress/arrival.ts";
import type { Log } from "../../log.ts";
import { reachesFactory } from "../../principals/principal.ts";
import type { Factories } from "../../reconcile/factories.ts";
import { warnOfSecond } from "../../reconcile/factories.ts";
import type { FactoryContents, FactoryRecord } from "../../reconcile/factory.ts";
import type { RestingFactory } from "../../reconcile/resting.ts";
import type { Factory, RunningFactory } from "../../reconcile/running-factory.ts";
import type { Caller } from "../../runs/caller.ts";
import { runCaps } from "../../runs/caps.ts";
import type { RunStore } from "../../runs/run-store.ts";
import type { DefaultFactory } from "../../runs/start/agent-of-run.ts";
import { type Called, type Endpoints, keyOf, unlimitedKeyOf } from "../http/endpoint.ts";
import { type Cursors, pageOf } from "../http/page.ts";

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
  factory: Pick<Factory, "record" | "active">,
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

export interface FactoryDeletionDeps {
  making: {
    /** A factory by its name or uid, also one that no source of this start serves. */
    findRecord(nameOrUid: string): Promise<FactoryRecord | undefined>;
    findContents(factoryUid: string): Promise<FactoryContents>;
    /** Why it cannot be deleted now; nothing when it can. */
    refusalOf(record: FactoryRecord): MillraceError | undefined;
    /** @throws MillraceError `conflict` */
    deleteFactory(record: FactoryRecord): Promise<void>;
  };
  /** The URL under which senders reach the ingress. */
  webhookUrl: () => string;
}

/** Factories go with all that is in force of them; before that, whoever asks is told what it is. */
export function factoryDeletionEndpoints({ making, webhookUrl }: FactoryDeletionDeps) {
  async function find(request: Called & { path: { factory: string } }): Promise<FactoryRecord> {
    const { factory: name } = request.path;
    const found = await making.findRecord(name);
    if (found && reachesFactory(keyOf(request), found.uid)) return found;
    throw noSuchFactory(name);
  }

  function webhookIn({ uid, name, body }: StoredResource) {
    const { authMode } = JSON.parse(body) as Webhook;
    const url = `${webhookUrl()}${INGRESS_PREFIX}${uid}`;
    return { uid, name, url: authMode === "url_token" ? `${url}/{token}` : url };
  }

  return {
    planFactoryDeletion: {
      async handle(request) {
        const record = await find(request);
        const { webhooks, automations, waitingRuns, workingRuns, schedules } = await making.findContents(
          record.uid,
        );
        const refusal = making.refusalOf(record);
        return {
          json: {
            factory: { uid: record.uid, name: record.name, mode: record.mode, source: record.source },
            refusal: refusal ? [refusal.message, refusal.remedy].join(" ") : null,
            webhooks: webhooks.map(webhookIn),
            automations: automations.map(({ uid, name }) => ({ uid, name })),
            waiting_runs: waitingRuns,
            working_runs: workingRuns,
            schedules,
          },
        };
      },
    },
    deleteFactory: {
      async handle(request) {
        await making.deleteFactory(await find(request));
        return { status: 204 };
      },
    },
  } satisfies Endpoints;
}

export interface BudgetViewDeps {
  runs: Pick<RunStore, "listBudgetUse">;
  now: () => Date;
}

/** The budgets that the active definitions of factories set, by the uids of what they are of, with what is used of each. */
export async function budgetViews(
  factories: readonly Pick<Factory, "record" | "active">[],
  { runs, now }: BudgetViewDeps,
): Promise<ReadonlyMap<string, Models["Budget"]>> {
  const { budgets } = runCaps(factories);
  if (Object.keys(budgets).length === 0) return new Map();
  const used = await runs.listBudgetUse(budgets, now().toISOString());
  return new Map(
    Object.entries(budgets).map(([uid, { kind: _, name: __, onExhausted = "wait", ...limits }]) => {
      const { usd = 0, runs: started = 0, opensAt = null } = used[uid] ?? {};
      return [
        uid,
        { ...limits, onExhausted, used: { usdPerDay: usd, runsPerDay: started }, opens_at: opensAt },
      ];
    }),
  );
}
