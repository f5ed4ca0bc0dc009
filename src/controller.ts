import { resolve } from "node:path";
import { createAddresses } from "./addresses.ts";
import { type CommitSignal, createCommitSignal } from "./api/commit-signal.ts";
import { createCursors } from "./api/cursor.ts";
import { createFailedKeys } from "./api/failed-keys.ts";
import { createMetrics, type Metrics } from "./api/metrics.ts";
import { createVisitors } from "./api/visitors.ts";
import { chores } from "./chores.ts";
import type { Config } from "./config/config.ts";
import { settingsForges } from "./forges.ts";
import { createMirrorCache } from "./git/mirror-cache.ts";
import { newUid } from "./id.ts";
import { exactAddress } from "./ingress/client-address.ts";
import { createGate } from "./ingress/gate.ts";
import { createPushHook } from "./ingress/push-hook.ts";
import { type WebhookTable, webhookTable } from "./ingress/webhook-table.ts";
import { listenForAll } from "./listen-for-all.ts";
import { atMostEvery, type Log } from "./log.ts";
import { startMaintenance } from "./maintenance.ts";
import { createKeys } from "./principals/keys.ts";
import { type Factories, startFactories } from "./reconcile/factories.ts";
import { NO_CAPS, runCaps } from "./runs/caps.ts";
import { executeRun } from "./runs/execute.ts";
import { createHarnesses } from "./runs/harness/harness.ts";
import { endLeftOver, startHeartbeat } from "./runs/lease.ts";
import { needsParts } from "./runs/needs.ts";
import { createQueue } from "./runs/queue.ts";
import { openSandbox } from "./runs/sandbox/open-sandbox.ts";
import { startScheduler } from "./runs/scheduler.ts";
import { openWorkspaces } from "./runs/workspace/workspaces.ts";
import { openSealer } from "./secrets/master-key.ts";
import { createVault } from "./secrets/vault.ts";
import { factorySpecs } from "./sources.ts";
import { openDataFolder } from "./store/data-folder.ts";
import { openStore } from "./store/open-store.ts";

export interface ControllerOptions {
  config: Config;
  /** Sources named on the command line. */
  sources: readonly string[];
  log: Log;
  env?: Record<string, string | undefined>;
  now?: () => Date;
  /** Called when the server cannot go on: its store is gone. */
  onFatal(error: Error): void;
}

/** A server that serves. */
export interface Controller {
  /** Where it can be reached. */
  publicUrl: string;
  webhookUrl: string;
  factories: Factories;
  /** The value of an admin key that was made just now; it cannot be shown again. */
  newAdminKey: string | undefined;
  /** Ends everything in the reverse order of its start. */
  stop(): Promise<void>;
}

/** A store that fails does so for every sender: one line in so many milliseconds says it. */
const STORE_FAILURES_LOGGED_MS = 10_000;

