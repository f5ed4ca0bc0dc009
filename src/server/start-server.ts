import { resolve } from "node:path";
import { logStartWarnings } from "../admin/doctor/start-warnings.ts";
import { createReadiness } from "../api/admin/health.ts";
import { createMetrics } from "../api/admin/metrics.ts";
import { createCallerLimits } from "../api/http/caller-limits.ts";
import { createDownloadLinks } from "../api/http/download-links.ts";
import { createCursors } from "../api/http/page.ts";
import { jsonBodyReader } from "../api/http/read-json-body.ts";
import { createSecretAnswers } from "../api/http/secret-answers.ts";
import { createCommitSignal } from "../concurrency/rounds.ts";
import type { Config } from "../config/config.ts";
import { postgresUrl } from "../config/database-url.ts";
import { createBodyRooms } from "../edge/body-room.ts";
import { exactAddress } from "../edge/client-address.ts";
import { openSandbox } from "../executor/sandbox/open-sandbox.ts";
import { createPushHook } from "../ingress/push-hooks/push-hook.ts";
import type { Log } from "../log.ts";
import { createPlanner } from "../plans/planner.ts";
import type { Factories } from "../reconcile/factories.ts";
import { openPauses, warnOfPauses } from "../runs/pauses.ts";
import { settingAccess } from "../sources/setting-scopes.ts";
import { settingsForges } from "../sources/settings-forges.ts";
import { explainFullDisk } from "../store/sqlite/disk-reserve.ts";
import { announceServer } from "../workers/server-presence.ts";
import { createExecutor } from "./create-executor.ts";
import { createIngress } from "./create-ingress.ts";
import { factoryDeletion, factoryMaking } from "./factory-changes.ts";
import { warnOfFactories } from "./factory-warnings.ts";
import { followOthers } from "./follow-others.ts";
import { maxConnections } from "./http/limit-connections.ts";
import { createAddresses, startListening } from "./http/start-listening.ts";
import { checkTrustedProxies } from "./http/trusted-proxies.ts";
import { measureDisk } from "./measure-disk.ts";
import { openData, openStorage } from "./open-storage.ts";
import { reportActivity } from "./report-activity.ts";
import { activeDefinitions, openDefaultFactory, openServedFactories } from "./served-factories.ts";
import { createSignals } from "./signals.ts";
import { startClocks } from "./start-clocks.ts";
import { startJobs } from "./start-jobs.ts";
import { startReporting } from "./start-reporting.ts";
import { releaseAll, type Stops } from "./stops.ts";

export interface ControllerOptions {
  config: Config;
  /** Sources named on the command line. */
  sources: readonly string[];
  log: Log;
  env?: Record<string, string | undefined>;
  now?: () => Date;
  /** Whether each delivery and run is logged, for a person who watches. */
  reportsActivity?: boolean;
  /**
   * Whether other servers serve from the same store: definitions change without a word from this one, and everything that is kept
   * has to be in the store.
   */
  sharesStore?: boolean;
  /** Called when the server cannot go on: its store is gone. */
  onFatal(error: Error): void;
}

