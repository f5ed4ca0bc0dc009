import { createReadStream, existsSync, statSync } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { extract, type ReadEntry } from "tar";
import type { Config } from "../../config/config.ts";
import { emptyIfMissing, errorMessage, MillraceError, systemCode } from "../../errors/error.ts";
import { isDamaged } from "../../git/managed/place-repository.ts";
import { newUid } from "../../id.ts";
import { artifactFolder } from "../../runs/output/artifact-folder.ts";
import { openDataFolder, restoringIn } from "../../store/data-folder.ts";
import { openConcurrently } from "../../store/open-concurrently.ts";
import { abandonRuns } from "../../store/runs/run-endings.ts";
import { TRANSCRIPT_SCHEMA, transcriptsBeside } from "../../store/runs/transcript-file.ts";
import { migrate } from "../../store/schema/migrate.ts";
import { openSqlite, type SqliteConnection } from "../../store/sqlite/sqlite.ts";
import { type CheckedArtifacts, findDamagedArtifacts } from "../damaged-artifacts.ts";
import {
  ARTIFACTS,
  describeFile,
  FORMAT,
  MAIN_DATABASE,
  MANIFEST,
  type Manifest,
  REFERENCES,
  REPOSITORIES,
  readSeal,
  refusePostgres,
  TRANSCRIPTS,
  UNSEALED_FORMAT,
} from "./archive.ts";

export interface RestoreOptions {
  file: string;
  settings: Pick<Config, "dataDir" | "databaseUrl">;
  /** Lets runs that waited when the backup was made wait again, though they may have run since. */
  keepsWaitingRuns: boolean;
  now: () => Date;
}

export interface Restored {
  manifest: Manifest;
  /** Runs that waited when the backup was made, and were ended because they may have run since. */
  doubted: number;
  /** Files of runs that were damaged when the backup was made. They are not served. */
  damaged: CheckedArtifacts["damaged"];
}

/**
 * Puts what a backup holds into a data folder that has no database yet. The checksum of the whole
 * backup is compared first. Then everything is unpacked beside its place and looked at; the main database is moved last, so that
 * a restore that did not come to its end can be repeated.
 * @throws MillraceError when a database is there already, a server has the folder, or the backup is damaged
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { settings } = options;
  refusePostgres(settings, "restore");
  const file = resolve(options.file);
  // Before the folder is made: a refused archive leaves nothing.
  const archiveBytes = await checkSeal(file);
  const data = await openDataFolder(resolve(settings.dataDir), { database: settings.databaseUrl });
  const scratch = `${restoringIn(data.database)}${newUid()}`;
  try {
    refuseDatabase(data.database);
    await mkdir(scratch, { mode: 0o700 });
    await unpack(file, archiveBytes, scratch);
    const manifest = await checkUnpacked(file, scratch);
    if (manifest.format !== UNSEALED_FORMAT && archiveBytes === undefined) throw damaged(file, CUT_OFF);
    await makeRepositoriesPlain(scratch).catch((error) => {
      throw damaged(file, errorMessage(error));
    });
    const doubted = await settleDatabases(scratch, manifest, options);
    const left = await checkArtifacts(scratch);
    if (archiveBytes === undefined) await checkUnsealed(file, scratch, left);
    for (const [name, place] of [
      [ARTIFACTS, data.artifacts],
      [REPOSITORIES, data.factories],
      [TRANSCRIPTS, transcriptsBeside(data.database)],
      [MAIN_DATABASE, data.database],
    ] as const) {
      await moveInto(join(scratch, name), place);
    }
    return { manifest, doubted, damaged: left };
  } finally {
    await rm(scratch, { recursive: true, force: true });
    data.release();
  }
}

function refuseDatabase(database: string): void {
  // A start refuses an empty one, and names this command.
  if ((statSync(database, { throwIfNoEntry: false })?.size ?? 0) === 0) return;
  throw new MillraceError(
    "conflict",
    `The database ${database} already exists, and a restore does not overwrite databases.`,
    {
      remedy: "Specify an empty folder with --data-dir, or move that database away first.",
    },
  );
}

/** Whether a path can be one of a backup: nothing of it lies elsewhere. */
function isOurs(path: string): boolean {
  const [top = "", ...rest] = path.split("/").filter(Boolean);
  if (rest.includes("..")) return false;
  if (top === REPOSITORIES) return isOfRepository(rest);
  return top === ARTIFACTS || ([MANIFEST, MAIN_DATABASE, TRANSCRIPTS].includes(top) && rest.length === 0);
}

