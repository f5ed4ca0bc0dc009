import { resolve } from "node:path";
import type { Metrics } from "../api/admin/metrics.ts";
import { ALWAYS_LEADER, type CommitSignal, type Leadership } from "../concurrency/rounds.ts";
import type { Config } from "../config/config.ts";
import { postgresUrl } from "../config/database-url.ts";
import { serverSecretsOf } from "../config/server-secrets.ts";
import { atMostEvery, type Log } from "../log.ts";
import { openRunIdentity } from "../oidc/run-tokens.ts";
import { steadyClock } from "../platform/steady-clock.ts";
import { createKeys } from "../principals/keys.ts";
import { createSessions } from "../principals/session.ts";
import type { ArtifactBytes } from "../runs/output/artifact-bytes.ts";
import { artifactFolder } from "../runs/output/artifact-folder.ts";
import type { ArtifactRowStore } from "../runs/output/artifact-rows.ts";
import { artifactRows } from "../runs/output/artifact-rows.ts";
import { openSealer } from "../secrets/master-key.ts";
import { createVault } from "../secrets/vault.ts";
import { type DataFolder, lostLogs, openDataFolder, refuseLostDatabase } from "../store/data-folder.ts";
import { type OpenStore, openStore, type StoreEvents } from "../store/open-store.ts";
import { openPostgres, type PostgresEvents } from "../store/postgres/open-postgres.ts";
import { openWorkers } from "../workers/workers.ts";
import type { Stops } from "./stops.ts";

export interface StorageOptions {
  config: Config;
  data: DataFolder;
  /** Whether other servers have the same store, so that what is kept has to be in it. */
  sharesStore: boolean;
  log: Log;
  env: Record<string, string | undefined>;
  /** The time; nothing for the one of the store. */
  now: (() => Date) | undefined;
  metrics: Metrics;
  commits: CommitSignal;
  /** Called when the server cannot go on: its store is gone. */
  onFatal(error: Error): void;
  /** Called when the store finds the disk full. */
  onDiskFull(): void;
  /** Called when another server has committed something. @param isNews whether runs may be concerned that execute here */
  onOthers(isNews: boolean): void;
}

/** A store that fails does so for every sender: one line in so many milliseconds says it. */
const STORE_FAILURES_LOGGED_MS = 10_000;

/**
 * Opens the data folder, which is this server's from now on until it ends.
 * @throws MillraceError `service_unavailable` where the folder has lost its database, and nobody said to start anew
 */
export async function openData(config: Config, stops: Stops): Promise<DataFolder> {
  const data = await openDataFolder(resolve(config.dataDir), {
    database: postgresUrl(config.databaseUrl) ? undefined : config.databaseUrl,
    workspaces: config.workspacesDir && resolve(config.workspacesDir),
  });
  stops.push(data.release);
  if (postgresUrl(config.databaseUrl) !== undefined) return data;
  if (config.freshStart === "off") refuseLostDatabase(data);
  const lost = lostLogs(data.database).map(
    (log) =>
      `${log} is missing although the database was not closed: the last changes before the stop may be lost. If the file was moved away, stop this server and start it from a backup`,
  );
  return { ...data, warnings: [...data.warnings, ...lost] };
}

/** What lasts longer than the process: the database in the data folder, and what the master key opens there. */
export async function openStorage(
  { config, data, sharesStore, log, env, metrics, commits, onFatal, ...options }: StorageOptions,
  stops: Stops,
) {
  const events: StoreEvents & Pick<PostgresEvents, "onOthers"> = {
    onLost: onFatal,
    onCommit: (calls) => {
      metrics.committed(calls);
      commits.committed();
    },
    onFailure: atMostEvery(STORE_FAILURES_LOGGED_MS, (error) => log.error({ error }, "the store failed")),
    onDiskFull: options.onDiskFull,
    onOthers(isNews) {
      commits.committed();
      options.onOthers(isNews);
    },
  };
  const url = postgresUrl(config.databaseUrl);
  const shared = url === undefined ? undefined : await openPostgres(url, events);
  const store: OpenStore = shared ?? (await openStore(data.database, events, data.reserve));
  stops.push(store.close);
  const leadership: Leadership = shared?.session ?? ALWAYS_LEADER;
  const resign = shared?.session.resign ?? (() => {});
  // Servers whose clocks differ agree on when a lease is over.
  const agreed = options.now ?? shared?.session.now;
  const now = agreed ?? (() => new Date());
  // One server alone judges leases by a clock that nobody sets: a jump of the other one would end the turns of all workers.
  const leaseNow = agreed ?? steadyClock(data.path);
  const sealer = await openSealer(config, store.secrets);
  const vault = createVault({
    store: store.secrets,
    sealer,
    outside: config.secrets,
    ofServer: serverSecretsOf(config),
    env,
    now,
  });
  const keys = createKeys({ store: store.keys, now });
  const { publicUrl } = config;
  const identity = openRunIdentity({ store: store.signingKeys, sealer, publicUrl, now });
  const { sessionIdleTimeout, sessionLifetime } = config;
  const sessions = createSessions({ store: store.sessions, keys, now, sessionIdleTimeout, sessionLifetime });
  const registry = await openWorkers({ store: store.workers, now });
  const artifacts = openArtifactBytes(data.artifacts, {
    rows: store.artifactRows,
    isShared: sharesStore,
    now,
  });
  return {
    store,
    artifacts,
    sealer,
    vault,
    keys,
    identity,
    sessions,
    registry,
    leadership,
    resign,
    now,
    leaseNow,
  };
}

export interface KeptArtifacts {
  /** Where the files that agents leave are kept. */
  kept: ArtifactBytes;
  /** Where the executor of this server copies them to first: the same place, unless they are kept elsewhere. */
  copied: string;
  /** Every place in which something can be left over. */
  swept: readonly ArtifactBytes[];
}

/**
 * Says where the bytes of artifacts are: files of the data folder, or rows of a store that other servers have too.
 * @param isShared whether they have
 */
export function openArtifactBytes(
  folder: string,
  { rows, isShared, now }: { rows: ArtifactRowStore; isShared: boolean; now: () => Date },
): KeptArtifacts {
  const files = artifactFolder(folder);
  if (!isShared) return { kept: files, copied: folder, swept: [files] };
  const kept = artifactRows(rows, now);
  return { kept, copied: folder, swept: [kept, files] };
}
