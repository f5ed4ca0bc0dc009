import { Command } from "commander";
import { programVersion } from "../../platform/version.ts";
import { pluralize } from "../../pluralize.ts";
import { print, printJson } from "../output.ts";
import { addDataOptions, type DataOptions, dataSettings } from "../settings.ts";

interface BackupOptions extends DataOptions {
  json?: boolean;
}

interface RestoreOptions extends BackupOptions {
  keepWaitingRuns?: boolean;
}

export function backupCommand(): Command {
  return addDataOptions(
    new Command("backup")
      .description(
        "back up the data folder to one file, while the server is running or stopped; the master key is not included",
      )
      .argument("<file>", "archive to create; must not exist"),
  )
    .option("--json", "print JSON")
    .action(backup);
}

export function restoreCommand(): Command {
  return addDataOptions(
    new Command("restore")
      .description(
        "restore a backup into an empty data folder; the server then requires the original master key",
      )
      .argument("<file>", "archive created by `millrace backup`"),
  )
    .option(
      "--keep-waiting-runs",
      "start runs that were queued at the time of the backup, even if they may have run since",
    )
    .option("--json", "print JSON")
    .action(restore);
}

async function backup(file: string, options: BackupOptions): Promise<void> {
  const { makeBackup } = await import("../../admin/backup/make-backup.ts");
  const settings = await dataSettings(options);
  const bytes = await makeBackup({ file, settings, version: programVersion(), now: () => new Date() });
  if (options.json) return printJson({ file, bytes });
  print(
    `Created backup ${file} (${bytes} bytes). It does not contain the master key: store the key separately.`,
  );
}

async function restore(file: string, options: RestoreOptions): Promise<void> {
  const { restoreBackup } = await import("../../admin/backup/restore-backup.ts");
  const settings = await dataSettings(options);
  const keepsWaitingRuns = options.keepWaitingRuns ?? false;
  const { manifest, doubted, damaged } = await restoreBackup({
    file,
    settings,
    keepsWaitingRuns,
    now: () => new Date(),
  });
  if (options.json)
    return printJson({
      made_at: manifest.made_at,
      version: manifest.version,
      ended_runs: doubted,
      damaged_artifacts: damaged.map(({ fileId }) => fileId),
    });
  print(`Restored the backup of ${manifest.made_at} to ${settings.dataDir}.`);
  if (doubted > 0) {
    const [was, they] = doubted === 1 ? ["was", "it"] : ["were", "they"];
    print(
      `${pluralize(doubted, "run")} that ${was} queued at that time ended with state ERROR, because ${they} may have run since.`,
    );
  }
  if (damaged.length > 0) {
    print(
      `${pluralize(damaged.length, "artifact")} did not match the recorded checksums when the backup was made, and cannot be downloaded: ${damaged.map(({ fileId }) => fileId).join(", ")}.`,
    );
  }
  print(
    "Start the server with this data folder and the master key that was in use when the backup was made.",
  );
}