/** No hooks, nor anything else that makes git start programs. */
function isOfRepository([name = ".git", part = "HEAD"]: readonly string[]): boolean {
  return name.endsWith(".git") && [...REFERENCES, "objects"].includes(part);
}

const CUT_OFF = "its end is missing or damaged";

/**
 * @returns where the archive in it ends; nothing for one that has no checksum of its own
 * @throws MillraceError for one whose bytes are not those that were written
 */
async function checkSeal(file: string): Promise<number | undefined> {
  const found = await readSeal(file).catch((error) => {
    throw damaged(file, systemCode(error) === "ENOENT" ? "there is no such file" : errorMessage(error));
  });
  if (found.kind === "broken")
    throw damaged(file, "its content does not match its checksum, so it was changed");
  if (found.kind === "cut off") throw damaged(file, CUT_OFF);
  return found.kind === "sealed" ? found.archiveBytes : undefined;
}

/** @param end where the archive ends; nothing for the end of the file */
async function unpack(file: string, end: number | undefined, scratch: string): Promise<void> {
  const strangers: string[] = [];
  const filter = (path: string, entry: unknown) => {
    const { type } = entry as ReadEntry;
    const isTaken = isOurs(path) && (type === "File" || type === "Directory");
    if (!isTaken) strangers.push(path);
    return isTaken;
  };
  try {
    const into = extract({ cwd: scratch, filter, strict: true, preserveOwner: false, noChmod: true });
    await pipeline(createReadStream(file, end === undefined ? {} : { end: end - 1 }), into);
  } catch (error) {
    throw damaged(file, errorMessage(error));
  }
  if (strangers.length > 0)
    throw damaged(file, `it contains ${JSON.stringify(strangers[0])}, which is not part of a backup`);
}

async function checkUnpacked(file: string, scratch: string): Promise<Manifest> {
  const manifest = await readManifest(file, scratch);
  for (const expected of manifest.databases) {
    const found = await describeFile(join(scratch, expected.name), expected.name).catch(() => undefined);
    if (found?.sha256 !== expected.sha256)
      throw damaged(file, `the checksum of ${expected.name} does not match`);
  }
  if (manifest.databases.some(({ name }) => name === MAIN_DATABASE)) return manifest;
  throw damaged(file, "it contains no database");
}

async function checkArtifacts(scratch: string): Promise<CheckedArtifacts["damaged"]> {
  const beside = await openConcurrently(join(scratch, MAIN_DATABASE));
  try {
    const kept = artifactFolder(join(scratch, ARTIFACTS));
    return (await beside.read(({ runs }) => findDamagedArtifacts(kept, runs))).damaged;
  } finally {
    beside.close();
  }
}

/** Of a backup without a checksum nobody can tell whether it was damaged when it was made or since. */
async function checkUnsealed(
  file: string,
  scratch: string,
  [left]: CheckedArtifacts["damaged"],
): Promise<void> {
  if (left)
    throw damaged(file, `the artifact ${left.fileId} of the run ${left.runId} does not match its checksum`);
  const repositories = join(scratch, REPOSITORIES);
  for (const name of await readdir(repositories).catch(emptyIfMissing)) {
    if (await isDamaged(join(repositories, name), undefined))
      throw damaged(file, `git finds the repository ${name} incomplete`);
  }
}

async function readManifest(file: string, scratch: string): Promise<Manifest> {
  const text = await readFile(join(scratch, MANIFEST), "utf8").catch(() => "");
  const manifest = manifestIn(text);
  if (!manifest) throw damaged(file, `it contains no readable ${MANIFEST}`);
  if (isKnown(manifest.format)) return manifest;
  throw new MillraceError(
    "service_unavailable",
    `The backup ${file} has format ${manifest.format}, but this version of millrace reads format ${FORMAT}.`,
    { remedy: `Restore it with the version that created it, ${manifest.version}.` },
  );
}

const isKnown = (format: number) => format === FORMAT || format === UNSEALED_FORMAT;

/** What a text says as a manifest; one of another format says no more than that. */
function manifestIn(text: string): Manifest | undefined {
  try {
    const manifest: Manifest = JSON.parse(text);
    const { format, made_at, databases } = manifest;
    if (!isKnown(format)) return typeof format === "number" ? manifest : undefined;
    const areOurs = databases.every(({ name }) => name === MAIN_DATABASE || name === TRANSCRIPTS);
    return areOurs && !Number.isNaN(Date.parse(made_at)) ? manifest : undefined;
  } catch {
    return undefined;
  }
}

