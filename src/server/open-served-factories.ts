import type { Leadership } from "../concurrency/leadership.ts";
import type { Config } from "../config/config.ts";
import { createThreadedLoader } from "../definitions/loading/threaded-loader.ts";
import { redirectsKey } from "../executor/harness/guarded-key.ts";
import { createHarnesses } from "../executor/harness/harness.ts";
import type { ServerForges } from "../forge/forge.ts";
import { requireGit } from "../git/open-git.ts";
import { isChosenByProgram, priceTable } from "../insight/prices.ts";
import type { Log } from "../log.ts";
import { findNarrowed } from "../plans/replay-traffic.ts";
import { type FactoriesDeps, openFactories } from "../reconcile/factories.ts";
import type { FactoryStore } from "../reconcile/factory.ts";
import { type FactorySpec, newFactory } from "../reconcile/factory-spec.ts";
import { followableBy } from "../schedules/timetable.ts";
import { factorySpecs, type SourceDeps } from "../sources/factory-sources.ts";
import { keepSourceKeys, specOf } from "../sources/managed-sources.ts";
import { type SettingAccess, scopeSettings, workerEnvironmentOf } from "../sources/setting-scopes.ts";
import type { DataFolder } from "../store/data-folder.ts";
import type { OpenStore } from "../store/open-store.ts";
import { effectiveLabels } from "../workers/rules/worker-standing.ts";
import type { Workers } from "../workers/workers.ts";
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
