import type { Leadership } from "../concurrency/rounds.ts";
import type { Config } from "../config/config.ts";
import { createThreadedLoader } from "../definitions/loading/threaded-loader.ts";
import { redirectsKey } from "../executor/harness/guarded-key.ts";
import { createHarnesses } from "../executor/harness/harness.ts";
import type { ServerForges } from "../forge/forge.ts";
import { requireGit } from "../git/open-git.ts";
import { type WebhookTable, webhookTable } from "../ingress/webhook-table.ts";
import { isChosenByProgram, priceTable } from "../insight/prices.ts";
import type { Log } from "../log.ts";
import { findNarrowed } from "../plans/replay-traffic.ts";
import { type Factories, type FactoriesDeps, openFactories } from "../reconcile/factories.ts";
import { type FactorySpec, type FactoryStore, newFactory } from "../reconcile/factory.ts";
import type { Factory } from "../reconcile/running-factory.ts";
import { NO_CAPS, type RunCaps, runCaps } from "../runs/caps.ts";
import { followableBy } from "../runs/schedules/timetable.ts";
import type { DefaultFactory } from "../runs/start/agent-of-run.ts";
import type { SecretStore } from "../secrets/secret.ts";
import { findNamed } from "../secrets/setting-scopes.ts";
import { factorySpecs, type SourceDeps } from "../sources/factory-sources.ts";
import { keepSourceKeys, specOf } from "../sources/managed-sources.ts";
import {
  asNamed,
  type SettingAccess,
  scopeSettings,
  workerEnvironmentOf,
} from "../sources/setting-scopes.ts";
import type { DataFolder } from "../store/data-folder.ts";
import type { OpenStore } from "../store/open-store.ts";
import { effectiveLabels } from "../workers/rules/worker-standing.ts";
import type { Workers } from "../workers/workers.ts";
import type { Signal } from "./signals.ts";
import type { Stops } from "./stops.ts";

interface ServedDeps
  extends Pick<FactoriesDeps, "vault" | "sealer" | "onActive" | "onReconciled" | "host" | "hasHarness"> {
  config: Config;
  /** Sources named on the command line. */
  sources: readonly string[];
  data: DataFolder;
  store: OpenStore;
  forges: ServerForges<unknown>;
  access: SettingAccess;
  registry: Pick<Workers, "list">;
  leadership: Leadership;
  /** Whether other servers have the same store. */
  sharesStore: boolean;
  env: Record<string, string | undefined>;
  log: Log;
  now: () => Date;
  /** Ends what asks remotes when the server stops. */
  stopping: AbortController;
}

/** Servers that start together make one repository for each factory that they have to make, and not one each. */
async function withStoredUids(
  specs: readonly FactorySpec[],
  store: Pick<FactoryStore, "create">,
  deps: SourceDeps,
): Promise<FactorySpec[]> {
  const found: FactorySpec[] = [];
  for (const spec of specs) {
    if (spec.mode !== "managed") {
      found.push(spec);
      continue;
    }
    const record = await store.create(newFactory(spec, deps.now()));
    found.push(record.uid === spec.uid ? spec : specOf(record, deps));
  }
  return found;
}

/**
 * Opens the factories of the sources, with what is stored of them in force, and writes down what the settings let each of them
 * use: nothing of a definition is checked, and no run starts, before that is known.
 */
