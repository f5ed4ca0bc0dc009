import { createHash } from "node:crypto";
import { existsSync, readdirSync, statSync } from "node:fs";
import { access, chmod, constants, lstat, mkdir, readdir, realpath, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { emptyIfMissing, errorMessage, MillraceError } from "../errors/error.ts";
import { makePrivateFolder } from "../platform/private-folder.ts";
import { transcriptsBeside } from "./runs/transcript-file.ts";
import { explainFullDisk, reserveOf } from "./sqlite/disk-reserve.ts";
import { lockFile } from "./sqlite/sqlite.ts";

const OWN_FOLDER = "a separate folder with --data-dir or MILLRACE_DATA_DIR";
const OWN_DATABASE = "a separate database with --database-url or MILLRACE_DATABASE_URL";
const OWN_WORKSPACES = "a separate workspaces folder with MILLRACE_WORKSPACES_DIR";

/** Where a server keeps what is its own. */
export interface DataFolder {
  path: string;
  /** Held by the server that uses it. */
  lock: string;
  database: string;
  git: string;
  /** The repositories of factories that millrace keeps. */
  factories: string;
  workspaces: string;
  artifacts: string;
  /** Credentials of registries, for as long as an engine may need them. */
  registryAuths: string;
  /** Disk space that is reserved for the database. */
  reserve: string;
  /** What a server that uses it should say in its log. */
  warnings: readonly string[];
  /** Where the first processes of runs' namespaces are noted. */
  firstProcesses: string;
  /** Where the sockets of runs' network proxies lie. */
  networkSockets: string;
  release(): void;
}

/** What of it lies elsewhere. */
export interface Elsewhere {
  database?: string | undefined;
  workspaces?: string | undefined;
}

/**
 * Makes the data folder, for this user alone, and locks it: one server at a time. A folder that is there already keeps
 * its owner and mode, which someone has chosen.
 * @throws MillraceError `service_unavailable` when it cannot be made or another server has it
 */
export async function openDataFolder(path: string, elsewhere: Elsewhere = {}): Promise<DataFolder> {
  // Whatever this process makes from now on, the database and the workspaces among it, is for this user alone.
  process.umask(0o077);
  await makeWritable(
    path,
    "data folder",
    "Specify another one with --data-dir, or give this user write access.",
  );
  const lock = join(path, "lock");
  const { warnings, release } = await takeLocks(path, lock, elsewhere);
  const database = databaseIn(path, elsewhere.database);
  await removeRestoring(database);
  return {
    path,
    lock,
    database,
    git: join(path, "git"),
    factories: join(path, "factories"),
    workspaces: elsewhere.workspaces ?? join(path, "workspaces"),
    artifacts: join(path, "artifacts"),
    registryAuths: join(path, "registry-auths"),
    firstProcesses: join(path, "first-processes"),
    networkSockets: join(path, "network"),
    reserve: reserveOf({ path, database }),
    warnings,
    release,
  };
}

/** Takes every lock that keeps another server away, or none. */
async function takeLocks(
  path: string,
  lock: string,
  { database, workspaces }: Elsewhere,
): Promise<Pick<DataFolder, "warnings" | "release">> {
  const releases: (() => void)[] = [];
  const release = () => {
    for (const releaseOne of releases.splice(0)) releaseOne();
  };
  const warnings: string[] = [];
  try {
    releases.push(takeLock(lock, `the data folder ${path}`, OWN_FOLDER));
    const outside = await lockPath(path);
    if ("unavailable" in outside) warnings.push(noOuterLock(path, outside.unavailable));
    else if (outside.release) releases.push(outside.release);
    else throw heldOutside(path, outside.file);
    // Two folders may name one database, and each server would take the other's runs for lost ones.
    if (database !== undefined)
      releases.push(takeLock(`${database}.lock`, `the database ${database}`, OWN_DATABASE));
    // Each of two servers would remove the other's workspaces.
    if (workspaces !== undefined) {
      const remedy = "Specify another one with MILLRACE_WORKSPACES_DIR, or give this user write access.";
      await makeWritable(workspaces, "workspaces folder", remedy);
      releases.push(
        takeLock(join(workspaces, "lock"), `the workspaces folder ${workspaces}`, OWN_WORKSPACES),
      );
    }
    return { warnings, release };
  } catch (error) {
    release();
    throw error;
  }
}

/** How the folder begins, beside the database, into which a restore unpacks before it puts anything in its place. */
export const restoringIn = (database: string) => join(dirname(database), `.restoring-${basename(database)}-`);

/** A restore that was killed has left a copy of everything. Whoever has the lock of the database is alone with it. */
async function removeRestoring(database: string): Promise<void> {
  const begun = basename(restoringIn(database));
  for (const name of await readdir(dirname(database)).catch(emptyIfMissing)) {
    if (name.startsWith(begun)) await rm(join(dirname(database), name), { recursive: true, force: true });
  }
}

/**
 * Refuses a folder that has been used and whose database is missing or empty. A first start makes the database before anything else.
 * @throws MillraceError `service_unavailable` that names what is there
 */
export function refuseLostDatabase({ path, database, artifacts, factories, git }: DataFolder): void {
  if (sizeOf(database) > 0) return;
  const wasUsed = [
    ...[`${database}-wal`, transcriptsBeside(database)].filter((file) => sizeOf(file) > 0),
    ...[artifacts, factories, git].filter(
      (folder) =>
        statSync(folder, { throwIfNoEntry: false })?.isDirectory() && readdirSync(folder).length > 0,
    ),
  ];
  const [left] = wasUsed;
  if (left === undefined) return;
  const what = existsSync(database) ? "is empty" : "does not exist";
  throw new MillraceError(
    "service_unavailable",
    `The database ${database} ${what}, but ${left} shows that a server has used it. A server with a new database would know none of its webhooks, keys and runs.`,
    {
      remedy: `Put the database back, or restore a backup with \`millrace restore FILE --data-dir ${path}\`. To start without any earlier data, use --fresh-start on.`,
    },
  );
}

/**
 * The write-ahead logs that are missing of databases that were not closed: SQLite removes the index of the log first when it
 * closes a database, and then the log.
 */
export function lostLogs(database: string): string[] {
  return [database, transcriptsBeside(database)]
    .filter((path) => existsSync(`${path}-shm`) && !existsSync(`${path}-wal`) && sizeOf(path) > 0)
    .map((path) => `${path}-wal`);
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

async function makeWritable(path: string, what: string, remedy: string): Promise<void> {
  try {
    await makePrivateFolder(path);
    await access(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    const explained = explainFullDisk(path, error);
    if (explained !== error) throw explained;
    throw new MillraceError(
      "service_unavailable",
      `The ${what} ${path} cannot be used: ${(error as Error).message}.`,
      { remedy, cause: error },
    );
  }
}

/** Where the database is: in the data folder, unless the settings say otherwise. */
export function databaseIn(path: string, databaseElsewhere?: string): string {
  return databaseElsewhere ?? join(path, "millrace.db");
}

/** Every file that a server has where its database is. */
export function databaseFiles(database: string): string[] {
  const ofEach = [database, transcriptsBeside(database)].flatMap((path) =>
    ["", "-wal", "-shm"].map((end) => path + end),
  );
  return [...ofEach, ...[".lock", ".reserve", ".reserve.new"].map((end) => database + end)];
}

function noOuterLock(path: string, why: string): string {
  return `the path ${path} could not be locked, so a second server could start on it if the folder is deleted: ${why}`;
}

function heldOutside(path: string, file: string): MillraceError {
  return new MillraceError(
    "service_unavailable",
    `Another millrace process uses the data folder ${path}, or used it until the folder was deleted: it holds the lock ${file}.`,
    {
      remedy: `Wait a few seconds until it has exited, or stop it: \`fuser ${file}\` prints its process ID.`,
    },
  );
}

function takeLock(file: string, what: string, own: string): () => void {
  const release = orFull(dirname(file), () => lockFile(file));
  if (release) return release;
  throw new MillraceError("service_unavailable", `Another millrace process uses ${what}.`, {
    remedy: `Stop it first, or start this one with ${own}.`,
  });
}

function orFull<Made>(folder: string, make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    throw explainFullDisk(folder, error);
  }
}

/** Where a lock could not be taken, and why; or the file of the lock and its release, which a second taker does not get. */
export type PathLock = { unavailable: string } | { file: string; release: (() => void) | undefined };

/** Folders that outlive a data folder, the first that can be used; only the superuser's own lies where no one else writes. */
const candidates = (uid: number) => [
  ...(uid === 0 ? ["/run/millrace-locks"] : []),
  `/tmp/millrace-${uid}-locks`,
];

/**
 * Locks the path of a data folder, in a file outside of it: a server whose folder was deleted still has this lock while a
 * second one makes the folder again. A file that only this user can write is used, and no socket: any process of the
 * machine, an agent too, can take the name of a socket.
 */
async function lockPath(path: string): Promise<PathLock> {
  const uid = process.geteuid?.() ?? 0;
  const name = createHash("sha256")
    .update(await realpath(path))
    .digest("hex")
    .slice(0, 32);
  const reasons: string[] = [];
  for (const folder of candidates(uid)) {
    try {
      await requireOwnFolder(folder, uid);
      const file = join(folder, `${name}.lock`);
      return { file, release: lockFile(file) };
    } catch (error) {
      reasons.push(errorMessage(error));
    }
  }
  return { unavailable: reasons.join("; ") };
}

/** @throws Error when someone else has the folder, or could have put files into it */
async function requireOwnFolder(folder: string, uid: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const found = await lstat(folder);
  if (!found.isDirectory()) throw new Error(`${folder} is not a folder: remove it`);
  if (found.uid !== uid) throw new Error(`${folder} belongs to user ${found.uid}, not to ${uid}: remove it`);
  if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
}
