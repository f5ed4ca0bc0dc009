import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { Config } from "../config/config.ts";
import { postgresUrl, withoutPassword } from "../config/database-url.ts";
import { errorMessage, MillraceError } from "../errors/error.ts";
import { isUuid } from "../id.ts";
import type { ArtifactBytes, ArtifactFile } from "../runs/output/artifact-bytes.ts";
import { artifactFolder } from "../runs/output/artifact-folder.ts";
import type { ArtifactRowStore } from "../runs/output/artifact-rows.ts";
import { artifactRows } from "../runs/output/artifact-rows.ts";
import { openSealer } from "../secrets/master-key.ts";
import type { SecretStore } from "../secrets/secret.ts";
import { databaseIn, openDataFolder } from "../store/data-folder.ts";
import { type CopiedTables, copyTables, type MoveProgress } from "../store/move/copy-tables.ts";
import { openEmptyPostgres, openPostgresSource } from "../store/move/movable-postgres.ts";
import { newSqlite, openSqliteSource, requireFiles } from "../store/move/movable-sqlite.ts";
import type { MoveSource, MoveTarget } from "../store/move/movable-store.ts";
import { type StoredTable, storedTables } from "../store/move/stored-tables.ts";

export type { MoveProgress };

export interface MoveOptions {
  /** The database of the source is the one that they name. */
  settings: Pick<Config, "dataDir" | "databaseUrl" | "masterKey" | "masterKeyFile">;
  /** A path of a file of SQLite, or the URL of a database of PostgreSQL. */
  to: string;
  now: () => Date;
  onProgress(progress: MoveProgress): void;
}

export interface Moved extends CopiedTables {
  from: string;
  to: string;
  artifacts: number;
  /** The file with the master key, where no setting names the key: the data folder's own. */
  keyFile: string | undefined;
  /** The folders that factories are read from, which a server on PostgreSQL refuses. */
  folders: string[];
}

/** On SQLite, the bytes of artifacts are files of the data folder. */
const TABLES_OF_ARTIFACTS = ["artifact_files", "artifact_bytes"];

/**
 * Copies the whole store of a stopped server to the other kind of database, and reads it back. The source is not changed, and the
 * target has everything or nothing. The data folder stays the same.
 * @throws MillraceError when a server uses one of them, when the target is not empty, or when they are of another version
 */
export async function moveStore(options: MoveOptions): Promise<Moved> {
  try {
    return await moveLocked(options);
  } catch (error) {
    throw error instanceof MillraceError ? error : notMoved(error);
  }
}

/** Keeps every server away in the meantime. */
async function moveLocked(options: MoveOptions): Promise<Moved> {
  const { settings, now } = options;
  const dataDir = resolve(settings.dataDir);
  const from = databaseIn(dataDir, settings.databaseUrl);
  const to = postgresUrl(options.to) ?? resolve(options.to);
  const file = fileOf(from, to);
  // Before a data folder is made for a database that does not exist.
  if (file === from) requireFiles(from);
  else requireFolder(dirname(file), dataDir);
  const isInFolder = resolve(file) === databaseIn(dataDir);
  const closing: (() => unknown)[] = [];
  try {
    const data = await openDataFolder(dataDir, { database: isInFolder ? undefined : file });
    closing.unshift(data.release);
    const source = file === from ? await openSqliteSource(from) : await openPostgresSource(from);
    closing.unshift(source.close);
    await proveKey(settings, source.ports.secrets);
    const tables = await storedTables();
    const target = file === from ? await openEmptyPostgres(to, tables, now()) : await newSqlite(to, now());
    closing.unshift(target.close);
    const sides = { source, target, isToFile: file !== from, folder: data.artifacts };
    const moved = await moveWhole(tables, sides, options);
    const factories = file === from ? await source.ports.factories.list() : [];
    const folders = factories.filter(({ mode }) => mode === "folder").map(({ source }) => source.path);
    const shown = { from: withoutPassword(from), to: withoutPassword(to) };
    return { ...shown, ...moved, keyFile: keyFileInUse(settings), folders };
  } finally {
    for (const close of closing) await close();
  }
}

interface Sides {
  source: MoveSource;
  target: MoveTarget;
  isToFile: boolean;
  /** Where artifacts are files. */
  folder: string;
}

async function moveWhole(
  tables: readonly StoredTable[],
  { source, target, isToFile, folder }: Sides,
  { now, onProgress }: MoveOptions,
): Promise<CopiedTables & { artifacts: number }> {
  const moving = tables.filter(({ name }) => !isToFile || !TABLES_OF_ARTIFACTS.includes(name));
  const copied = await copyTables(moving, { source, target, onProgress });
  const places = artifactPlaces(isToFile ? source.ports : target.ports, { isToFile, folder, now });
  const artifacts = await moveArtifacts(places);
  await target.keep();
  return { ...copied, artifacts };
}