/** A server that serves. */
export interface RunningServer {
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
export async function startServer(options: ControllerOptions): Promise<RunningServer> {
  const stops: Stops = [];
  try {
    return { ...(await start(options, stops)), stop: () => releaseAll(stops) };
  } catch (error) {
    // Why it could not start is what its operator needs to know.
    await releaseAll(stops).catch(() => {});
    throw explainFullDisk(resolve(options.config.dataDir), error);
  }
}

async function start(
  {
    config,
    sources,
    log,
    env = process.env,
    reportsActivity = false,
    sharesStore = postgresUrl(config.databaseUrl) !== undefined,
    onFatal,
    ...options
  }: ControllerOptions,
  stops: Stops,
): Promise<Omit<RunningServer, "stop">> {
  const signals = createSignals();
  const metrics = createMetrics();
  const commits = createCommitSignal();
  const data = await openData(config, stops);
  for (const warning of data.warnings) log.warn(warning);
  // The trial writes into the folder: it ends before that is given to another server.
  const findingSandbox = openSandbox(config, data, log);
  // When it fails before it is waited for, the place that waits for it reports that.
  const sandboxFound = findingSandbox.then(NOTHING, NOTHING);
  stops.push(() => sandboxFound);
  const opening = openStorage(
    {
      config,
      data,
      sharesStore,
      log,
      env,
      now: options.now,
      metrics,
      commits,
      onFatal,
      onDiskFull: signals.diskFull.send,
      onOthers: signals.committedElsewhere.send,
    },
    stops,
  );
  // Loading the API keeps this thread busy for as long as the store's threads, and the trial of a sandbox, take to start.
  const loadingApi = import("../api/server.ts");
  const { store, artifacts, sealer, vault, keys, identity, sessions, registry, ...opened } = await opening;
  const { leadership, resign, now, leaseNow } = opened;
  const applyingKey = keys.applySettingsKey(config.adminKey);
  // When it fails before it is waited for, the place that waits for it reports that.
  applyingKey.catch(NOTHING);
  const access = settingAccess(config, store.settingScopes);
  const forges = settingsForges({ config, vault, env }, access);
  const sandbox = await findingSandbox;
  checkTrustedProxies(config.trustProxy, sandbox.sharesNetwork);
  const common = { config, data, store, artifacts, sharesStore, sealer, vault, forges, access, log, now };
  const executor = await createExecutor({ ...common, leaseNow, sandbox, meter: metrics.runs }, stops);
  signals.diskFull.listen(executor.lookAtDisk);
  const { workspaces, masks, answers, questions, host, hasHarness } = executor;

  const stopping = new AbortController();
  const definitions = activeDefinitions(signals.activated, config.shares);
  const { factories, specs, sourceDeps, load } = await openServedFactories(
    {
      ...common,
      env,
      sources,
      registry,
      leadership,
      stopping,
      host,
      hasHarness,
      onActive: signals.activated.send,
      onReconciled: signals.reconciled.send,
    },
    stops,
  );
  const defaultFactory = await openDefaultFactory(config, factories, store.secrets);
  const planner = createPlanner({ ...store, reaches: store.runs, factories, defaultFactory, log, now });
  const addresses = createAddresses(config);
  const { publicUrl, webhookUrl, ownUrl } = addresses;
  const { feedback, notifier, outboundSender, resources } = startReporting(
    { ...common, leadership, factories, planner, metrics, commits, publicUrl, env },
    stopping,
    stops,
  );
  signals.reconciled.listen(feedback.passed);
  signals.activated.listen(notifier.activated);
  signals.activated.listen(outboundSender.activated);

  const pauses = await openPauses(store.pauses, signals.startable.send);
  warnOfPauses(pauses.list(), log);
  const { queue, door, continueTurns } = executor.createQueue(factories, {
    caps: definitions.caps,
    apiUrl: publicUrl,
    registry,
    onHold: signals.waiting.send,
  });
  const presence = announceServer({
    ...executor.node,
    executing: queue.executing,
    sharesStore,
    leadership,
    store: store.servers,
    now,
  });
  stops.push(presence.stop);
  const onDisk = executor.onDisk(factories);
  const rooms = createBodyRooms();
  const { gate, dropped } = createIngress(
    config,
    {
      store: store.deliveries,
      room: rooms.ingress,
      factories,
      metrics,
      queue,
      meter: metrics.runs,
      publicUrl,
      log,
      now,
    },
    { webhooks: definitions.webhooks, catchUp: factories.catchUp, isShared: sharesStore },
    stops,
  );
  const pushHook = createPushHook(config, {
    room: rooms.pushHooks,
    factories,
    askForCheck: feedback.ask,
    publicUrl,
    log,
    now,
  });
  const { createApi } = await loadingApi;
  const readiness = createReadiness({ hasOthers: sharesStore, log });
  const trustsThisMachine = config.trustProxy.length === 0 && !sandbox.sharesNetwork;
  const cursors = createCursors(sealer);
  const ofFactories = { config, factories, defaultFactory, store, queue, specs, sourceDeps, log, now };
  // Ports of the store, and over them the parts that stand in front of some.
  const apiDeps = {
    ...store,
    ...identity,
    ...door,
    publicUrl,
    webhookUrl,
    ownUrl,
    keys,
    sessions,
    presence,
    vault,
    load,
    host,
    factories,
    defaultFactory,
    making: { ...factoryMaking(ofFactories), ...factoryDeletion(ofFactories) },
    planner,
    feedback,
    notifier,
    outboundSender,
    resources,
    revisions: store.factories,
    queue,
    gate,
    dropped,
    pauses,
    holds: store.holds,
    hasHarness,
    meter: metrics.runs,
    onScheduleChange: signals.startable.send,
    onWait: signals.waiting.send,
    commits,
    config,
    isStoreElsewhere: sharesStore,
    readiness,
    artifacts: artifacts.kept,
    repositories: { forges, mirrors: onDisk.mirrors },
    downloadLinks: createDownloadLinks(sealer, { publicUrl, now }),
    workspaces,
    masks,
    answers,
    questions,
    senderOf: exactAddress(config.trustProxy),
    ...createCallerLimits(config, store.audit, maxConnections()),
    leaseNow,
    secretAnswers: createSecretAnswers({ store: store.secretAnswers, sealer, now }),
    readBody: jsonBodyReader(rooms.api),
    bodyRoom: rooms.api,
    publicMetrics: config.publicMetrics === "on",
  };
  const api = createApi({ ...apiDeps, metrics, trustsThisMachine, cursors, log, now });

  // No request is answered before the keys and the active definitions are those of this start.
  const unusableKey = await applyingKey;
  if (unusableKey) log.warn(unusableKey);
  await startListening({ config, data, env, gate, pushHook, api, addresses, readiness, log, onFatal }, stops);
  stops.push(startJobs({ ...common, ...identity, workspaces, onDisk, registry, queue, leadership }));
  stops.push(measureDisk({ data, files: onDisk.files, metrics: metrics.disk, log }));
  if (reportsActivity) stops.push(reportActivity({ ...store, factories, commits, log }));
  // Last to start and first to stop: while agents end, the ingress still takes what will wait for the next start.
  stops.push(executor.startHeartbeat());
  executor.watchRoom(queue.wake);
  stops.push(() => queue.stop(config.drainTimeout));
  // Another one leads while agents end and load balancers notice.
  stops.push(resign);
  continueTurns();
  // After everything that can keep a server from starting: a new key is shown once, by a server that has started. Nobody
  // knows it before.
  const newAdminKey = await keys.ensureAdmin();
  const clocks = startClocks(
    { store, factories, pauses, commits, leadership, onRuns: queue.wake, metrics: metrics.runs, log, now },
    stops,
  );
  signals.activated.listen(clocks.activated);
  signals.waiting.listen(clocks.wakeWaits);
  signals.waiting.listen(clocks.wakeHolds);
  // Nothing runs before everything has started.
  signals.startable.listen(queue.wake);
  signals.startable.listen(clocks.wakeSchedules);
  signals.activated.listen(() => signals.startable.send());
  signals.startable.send();
  if (sharesStore) {
    const { committed } = followOthers(
      {
        factories,
        commits,
        queue,
        store: store.runs,
        registry,
        feedback,
        pauses,
        clocks,
        log,
      },
      stops,
    );
    signals.committedElsewhere.listen(committed);
  }
  // Last: to read definitions takes the processor that a server needs to be ready, with what was in force when it stopped.
  const lookedAt = factories.start();
  const warned = logStartWarnings(config, { store, now, log }).then(NOTHING);
  stops.push(() => warned, warnOfFactories(lookedAt, ofFactories), readiness.end);
  return { publicUrl: publicUrl(), webhookUrl: webhookUrl(), factories, newAdminKey };
}