/** What an earlier restore, or a database that was lost, has left there makes room: SQLite would write an old log into a new file. */
async function moveInto(from: string, place: string): Promise<void> {
  for (const end of ["", "-wal", "-shm"]) await rm(place + end, { recursive: true, force: true });
  if (existsSync(from)) await rename(from, place);
}

function damaged(file: string, why: string): MillraceError {
  return new MillraceError("service_unavailable", `Cannot restore ${file}: ${why}.`, {
    remedy: "Specify a complete archive created by `millrace backup`. Nothing was changed.",
  });
}

/** What git has to know of a repository to read it, by section and key. All else can name programs, folders and hosts. */
const NEEDED = new Set([
  "core.repositoryformatversion",
  "core.bare",
  "core.filemode",
  "extensions.objectformat",
]);

/**
 * Makes repositories that were unpacked such as millrace makes them: with no settings of their own, and with no objects
 * elsewhere. A backup comes from wherever it was kept, and git would start what the settings of a repository name.
 */
export async function makeRepositoriesPlain(folder: string): Promise<void> {
  for (const name of await readdir(join(folder, REPOSITORIES)).catch(emptyIfMissing)) {
    const repository = join(folder, REPOSITORIES, name);
    const config = join(repository, "config");
    await writeFile(config, plainConfig(await readFile(config, "utf8")));
    for (const elsewhere of ["alternates", "http-alternates"])
      await rm(join(repository, "objects", "info", elsewhere), { force: true });
  }
}

/** The lines of git's settings that are needed, each written as `git init` writes it. */
function plainConfig(text: string): string {
  const kept: string[] = [];
  let section = "";
  let written = "";
  for (const line of text.split("\n")) {
    if (line.trimStart().startsWith("[")) section = /^\[(\w+)\]$/.exec(line.trim())?.[1]?.toLowerCase() ?? "";
    const [, key = "", value = ""] = /^\s*(\w+)\s*=\s*(\w+)\s*$/.exec(line) ?? [];
    if (!NEEDED.has(`${section}.${key.toLowerCase()}`)) continue;
    if (section !== written) kept.push(`[${section}]`);
    written = section;
    kept.push(`\t${key} = ${value}`);
  }
  return `${kept.join("\n")}\n`;
}

/**
 * Looks whether restored databases are whole, brings them up to date, and ends the runs in them that may have begun since.
 * @returns how many those are
 * @throws MillraceError when one is damaged, or was made by a newer millrace
 */
export async function settleDatabases(
  folder: string,
  { made_at }: Manifest,
  { keepsWaitingRuns, now }: { keepsWaitingRuns: boolean; now: () => Date },
): Promise<number> {
  const main = join(folder, MAIN_DATABASE);
  await working(TRANSCRIPTS, join(folder, TRANSCRIPTS), (connection) =>
    migrate(connection, now(), TRANSCRIPT_SCHEMA),
  );
  return working(MAIN_DATABASE, main, async (connection) => {
    await migrate(connection, now());
    if (keepsWaitingRuns) return 0;
    connection.begin();
    const doubted = await abandonRuns(connection, doubtful(made_at), now().toISOString());
    connection.commit();
    return doubted;
  });
}

async function working<Result>(
  name: string,
  path: string,
  work: (connection: SqliteConnection) => Promise<Result>,
): Promise<Result> {
  let connection: SqliteConnection | undefined;
  try {
    connection = openSqlite(path);
    const [found] = await connection.all<{ integrity_check: string }>("PRAGMA integrity_check(1)");
    if (found?.integrity_check !== "ok") throw new Error(found?.integrity_check ?? "it is empty");
    return await work(connection);
  } catch (error) {
    if (error instanceof MillraceError) throw error;
    throw new MillraceError(
      "service_unavailable",
      `${name} in the backup is damaged: ${errorMessage(error)}.`,
      {
        remedy: "Restore an older backup. Nothing was changed.",
      },
    );
  } finally {
    connection?.close();
  }
}

const doubtful = (madeAt: string) =>
  `The database was restored from a backup of ${madeAt}, in which this run was queued. It may have run since, so it was not started. A follow-up starts another turn.`;
