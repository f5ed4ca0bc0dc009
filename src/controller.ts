import type { RequestListener } from "node:http";
import { resolve } from "node:path";
import { withAccessLog } from "./access-log.ts";
import { type CommitSignal, createCommitSignal } from "./api/commit-signal.ts";
import { createCursors } from "./api/cursor.ts";
import { createFailedKeys } from "./api/failed-keys.ts";
import { createMetrics, type Metrics } from "./api/metrics.ts";
import { chores } from "./chores.ts";
import type { Config } from "./config/config.ts";
import { formatAddress } from "./config/print-config.ts";
import { exactAddress } from "./ingress/client-address.ts";
import { createGate, type Gate } from "./ingress/gate.ts";
import { isIngress } from "./ingress/locate.ts";
import { type WebhookTable, webhookTable } from "./ingress/webhook-table.ts";
import { listen, loopbackUrl } from "./listen.ts";
import { atMostEvery, type Log } from "./log.ts";
import { startMaintenance } from "./maintenance.ts";
import { createKeys } from "./principals/keys.ts";
import { type Factories, startFactories } from "./reconcile/factories.ts";
import { executeRun } from "./runs/execute.ts";
import { createHarnesses } from "./runs/harness/harness.ts";
import { createQueue } from "./runs/queue.ts";
import type { RunStore } from "./runs/run.ts";
import { openSandbox } from "./runs/sandbox/open-sandbox.ts";
import { killLeftovers } from "./runs/sandbox/process-tree.ts";
import type { Sandbox } from "./runs/sandbox/sandbox.ts";
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

  const stopping = new AbortController();
  const sourceParts = { config, gitFolder: data.git, vault, env, signal: stopping.signal };
  const specs = factorySpecs(sources, await store.factories.list(), sourceParts);
  // Before anything can be claimed: a run that this process claims must not be taken for one that the last one lost.
  await endLostRuns(store.runs, sandbox, now);

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

  const addresses = createAddresses(config);
  const { publicUrl, webhookUrl, ownUrl } = addresses;
  const timeoutMs = config.runTimeout;
  const runParts = {
    store: store.runs,
    vault,
    harnesses,
    sandbox,
    workspaces: data.workspaces,
    apiUrl: publicUrl,
    log,
    now,
  };
  const queue = createQueue({
    store: store.runs,
    concurrency: config.runConcurrency,
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
    queue,
    gate,
    runs,
    deliveries,
    environments,
    identities,
    schedules,
    health,
    changes,
    commits,
    audit,
    senderOf: exactAddress(config.trustProxy),
    failedKeys: createFailedKeys(config),
  };
  const api = createApi({ ...served, metrics, behindProxy, cursors, log, now });

  addresses.listensOn(await listenForAll(config, { gate, api, log }, stops));
  stops.push(startMaintenance(chores(store, config.retention, now), log));
  // Last to start and first to stop: while agents end, the ingress still takes what will wait for the next start.
  stops.push(() => queue.stop(config.drainTimeout));
  // After everything that can keep a server from starting: a new key is shown once, by a server that has started.
  const newAdminKey = await keys.ensureAdmin(config.adminKey);
  queue.wake();
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

/** Ends what a crash has left of runs. Marked after the last of its processes: a crash in between finds the rest again. */
async function endLostRuns(runs: RunStore, sandbox: Sandbox, now: () => Date): Promise<void> {
  for (const id of await runs.listStarted()) {
    await sandbox.endLeftBehind(id);
    // The last server may have had another sandbox.
    await killLeftovers(id);
  }
  await runs.recoverLost(LOST_RUN, now().toISOString());
}

/** The URLs of this server, the port among them that the system may choose when it listens. */
function createAddresses({ listen: { host, port }, publicUrl, webhookUrl }: Config) {
  let bound = port;
  const own = () => publicUrl ?? `http://${formatAddress(host, bound)}`;
  return {
    publicUrl: own,
    webhookUrl: () => webhookUrl ?? own(),
    ownUrl: () => loopbackUrl(host, bound),
    listensOn: (port: number) => {
      bound = port;
    },
  };
}

interface Handlers {
  gate: Gate;
  api: RequestListener;
  log: Log;
}

/** Listens for everything, and where it is wished on an address for senders alone. @returns the port of the first */
async function listenForAll(config: Config, { gate, api, log }: Handlers, stops: Stops): Promise<number> {
  const logsRequests = config.logLevel === "debug" || config.logLevel === "trace";
  const logged = (handler: RequestListener) => (logsRequests ? withAccessLog(handler, log) : handler);
  const serveAll: RequestListener = (request, response) =>
    isIngress(request.url) ? gate.handle(request, response) : api(request, response);
  const { port, close } = await listen(config.listen, logged(serveAll));
  stops.push(close);
  if (config.webhookListen)
    stops.push((await listen(config.webhookListen, logged(gate.handle), "--webhook-listen")).close);
  return port;
}
