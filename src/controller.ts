import type { RequestListener } from "node:http";
import { resolve } from "node:path";
import { withAccessLog } from "./access-log.ts";
import { createCursors } from "./api/cursor.ts";
import { createMetrics } from "./api/metrics.ts";
import type { Config } from "./config/config.ts";
import { formatAddress } from "./config/print-config.ts";
import { logRetentionMs } from "./config/retention.ts";
import { createGate } from "./ingress/gate.ts";
import { isIngress } from "./ingress/locate.ts";
import { startRetention } from "./ingress/retention.ts";
import { type WebhookTable, webhookTable } from "./ingress/webhook-table.ts";
import { type Listener, listen, loopbackUrl } from "./listen.ts";
import { atMostEvery, type Log } from "./log.ts";
import { createKeys } from "./principals/keys.ts";
import { type Factories, startFactories } from "./reconcile/factories.ts";
import { executeRun } from "./runs/execute.ts";
import { createHarnesses } from "./runs/harness.ts";
import { killLeftovers } from "./runs/process-tree.ts";
import { createQueue } from "./runs/queue.ts";
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

const LOST_RUN = "The server stopped while the agent ran; what was left of it has been ended.";

/** A store that fails does so for every sender: one line in so many milliseconds says it. */
const STORE_FAILURES_LOGGED_MS = 10_000;

/** Puts the parts together and starts them. What was started is stopped again when a later part cannot start. */
export async function startController(options: ControllerOptions): Promise<Controller> {
  const stops: (() => Promise<void> | void)[] = [];
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

async function start(
  { config, sources, log, env = process.env, now = () => new Date(), onFatal }: ControllerOptions,
  stops: (() => Promise<void> | void)[],
): Promise<Omit<Controller, "stop">> {
  // Loading the API takes as long as the store's threads take to start, and can happen meanwhile.
  const loadingApi = import("./api/server.ts");
  const data = await openDataFolder(resolve(config.dataDir), config.databaseUrl);
  stops.push(data.release);
  const metrics = createMetrics();
  const store = await openStore(data.database, {
    onLost: onFatal,
    onCommit: metrics.committed,
    onFailure: atMostEvery(STORE_FAILURES_LOGGED_MS, (error) => log.error({ error }, "the store failed")),
  });
  stops.push(store.close);

  const sealer = await openSealer(config, store.secrets);
  const vault = createVault({ store: store.secrets, sealer, outside: config.secrets, env, now });
  const keys = createKeys({ store: store.keys, now });
  const harnesses = createHarnesses(config);

  const stopping = new AbortController();
  const sourceParts = { config, gitFolder: data.git, vault, env, signal: stopping.signal };
  const specs = factorySpecs(sources, await store.factories.list(), sourceParts);

  // Before anything can be claimed: a run that this process claims must not be taken for one that the last one lost.
  // Marked after the last of its processes: a crash in between finds the rest again.
  for (const id of await store.runs.listStarted()) await killLeftovers(id);
  await store.runs.recoverLost(LOST_RUN, now().toISOString());

  let webhooks: WebhookTable = new Map();
  const factories = await startFactories(specs, {
    store: store.factories,
    vault,
    sealer,
    hasHarness: harnesses.has,
    now,
    log,
    onServed: (all) => {
      webhooks = webhookTable(all);
    },
  });
  stops.push(factories.stop, () => stopping.abort());

  let listener: Listener | undefined;
  const address = () => formatAddress(config.listen.host, listener?.port ?? config.listen.port);
  const publicUrl = () => config.publicUrl ?? `http://${address()}`;
  const webhookUrl = () => config.webhookUrl ?? publicUrl();
  const executeParts = {
    store: store.runs,
    vault,
    harnesses,
    workspaces: data.workspaces,
    apiUrl: publicUrl,
    timeoutMs: config.runTimeout,
    log,
    now,
  };
  const queue = createQueue({
    store: store.runs,
    concurrency: config.runConcurrency,
    execute: (claim, signal) => executeRun(claim, executeParts, signal),
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
  const { createApi } = await loadingApi;
  const api = createApi({
    publicUrl,
    webhookUrl,
    log,
    now,
    keys,
    vault,
    factories,
    queue,
    runs: store.runs,
    deliveries: store.deliveries,
    health: store.health,
    gate,
    ownAddress: () => loopbackUrl(config.listen.host, listener?.port ?? config.listen.port),
    metrics,
    behindProxy: config.trustProxy.length > 0,
    cursors: createCursors(sealer),
  });
  const accessLog = (handler: RequestListener) =>
    config.logLevel === "debug" || config.logLevel === "trace" ? withAccessLog(handler, log) : handler;
  const serveAll: RequestListener = (request, response) =>
    isIngress(request.url) ? gate.handle(request, response) : api(request, response);
  listener = await listen(config.listen, accessLog(serveAll));
  stops.push(listener.close);
  if (config.webhookListen) {
    const { close } = await listen(config.webhookListen, accessLog(gate.handle));
    stops.push(close);
  }
  const stopRetention = startRetention({
    store: store.deliveries,
    keepMs: logRetentionMs(config.retention),
    now,
    log,
  });
  // Last to start and first to stop: while agents end, the ingress still takes what will wait for the next start.
  stops.push(stopRetention, () => queue.stop(config.drainTimeout));
  // After everything that can keep a server from starting: a new key is shown once, by a server that has started.
  const newAdminKey = await keys.ensureAdmin(config.adminKey);
  queue.wake();
  return { publicUrl: publicUrl(), webhookUrl: webhookUrl(), factories, newAdminKey };
}
