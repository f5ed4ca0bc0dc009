import { createHash } from "node:crypto";
import { createReadStream, existsSync } from "node:fs";
import { appendFile, cp, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Config } from "../../config/config.ts";
import { postgresUrl } from "../../config/database-url.ts";
import { emptyIfMissing, MillraceError } from "../../errors/error.ts";

/** Names in a backup. */
export const MANIFEST = "manifest.json";
export const MAIN_DATABASE = "millrace.db";
export const TRANSCRIPTS = "millrace-transcripts.db";
/** Folders of the data folder that are in a backup: files that runs left, and repositories that are nowhere else. */
export const ARTIFACTS = "artifacts";
export const REPOSITORIES = "factories";

/** A layout that another program version could not read has another number. */
export const FORMAT = 2;
/** Backups of versions that did not seal them. */
export const UNSEALED_FORMAT = 1;

/** What a backup says of itself: its first entry. */
export interface Manifest {
  format: number;
  /** The version of the program that made it. */
  version: string;
  made_at: string;
  databases: { name: string; bytes: number; sha256: string }[];
}

/** How a backup describes a file of its own. */
export async function describeFile(path: string, name: string): Promise<Manifest["databases"][number]> {
  return { name, ...(await measure(path)) };
}

/** @param end where to stop; nothing for the whole file */
async function measure(path: string, end?: number): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  if (end !== 0) {
    const stream = createReadStream(path, end === undefined ? {} : { end: end - 1 });
    await pipeline(stream, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        hash.update(chunk);
        bytes += chunk.length;
      }
    });
  }
  return { bytes, sha256: hash.digest("hex") };
}

/** The last line of a backup, behind the end of the archive, where tar reads no more. */
const sealOf = (sha256: string) => `\nmillrace backup, SHA-256 of all bytes before this line: ${sha256}\n`;
const SEAL_BYTES = sealOf("0".repeat(64)).length;
/** How an archive of tar ends. */
const END_OF_TAR = Buffer.alloc(1_024);

/** Ends an archive with the checksum of all that is in it: the name, the size and the bytes of each member, and their order. */
export async function seal(archive: string): Promise<void> {
  await appendFile(archive, sealOf((await measure(archive)).sha256));
}

/** How a file ends: with the seal of all that is before it, as an archive without one, or neither. */
export async function readSeal(
  path: string,
): Promise<{ kind: "sealed"; archiveBytes: number } | { kind: "unsealed" | "broken" | "cut off" }> {
  const handle = await open(path);
  try {
    const { size } = await handle.stat();
    const last = async (length: number) => {
      const bytes = Buffer.alloc(Math.min(length, size));
      await handle.read(bytes, 0, bytes.length, size - bytes.length);
      return bytes;
    };
    const found = (await last(SEAL_BYTES)).toString("latin1");
    if (found.startsWith(sealOf("").trimEnd())) {
      const archiveBytes = size - SEAL_BYTES;
      const isWhole = found === sealOf((await measure(path, archiveBytes)).sha256);
      return isWhole ? { kind: "sealed", archiveBytes } : { kind: "broken" };
    }
    return { kind: (await last(END_OF_TAR.length)).equals(END_OF_TAR) ? "unsealed" : "cut off" };
  } finally {
    await handle.close();
  }
}

/** What of a data folder goes into a backup beside the databases, as paths in it. */
type Find = (dataDir: string) => Promise<string[]>;

export const findArtifacts: Find = async (dataDir) =>
  existsSync(join(dataDir, ARTIFACTS)) ? [ARTIFACTS] : [];

export const findObjects: Find = async (dataDir) =>
  (await repositoriesIn(dataDir))
    .map((repository) => join(REPOSITORIES, repository, "objects"))
    .filter((path) => existsSync(join(dataDir, path)));

/** What says where the branches of a repository are, and what it is. */
export const REFERENCES = ["HEAD", "config", "packed-refs", "refs"];

/**
 * Copies what names the commits of repositories, of each that was not copied before. A lock in it belongs to a git that
 * runs, and would keep every other from the copy.
 */
export async function copyReferences(dataDir: string, folder: string): Promise<void> {
  for (const repository of await repositoriesIn(dataDir)) {
    const copy = join(folder, REPOSITORIES, repository);
    if (existsSync(copy)) continue;
    try {
      for (const name of REFERENCES) {
        const path = join(dataDir, REPOSITORIES, repository, name);
        const filter = (from: string) => !from.endsWith(".lock");
        if (existsSync(path)) await cp(path, join(copy, name), { recursive: true, filter });
      }
    } catch (error) {
      await rm(copy, { recursive: true, force: true });
      throw error;
    }
  }
}

/** One that is not whole yet, or never became so, is called something else. */
async function repositoriesIn(dataDir: string): Promise<string[]> {
  const names = await readdir(join(dataDir, REPOSITORIES)).catch(emptyIfMissing);
  return names.filter((name) => name.endsWith(".git"));
}

/**
 * A backup holds the files of a data folder, and of a database of SQLite among them.
 * @throws MillraceError `invalid_request` where the settings name a database of PostgreSQL
 */
export function refusePostgres({ databaseUrl }: Pick<Config, "databaseUrl">, command: string): void {
  if (postgresUrl(databaseUrl) === undefined) return;
  throw new MillraceError(
    "invalid_request",
    `\`millrace ${command}\` works on a database of SQLite, and the settings name one of PostgreSQL.`,
    { remedy: "Use the tools of PostgreSQL: pg_dump and pg_restore, or continuous archiving." },
  );
}