/** Puts the parts together and starts them. What was started is stopped again when a later part cannot start. */
export async function startController(options: ControllerOptions): Promise<Controller> {
  const stops: Stops = [];
  const stop = async () => {
    for (let release = stops.pop(); release; release = stops.pop()) await release();
  };
  try {
    return { ...(await start(options, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

type Stops = (() => Promise<void> | void)[];

async function start(
  { config, sources, log, env = process.env, now = () => new Date(), onFatal }: ControllerOptions,
  stops: Stops,
): Promise<Omit<Controller, "stop">> {
  // Loading the API takes as long as the store's threads take to start, and can happen meanwhile.
  const loadingApi = import("./api/server.ts");
  const metrics = createMetrics();
  const commits = createCommitSignal();
  const { data, store, sealer, vault, keys } = await openKept(
    { config, log, env, now, metrics, commits, onFatal },
    stops,
  );
  const harnesses = createHarnesses(config);
  const sandbox = await openSandbox(config, data, log);
  const forges = settingsForges({ config, vault, env });
  const workspaces = openWorkspaces(data.workspaces);

  const stopping = new AbortController();
  const sourceParts = { config, gitFolder: data.git, vault, env, signal: stopping.signal };
  const specs = factorySpecs(sources, await store.factories.list(), sourceParts);
  // Before anything can be claimed: a run that this process claims must not be taken for one that the last one lost.
  const leases = { store: store.runs, sandbox, now };
  await endLeftOver(leases);

  let webhooks: WebhookTable = new Map();
  let caps = NO_CAPS;
  // Nothing runs before everything has started.
  let wake = () => {};
  const factories = await startFactories(specs, {
    store: store.factories,
    vault,
    sealer,
    hasHarness: harnesses.has,
    hasForge: forges.has,
    lastDelivered: store.deliveries.findLastDelivered,
    now,
    log,
    onServed: (all) => {
      webhooks = webhookTable(all);
      caps = runCaps(all);
      wake();
    },
  });
  stops.push(factories.stop, () => stopping.abort());

  const addresses = createAddresses(config);
  const { publicUrl, webhookUrl, ownUrl } = addresses;
  const timeoutMs = config.runTimeout;
  const runParts = {
    store: store.runs,
    vault,
    harnesses,
    sandbox,
    artifacts: data.artifacts,
    workspaces,
    workspaceQuota: config.workspaceQuota,
    ...needsParts(factories, store.environments, forges),
    forges,
    mirrors: createMirrorCache(data.git),
    apiUrl: publicUrl,
    log,
    now,
  };
  const worker = newUid();
  const queue = createQueue({
    store: store.runs,
    worker,
    concurrency: config.runConcurrency,
    caps: () => caps,
    execute: (claim, signals) => executeRun(claim, { ...runParts, timeoutMs }, signals),
    log,
    now,
  });
  const gate = createGate(config, {
    store: store.deliveries,
    webhooks: () => webhooks,
    onRuns: queue.wake,
    onRecorded: metrics.delivered,
    onRefused: metrics.refused,
    onAnswered: metrics.accepted,
    publicUrl,
    log,
    now,
  });
  const pushHook = createPushHook(config, { factories, publicUrl, log, now });
  const { createApi } = await loadingApi;
  const { runs, deliveries, environments, identities, schedules, changes, health, audit } = store;
  const behindProxy = config.trustProxy.length > 0;
  const cursors = createCursors(sealer);
  const served = {
    publicUrl,
    webhookUrl,
    ownUrl,
    keys,
    vault,
    factories,
    revisions: store.factories,
    queue,
    gate,
    runs,
    deliveries,
    environments,
    identities,
    schedules,
    onScheduleChange: () => wake(),
    health,
    changes,
    commits,
    audit,
    artifacts: data.artifacts,
    senderOf: exactAddress(config.trustProxy),
    failedKeys: createFailedKeys(config),
    visitors: createVisitors(config),
  };
  const api = createApi({ ...served, metrics, behindProxy, cursors, log, now });

  addresses.listensOn(await listenForAll(config, { gate, pushHook, api, log }, stops));
  stops.push(startMaintenance(chores(store, workspaces, config.retention, now), log));
  // Last to start and first to stop: while agents end, the ingress still takes what will wait for the next start.
  stops.push(startHeartbeat(worker, log, leases));
  stops.push(() => queue.stop(config.drainTimeout));
  // After everything that can keep a server from starting: a new key is shown once, by a server that has started.
  const newAdminKey = await keys.ensureAdmin(config.adminKey);
  const onRuns = queue.wake;
  const scheduler = startScheduler({
    store: schedules,
    factories: factories.list,
    identities,
    onRuns,
    log,
    now,
  });
  stops.push(scheduler.stop);
  wake = () => {
    queue.wake();
    scheduler.wake();
  };
  wake();
  return { publicUrl: publicUrl(), webhookUrl: webhookUrl(), factories, newAdminKey };
}

type KeptOptions = Required<Pick<ControllerOptions, "config" | "log" | "env" | "now" | "onFatal">> & {
  metrics: Metrics;
  commits: CommitSignal;
};

/** What lasts longer than the process: the data folder, the database in it, and what the master key opens there. */
async function openKept({ config, log, env, now, metrics, commits, onFatal }: KeptOptions, stops: Stops) {
  const data = await openDataFolder(resolve(config.dataDir), config.databaseUrl);
  stops.push(data.release);
  const store = await openStore(data.database, {
    onLost: onFatal,
    onCommit: (calls) => {
      metrics.committed(calls);
      commits.committed();
    },
    onFailure: atMostEvery(STORE_FAILURES_LOGGED_MS, (error) => log.error({ error }, "the store failed")),
  });
  stops.push(store.close);
  const sealer = await openSealer(config, store.secrets);
  const vault = createVault({ store: store.secrets, sealer, outside: config.secrets, env, now });
  return { data, store, sealer, vault, keys: createKeys({ store: store.keys, now }) };
}
