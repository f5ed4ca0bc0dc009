import { createAddresses } from "./addresses.ts";
import { createCommitSignal } from "./api/commit-signal.ts";
import { createCursors } from "./api/cursor.ts";
import { createDownloadLinks } from "./api/download-links.ts";
import { createFailedKeys } from "./api/failed-keys.ts";
import { createMetrics } from "./api/metrics.ts";
import { jsonBodyReader } from "./api/read-json-body.ts";
import { createVisitors } from "./api/visitors.ts";
import { checkTrustedProxies } from "./check-trusted-proxies.ts";
import { chores } from "./chores.ts";
import type { Config } from "./config/config.ts";
import { createThreadedLoader } from "./definitions/threaded-loader.ts";
import { logStartWarnings } from "./doctor/start-warnings.ts";
import { endWithoutData } from "./end-without-data.ts";
import { factoryDeletion } from "./factory-deletion.ts";
import { factoryMaking } from "./factory-making.ts";
import { warnOfFactories } from "./factory-warnings.ts";
import type { Feedback } from "./feedback/feedback.ts";
import { startFeedback } from "./feedback/start-feedback.ts";
import { settingsForges } from "./forges.ts";
import { requireGit } from "./git/require-git.ts";
import { createBodyRooms } from "./ingress/body-room.ts";
import { exactAddress } from "./ingress/client-address.ts";
import { createGate } from "./ingress/gate.ts";
import { findNarrowed } from "./ingress/narrowed-triggers.ts";
import { createPlanner } from "./ingress/planner.ts";
import { createPushHook } from "./ingress/push-hook.ts";
import { type WebhookTable, webhookTable } from "./ingress/webhook-table.ts";
import { listenForAll } from "./listen-for-all.ts";
import type { Log } from "./log.ts";
import { startMaintenance } from "./maintenance.ts";
import { keepSourceKeys } from "./managed-sources.ts";
import { openData, openKept } from "./open-kept.ts";
import { openMill } from "./open-mill.ts";
import { passedSockets } from "./passed-sockets.ts";
import { type Factories, openFactories } from "./reconcile/factories.ts";
import { NO_CAPS, runCaps } from "./runs/caps.ts";
import { openPauses, warnOfPauses } from "./runs/pauses.ts";
import { openSandbox } from "./runs/sandbox/open-sandbox.ts";
import { startScheduler } from "./runs/scheduler.ts";
import { followableBy } from "./runs/timetable.ts";
import { scopeOutsideSecrets } from "./scope-outside-secrets.ts";
import { factorySpecs } from "./sources.ts";
import { releaseAll, type Stops } from "./stops.ts";

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

const NOTHING = () => {};

/** Puts the parts together and starts them. What was started is stopped again when a later part cannot start. */
export async function startController(options: ControllerOptions): Promise<Controller> {
  const stops: Stops = [];
  try {
    return { ...(await start(options, stops)), stop: () => releaseAll(stops) };
  } catch (error) {
    // Why it could not start is what its operator needs to know.
    await releaseAll(stops).catch(() => {});
    throw error;
  }
}