export async function openServedFactories(
  { sources, forges, access, stopping, onActive, onReconciled, ...deps }: ServedDeps,
  stops: Stops,
) {
  const { config, data, store, vault, sealer, registry, host, hasHarness, env, log, now } = deps;
  const own = { objects: store.gitObjects, log };
  const sourceDeps: SourceDeps = { config, data, vault, env, signal: stopping.signal, now, ...own };
  const named = factorySpecs(sources, await store.factories.list(), sourceDeps);
  const specs = deps.sharesStore ? await withStoredUids(named, store.factories, sourceDeps) : named;
  await keepSourceKeys(specs, store.factories);
  // Another server may be making one just now.
  if (!deps.sharesStore) await store.factories.forgetUnapplied(specs.map(({ sourceKey }) => sourceKey));
  if (specs.some(({ mode }) => mode !== "folder")) requireGit();
  const loader = createThreadedLoader();
  const prices = priceTable(config.prices);
  const harnesses = createHarnesses(config);
  const factories = await openFactories(specs, {
    store: store.factories,
    vault,
    sealer,
    load: loader.load,
    hasHarness,
    redirectsKey(type, name) {
      const row = harnesses.find({ type });
      return redirectsKey("missing" in row ? {} : row, name);
    },
    hasPrice: (model) => isChosenByProgram(model) || prices.priceOf(model) !== undefined,
    forgesOf: forges.of,
    mayUseWorkerEnvironment: workerEnvironmentOf(access),
    host,
    network: config.network,
    lastDelivered: store.deliveries.findLastDelivered,
    findNarrowed: (uid, active, repositories) =>
      findNarrowed(uid, active, repositories, { deliveries: store.deliveries, now, log }),
    listScheduleIds: async (uid) =>
      new Set(followableBy(uid, await store.schedules.list()).map(({ id }) => id)),
    listWorkers: async (uid) =>
      (await registry.list())
        .filter(({ worker }) => worker.factories === null || worker.factories.includes(uid))
        .map(({ worker, last }) => ({ name: worker.name, labels: effectiveLabels(worker, last) })),
    now,
    log,
    onActive,
    onReconciled,
    isLeader: deps.leadership.isLeader,
    // Folders and repositories are those of the settings, which all servers have alike.
    specOf: (record) => (record.mode === "managed" ? specOf(record, sourceDeps) : undefined),
  });
  stops.push(loader.stop, factories.stop, () => stopping.abort());
  // Before anybody can make a factory. One that a source goes on with is noted when it does.
  await store.factories.noteServed(factories.list().map(({ record }) => record.uid));
  await scopeSettings(config, factories, store, { env, log });
  return { factories, specs, sourceDeps, load: loader.load };
}

/**
 * The factory of the settings for runs that name none. A name that no source has stays with the factory that has it when it
 * is first looked up, as names under `secrets:` do: a definition that takes the name later gets nothing by it.
 */
export async function openDefaultFactory(
  { defaultFactory: name }: Pick<Config, "defaultFactory">,
  factories: Pick<Factories, "list">,
  store: Pick<SecretStore, "listBoundNames" | "bindNames">,
): Promise<DefaultFactory> {
  async function find(): Promise<Factory | undefined> {
    if (name === undefined) return undefined;
    // Read again each time: a source that goes on with a factory takes over the names that lead to it.
    const names = await store.listBoundNames();
    const all = factories.list();
    const { uid, isNew } = findNamed(name, all.map(asNamed), names);
    if (uid === undefined || !isNew) return all.find(({ record }) => record.uid === uid);
    await store.bindNames([{ name, uid }]);
    return find();
  }
  // Before a source is looked at whose definition could take the name.
  await find();
  return { name, find };
}

/** What the active definitions come to, for those who must not look anything up. */
export interface ActiveDefinitions {
  webhooks(): WebhookTable;
  caps(): RunCaps;
}

/**
 * Replaces all of it at once when a definition becomes active: the webhooks never belong to other definitions than the caps.
 * @param shares of factories, by name
 * @param activated is listened to here before anywhere else, so that the others find it replaced
 */
export function activeDefinitions(
  activated: Pick<Signal<[factories: readonly Factory[]]>, "listen">,
  shares: Config["shares"] = {},
): ActiveDefinitions {
  let [webhooks, caps]: [WebhookTable, RunCaps] = [new Map(), NO_CAPS];
  activated.listen((factories) => {
    webhooks = webhookTable(factories);
    caps = runCaps(factories, shares);
  });
  return { webhooks: () => webhooks, caps: () => caps };
}
