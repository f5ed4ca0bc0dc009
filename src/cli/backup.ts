import { Command } from "commander";
import { addDataOptions, type DataOptions, dataSettings } from "./data-options.ts";
import { print, printJson } from "./output.ts";
import { programVersion } from "./version.ts";

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
        "copy what the data folder keeps into one file, while the server runs or not; never the master key",
      )
      .argument("<file>", "the archive to make; nothing may be there"),
  )
    .option("--json", "print JSON")
    .action(backup);
}

export function restoreCommand(): Command {
  return addDataOptions(
    new Command("restore")
      .description(
        "put a backup into a fresh data folder; the server starts on it with the master key of the old one",
      )
      .argument("<file>", "what `millrace backup` made"),
  )
    .option("--keep-waiting-runs", "start runs that waited when it was made, though they may have run since")
    .option("--json", "print JSON")
    .action(restore);
}

async function backup(file: string, options: BackupOptions): Promise<void> {
  const { makeBackup } = await import("../backup/make-backup.ts");
  const settings = await dataSettings(options);
  const bytes = await makeBackup({ file, settings, version: programVersion(), now: () => new Date() });
  if (options.json) return printJson({ file, bytes });
  print(`${file} holds the backup (${bytes} bytes). The master key is not in it: keep that elsewhere.`);
}

async function restore(file: string, options: RestoreOptions): Promise<void> {
  const { restoreBackup } = await import("../backup/restore-backup.ts");
  const settings = await dataSettings(options);
  const keepsWaitingRuns = options.keepWaitingRuns ?? false;
  const { manifest, doubted } = await restoreBackup({
    file,
    settings,
    keepsWaitingRuns,
    now: () => new Date(),
  });
  if (options.json)
    return printJson({ made_at: manifest.made_at, version: manifest.version, ended_runs: doubted });
  print(`${settings.dataDir} holds what was there at ${manifest.made_at}.`);
  if (doubted > 0) print(`${doubted} runs that waited then were ended in ERROR: they may have run since.`);
  print("Start the server on it with the master key that the backup was made under.");
}