async function start(
  { config, sources, log, env = process.env, now = () => new Date(), onFatal }: ControllerOptions,
  stops: Stops,
): Promise<Omit<Controller, "stop">> {
  const metrics = createMetrics();
  const commits = createCommitSignal();
  const data = await openData(config, stops);
  for (const warning of data.warnings) log.warn(warning);
  // The trial writes into the folder: it ends before that is given to another server.
  const findingSandbox = openSandbox(config, data, log);
  // When it fails before it is waited for, that is told where it is waited for.
  const sandboxFound = findingSandbox.then(NOTHING, NOTHING);
  stops.push(() => sandboxFound);
  let lookAtDisk = NOTHING;
  const onDiskFull = () => lookAtDisk();
  const opening = openKept({ config, data, log, env, now, metrics, commits, onFatal, onDiskFull }, stops);
  // Loading the API keeps this thread busy for as long as the store's threads, and the trial of a sandbox, take to start.
  const loadingApi = import("./api/server.ts");
  const { store, sealer, vault, keys, sessions } = await opening;
  const applyingKey = keys.applySettingsKey(config.adminKey);
  // When it fails before it is waited for, that is told where it is waited for.
  applyingKey.catch(NOTHING);
  const forges = settingsForges({ config, vault, env });
  const sandbox = await findingSandbox;
  checkTrustedProxies(config.trustProxy, sandbox.sharesNetwork);
  const mill = await openMill({ config, data, store, sandbox, vault, forges, log, now }, stops);
  lookAtDisk = mill.lookAtDisk;

  const stopping = new AbortController();
  const sourceParts = { config, data, vault, env, signal: stopping.signal, now };
  const specs = factorySpecs(sources, await store.factories.list(), sourceParts);
  await keepSourceKeys(specs, store.factories);
  await store.factories.forgetUnapplied(specs.map(({ sourceKey }) => sourceKey));
  if (specs.some(({ mode }) => mode !== "folder")) requireGit();
  let webhooks: WebhookTable = new Map();
  let caps = NO_CAPS;
  // Nothing runs before everything has started.
  let wake = () => {};
  let passed: Feedback["passed"] = () => {};
  const loader = createThreadedLoader();
  const factories = await openFactories(specs, {
    store: store.factories,
    vault,
    sealer,
    load: loader.load,
    hasHarness: mill.hasHarness,
    hasForge: forges.has,
    host: mill.host,
    lastDelivered: store.deliveries.findLastDelivered,
    findNarrowed: (uid, served, repositories) =>
      findNarrowed(uid, served, repositories, { deliveries: store.deliveries, now, log }),
    listScheduleIds: async (uid) =>
      new Set(followableBy(uid, await store.schedules.list()).map(({ id }) => id)),
    now,
    log,
    onServed: (all) => {
      webhooks = webhookTable(all);
      caps = runCaps(all);
      wake();
    },
    onPassed: (uid) => passed(uid),
  });
  stops.push(loader.stop, factories.stop, () => stopping.abort());
  await scopeOutsideSecrets(config, factories, store.secrets, log);
  const planner = createPlanner({ factories, deliveries: store.deliveries, log, now });
  const telling = { store: store.feedback, revisions: store.factories, planner, onEnded: metrics.toldHost };
  const feedback = startFeedback(factories, { ...telling, log, now }, stopping);
  passed = feedback.passed;
  stops.push(feedback.stop);

  const pauses = await openPauses(store.pauses, () => wake());
  warnOfPauses(pauses.list(), log);
  const addresses = createAddresses(config);
  const { publicUrl, webhookUrl, ownUrl } = addresses;
  const queue = mill.createQueue(factories, { caps: () => caps, apiUrl: publicUrl });
  const onDisk = mill.onDisk(factories);
  const rooms = createBodyRooms();
  const shared = { publicUrl, log, now };
  const gate = createGate(config, {
    room: rooms.ingress,
    store: store.deliveries,
    webhooks: () => webhooks,
    onRuns: queue.wake,
    onRecorded: metrics.delivered,
    onRefused: metrics.refused,
    onAnswered: metrics.accepted,
    ...shared,
  });
  stops.push(gate.stop);
  const hookParts = { room: rooms.pushHooks, factories, askForCheck: feedback.ask, ...shared };
  const pushHook = createPushHook(config, hookParts);
  const { createApi } = await loadingApi;
  const trustsThisMachine = config.trustProxy.length === 0 && !sandbox.sharesNetwork;
  const cursors = createCursors(sealer);
  const ofFactories = { config, factories, store, queue, specs, sourceParts, log, now };
  // Ports of the store, and over them the parts that stand in front of some.
  const served = {
    ...store,
    publicUrl,
    webhookUrl,
    ownUrl,
    keys,
    sessions,
    vault,
    load: loader.load,
    host: mill.host,
    factories,
    making: { ...factoryMaking(ofFactories), ...factoryDeletion(ofFactories) },
    planner,
    feedback,
    revisions: store.factories,
    queue,
    gate,
    pauses,
    hasHarness: mill.hasHarness,
    onScheduleChange: () => wake(),
    commits,
    config,
    artifacts: data.artifacts,
    repositories: { forges, mirrors: onDisk.mirrors },
    downloadLinks: createDownloadLinks(sealer, { publicUrl, now }),
    workspaces: mill.workspaces,
    senderOf: exactAddress(config.trustProxy),
    failedKeys: createFailedKeys(config),
    visitors: createVisitors(config),
    readBody: jsonBodyReader(rooms.api),
    publicMetrics: config.publicMetrics === "on",
  };
  const api = createApi({ ...served, metrics, trustsThisMachine, cursors, log, now });

  // No request is answered before the keys and the definitions in force are those of this start.
  const unusableKey = await applyingKey;
  if (unusableKey) log.warn(unusableKey);
  const kept = [data.path, data.lock, data.database];
  const { guarded, stop: stopGuard } = await endWithoutData(kept, { publicUrl, log, onFatal });
  stops.push(stopGuard);
  const handlers = { gate, pushHook, api, log, guarded };
  addresses.listensOn(await listenForAll(config, handlers, stops, passedSockets(env)));
  stops.push(startMaintenance(chores(store, mill.workspaces, onDisk, config, now), log));
  // Last to start and first to stop: while agents end, the ingress still takes what will wait for the next start.
  stops.push(mill.startHeartbeat());
  mill.watchRoom(queue.wake);
  stops.push(() => queue.stop(config.drainTimeout));
  // After everything that can keep a server from starting: a new key is shown once, by a server that has started. Nobody
  // knows it before.
  const newAdminKey = await keys.ensureAdmin();
  const scheduler = startScheduler({
    store: store.schedules,
    factories: factories.list,
    identities: store.identities,
    pauses,
    onRuns: queue.wake,
    log,
    now,
  });
  stops.push(scheduler.stop);
  wake = () => {
    queue.wake();
    scheduler.wake();
  };
  wake();
  // Last: to read definitions takes the processor that a server needs to be ready, with what was in force when it stopped.
  const lookedAt = factories.start();
  const warned = logStartWarnings(config, { store, now, log }).then(NOTHING);
  stops.push(() => warned, warnOfFactories(lookedAt, ofFactories));
  return { publicUrl: publicUrl(), webhookUrl: webhookUrl(), factories, newAdminKey };
}
