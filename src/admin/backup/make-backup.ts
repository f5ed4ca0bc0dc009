import { existsSync } from "node:fs";
import { chmod, link, lstat, mkdir, open, readdir, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { create, replace } from "tar";
import type { Config } from "../../config/config.ts";
import { errorMessage, MillraceError, systemCode } from "../../errors/error.ts";
import { isUid, newUid } from "../../id.ts";
import { databaseIn } from "../../store/data-folder.ts";
import { transcriptsBeside } from "../../store/runs/transcript-file.ts";
import { copyDatabase, lockFile } from "../../store/sqlite/sqlite.ts";
import {
  copyReferences,
  describeFile,
  FORMAT,
  findArtifacts,
  findObjects,
  MAIN_DATABASE,
  MANIFEST,
  type Manifest,
  REPOSITORIES,
  refusePostgres,
  seal,
  TRANSCRIPTS,
} from "./archive.ts";

export interface BackupOptions {
  /** Where the backup goes; nothing may be there. */
  file: string;
  settings: Pick<Config, "dataDir" | "databaseUrl">;
  version: string;
  now: () => Date;
}

/**
 * Copies what a data folder keeps, while its server runs or not, into one archive: both databases as they are at one
 * instant each, artifacts, and the repositories of managed factories. The master key is not in it, nor is anything that
 * can be made again (mirrors, workspaces). The file is there whole or not at all.
 *
 * Branches are copied before the database and objects after it: an edit that comes in the meantime leaves a branch that is
 * behind what is active, which the start puts right. A branch that is ahead would bring a commit into force whose
 * secrets and uids the copy of the database lacks.
 * @returns its size in bytes
 * @throws MillraceError that says what cannot be read or written
 */
export async function makeBackup(options: BackupOptions): Promise<number> {
  refusePostgres(options.settings, "backup");
  const file = resolve(options.file);
  const scratch = join(dirname(file), `.${basename(file)}.${newUid()}`);
  refuseToOverwrite(file);
  await removeLeft(dirname(file)).catch(() => {});
  let release: (() => void) | undefined;
  try {
    const dataDir = resolve(options.settings.dataDir);
    await mkdir(scratch, { mode: 0o700 });
    release = lockFile(join(scratch, IN_PROGRESS));
    await untilNothingVanishes(() => copyReferences(dataDir, scratch));
    await copyDatabases(scratch, options);
    // Of repositories that have come in the meantime.
    await untilNothingVanishes(() => copyReferences(dataDir, scratch));
    const archive = join(scratch, "archive.tar");
    await untilNothingVanishes(() => writeArchive(archive, scratch, dataDir));
    await keep(archive, file);
    return (await stat(file)).size;
  } catch (error) {
    throw error instanceof MillraceError ? error : notMade(file, error);
  } finally {
    await rm(scratch, { recursive: true, force: true });
    release?.();
  }
}

/** Locked in the scratch folder for as long as its backup is made: the lock ends with the process, however that ends. */
const IN_PROGRESS = "in-progress.lock";

/** Removes what backups that were killed have left in a folder. Those of others, and what others put there, stay. */
async function removeLeft(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(".") || !isUid(name.slice(name.lastIndexOf(".") + 1))) continue;
    const scratch = join(folder, name);
    const lock = join(scratch, IN_PROGRESS);
    const isOwn = async (path: string, is: "isFile" | "isDirectory") => {
      const found = await lstat(path).catch(() => undefined);
      return found?.[is]() === true && found.uid === process.getuid?.();
    };
    if (!(await isOwn(scratch, "isDirectory")) || !(await isOwn(lock, "isFile"))) continue;
    const release = lockFile(lock);
    if (!release) continue;
    await rm(scratch, { recursive: true, force: true }).finally(release);
  }
}

/** The main one first: what it knows of transcripts, artifacts and revisions is there in what is copied after it. */
async function copyDatabases(scratch: string, { settings, version, now }: BackupOptions): Promise<void> {
  const database = databaseIn(resolve(settings.dataDir), settings.databaseUrl);
  if (!existsSync(database)) {
    throw new MillraceError("service_unavailable", `The database ${database} does not exist.`, {
      remedy: "Specify the data folder of the server with --data-dir or MILLRACE_DATA_DIR.",
    });
  }
  const madeAt = now().toISOString();
  const databases: Manifest["databases"] = [];
  for (const [name, path] of [
    [MAIN_DATABASE, database],
    [TRANSCRIPTS, transcriptsBeside(database)],
  ] as const) {
    if (!existsSync(path)) continue;
    await copyDatabase(path, join(scratch, name));
    databases.push(await describeFile(join(scratch, name), name));
  }
  const manifest: Manifest = { format: FORMAT, version, made_at: madeAt, databases };
  await writeFile(join(scratch, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
}

async function writeArchive(archive: string, scratch: string, dataDir: string): Promise<void> {
  const all = [MANIFEST, MAIN_DATABASE, TRANSCRIPTS, REPOSITORIES];
  const own = all.filter((name) => existsSync(join(scratch, name)));
  await create({ file: archive, cwd: scratch, portable: true }, own);
  for (const find of [findArtifacts, findObjects]) {
    const found = await find(dataDir);
    if (found.length > 0) await replace({ file: archive, cwd: dataDir, portable: true }, found);
  }
  await chmod(archive, 0o600);
  await seal(archive);
}

const ATTEMPTS = 5;

/** A file may be removed while it is being read: an artifact whose run is forgotten, a draft of git's. */
async function untilNothingVanishes(work: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (systemCode(error) !== "ENOENT" || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Makes the finished archive the backup, once it is on the disk; of two at once, one finds the name taken. */
async function keep(archive: string, file: string): Promise<void> {
  const handle = await open(archive, "r");
  await handle.sync();
  await handle.close();
  try {
    await link(archive, file);
  } catch (error) {
    if (systemCode(error) === "EEXIST") refuseToOverwrite(file);
    throw error;
  }
}

function refuseToOverwrite(file: string): void {
  if (!existsSync(file)) return;
  throw new MillraceError("conflict", `The file ${file} already exists.`, {
    remedy:
      "Use a unique name for each backup, for example with the date; older backups are not removed automatically.",
  });
}

function notMade(file: string, cause: unknown): MillraceError {
  const folder = dirname(file);
  const why = existsSync(folder) ? errorMessage(cause) : `the folder ${folder} does not exist`;
  return new MillraceError("service_unavailable", `Cannot create backup ${file}: ${why}.`, {
    remedy: "Check that its folder exists and has free space for twice the size of the data folder.",
    cause,
  });
}
