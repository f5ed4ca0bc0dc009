import { dirname } from "node:path";
import type { Config } from "../../config/config.ts";
import { errorMessage } from "../../errors/error.ts";
import { pluralize } from "../../pluralize.ts";
import type { ArtifactBytes } from "../../runs/output/artifact-bytes.ts";
import { proveMasterKey } from "../../secrets/master-key.ts";
import { explainFullDisk } from "../../store/sqlite/disk-reserve.ts";
import { openSqlite, type SqliteConnection } from "../../store/sqlite/sqlite.ts";
import type { Store } from "../../store/store.ts";
import { findDamagedArtifacts } from "../damaged-artifacts.ts";
import { type DoctorFinding, ok, problem } from "./finding.ts";

/** Lets SQLite look for damage. What is being written in the meantime does not disturb it. */
export async function examineDatabase(path: string): Promise<DoctorFinding> {
  const damage = await damageOf(path);
  if (damage === undefined) return ok("database", `${path} is intact`);
  return problem(
    "database",
    `${path} is damaged: ${damage}.`,
    "Stop the server, copy the folder, and restore the last backup into an empty folder (docs/backup.md).",
  );
}

/** @throws MillraceError `service_unavailable` when a full disk keeps SQLite from looking */
async function damageOf(path: string): Promise<string | undefined> {
  let connection: SqliteConnection | undefined;
  try {
    connection = openSqlite(path, { readonly: true });
    const rows = await connection.all<{ integrity_check: string }>("PRAGMA integrity_check(5)");
    const found = rows.map(({ integrity_check }) => integrity_check).filter((text) => text !== "ok");
    return found.length > 0 ? found.join("; ") : undefined;
  } catch (error) {
    const explained = explainFullDisk(dirname(path), error);
    if (explained !== error) throw explained;
    return errorMessage(error);
  } finally {
    connection?.close();
  }
}

/** Compares the files that runs have left with what was recorded of them. */
export async function examineArtifacts(
  kept: ArtifactBytes,
  runs: Pick<Store["runs"], "listArtifacts">,
): Promise<DoctorFinding> {
  const { checked, damaged } = await findDamagedArtifacts(kept, runs);
  const [first] = damaged;
  if (!first)
    return ok("artifacts", `${pluralize(checked, "file")} of runs, each with the checksum that was recorded`);
  return problem(
    "artifacts",
    `${damaged.length} of ${pluralize(checked, "file")} of runs are missing or damaged, the first is ${first.filepath ?? first.fileId} of the run ${first.runId} (artifact ${first.fileId}).`,
    "Check the disk, and restore the files from a backup (docs/backup.md). Damaged files are not served.",
  );
}

export async function examineMasterKey(
  config: Pick<Config, "masterKey" | "masterKeyFile" | "dataDir" | "databaseUrl">,
  secrets: Store["secrets"],
): Promise<DoctorFinding> {
  const opens = await proveMasterKey(config, secrets);
  return ok("master key", opens ? "it decrypts the stored secrets" : "no secrets are encrypted yet");
}

/** A clock may be this much behind what was written down last. */
const TOLERATED_MS = 60_000;

/** Signatures are timed and schedules fire by the clock: one that was set back or jumped refuses senders. */
export async function examineClock(
  { audit, factories }: Pick<Store, "audit" | "factories">,
  now: Date,
): Promise<DoctorFinding> {
  const [latest] = (await audit.list({ limit: 1 })).records;
  const known = [latest?.at, ...(await factories.list()).map(({ sync }) => sync.attemptedAt)];
  const newest = known
    .filter((at) => at != null)
    .sort()
    .at(-1);
  if (newest === undefined || Date.parse(newest) <= now.getTime() + TOLERATED_MS)
    return ok("clock", now.toISOString());
  return problem(
    "clock",
    `The clock shows ${now.toISOString()}, but the last entry in the database is from ${newest}.`,
    "Set the clock and synchronize it with NTP: signatures with a timestamp are rejected while it is wrong.",
  );
}