/** The folder that the data folder makes itself does not have to exist. */
function requireFolder(folder: string, dataDir: string): void {
  if (folder === dataDir || existsSync(folder)) return;
  throw new MillraceError("invalid_request", `The folder ${folder} of the target does not exist.`, {
    remedy: "Create it, or specify a path in an existing folder with --to. Nothing was stored.",
  });
}

/** The one of both that is a file of SQLite. */
function fileOf(from: string, to: string): string {
  const files = [from, to].filter((place) => postgresUrl(place) === undefined);
  const [file] = files;
  if (files.length === 1 && file !== undefined) return file;
  const isSame = file === undefined ? from === to : resolve(from) === resolve(to);
  const [kind, remedy] =
    file === undefined
      ? ["PostgreSQL", "To copy a database of PostgreSQL, use pg_dump and pg_restore."]
      : ["SQLite", "To copy a database of SQLite, use `millrace backup` and `millrace restore`."];
  throw new MillraceError(
    "invalid_request",
    isSame
      ? "The source and the target are the same database."
      : `The source and the target are both databases of ${kind}, and a move is from one kind to the other.`,
    { remedy },
  );
}

function notMoved(cause: unknown): MillraceError {
  return new MillraceError("service_unavailable", `The store cannot be moved: ${errorMessage(cause)}.`, {
    remedy: "Nothing was stored in the target, and the source was not changed. Run the command again.",
    cause,
  });
}

type KeySettings = Pick<Config, "dataDir" | "masterKey" | "masterKeyFile">;

/** Servers that share a database never replace its key, so it has to be the right one even where nothing is sealed. */
const AS_SHARED = { databaseUrl: "postgres://any/any" };

/**
 * Proves that the settings have the master key of a store that is moved: with another one, no server could start on the target.
 * @throws MillraceError `service_unavailable` when they do not
 */
export async function proveKey(settings: KeySettings, secrets: SecretStore): Promise<void> {
  // No server has started on it yet.
  if (!(await secrets.findSealing())) return;
  const masterKeyFile = settings.masterKeyFile ?? keyFileInUse(settings);
  if (settings.masterKey === undefined && masterKeyFile === undefined) throw withoutKey();
  await openSealer({ ...settings, ...AS_SHARED, masterKeyFile }, { ...secrets, saveSealing: async () => {} });
}

/** The key file of the data folder, if it is the one that a server with SQLite takes. */
export function keyFileInUse({ dataDir, masterKey, masterKeyFile }: KeySettings): string | undefined {
  const file = join(resolve(dataDir), "master.key");
  return masterKey === undefined && masterKeyFile === undefined && existsSync(file) ? file : undefined;
}

function withoutKey(): MillraceError {
  return new MillraceError("service_unavailable", "The master key of the store is not set.", {
    remedy:
      "Set MILLRACE_MASTER_KEY or MILLRACE_MASTER_KEY_FILE to the key that the server was started with.",
  });
}

interface Places {
  from: ArtifactBytes;
  to: ArtifactBytes;
}

/** On PostgreSQL the bytes of artifacts are rows, and on SQLite they are files of the data folder. */
export function artifactPlaces(
  { artifactRows: rows }: { artifactRows: ArtifactRowStore },
  { isToFile, folder, now }: { isToFile: boolean; folder: string; now: () => Date },
): Places {
  const [inFolder, inRows] = [artifactFolder(folder), artifactRows(rows, now)];
  return isToFile ? { from: inRows, to: inFolder } : { from: inFolder, to: inRows };
}

/**
 * Copies every file that is whole, and reads it back.
 * @returns how many
 * @throws MillraceError when one is not the same afterwards
 */
export async function moveArtifacts(places: Places): Promise<number> {
  let moved = 0;
  for await (const runIds of places.from.listRuns()) {
    for (const runId of runIds) {
      // What has not come whole has a longer name, and is sent again.
      const fileIds = (await places.from.list(runId)).filter(isUuid);
      for (const fileId of fileIds) if (await moveArtifact(places, { runId, fileId })) moved += 1;
    }
  }
  return moved;
}

async function moveArtifact({ from, to }: Places, file: ArtifactFile): Promise<boolean> {
  const found = await from.open(file);
  if (!found) return false;
  const sent = createHash("sha256");
  await to.write(file, { bytes: hashed(found.bytes, sent), offset: 0, isLast: true });
  const kept = createHash("sha256");
  for await (const bytes of (await to.open(file))?.bytes ?? []) kept.update(bytes);
  if (kept.digest("hex") === sent.digest("hex")) return true;
  throw new MillraceError(
    "service_unavailable",
    `The artifact ${file.fileId} of the run ${file.runId} is not the same in the target as in the source.`,
    { remedy: "The source was not changed. Report this." },
  );
}

async function* hashed(
  bytes: AsyncIterable<Uint8Array>,
  hash: ReturnType<typeof createHash>,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    hash.update(chunk);
    yield chunk;
  }
}
