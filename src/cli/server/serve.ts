import { Command } from "commander";
import type { Config } from "../../config/config.ts";
import { addressNotices, missingVariables, unknownVariables } from "../../config/setting-notices.ts";
import { printConfig } from "../../config/setting-rows.ts";
import type { Log } from "../../log.ts";
import { closeInheritedFiles } from "../../platform/inherited-files.ts";
import type { RunningServer } from "../../server/start-server.ts";
import { isTextLog, openLog } from "../log-lines.ts";
import { goOnWithoutReader, print, printError } from "../output.ts";
import { readConfig, type ServeFlags, withSettingFlags } from "../settings.ts";

export function serveCommand(): Command {
  const command = withSettingFlags(new Command("serve"))
    .description("start the server: apply definitions, receive deliveries, execute runs")
    .argument("[sources...]", "folders, git URLs, bare repositories or git:PATH")
    .option("--print-config", "print the effective configuration (secrets masked) and exit")
    .action(serve);
  return command;
}

async function serve(sources: string[], flags: ServeFlags): Promise<void> {
  const { config, origins } = await readConfig(flags);
  if (flags.printConfig) {
    process.stdout.write(printConfig(config, origins));
    return;
  }
  const log = openLog(config);
  for (const notice of addressNotices(config)) log.warn(notice);
  const controller = await startServing(config, sources, log);
  print(`millrace serves ${controller.publicUrl}`);
  if (controller.newAdminKey) {
    print(`\nFirst admin API key (shown only this once):\n\n  ${controller.newAdminKey}\n`);
    print("Store it securely, and set it as MILLRACE_API_KEY to use the CLI.");
  }
}

/** Starts the server and sees to its end: SIGTERM, SIGINT and SIGHUP stop it in order, a second one at once. */
export async function startServing(
  config: Config,
  sources: readonly string[],
  log: Log,
): Promise<RunningServer> {
  for (const notice of unknownVariables(config, process.env)) log.warn(notice);
  for (const notice of missingVariables(config, process.env)) log.warn(notice);
  // After the settings, which may have come over one of them.
  closeInheritedFiles();
  // Only a server needs the server: every other command starts without loading it.
  const { refuseFolders } = await import("../../sources/factory-sources.ts");
  refuseFolders(sources, config);
  const { startServer: startController } = await import("../../server/start-server.ts");
  const controller = await startController({
    config,
    sources,
    log,
    reportsActivity: isTextLog(config),
    onFatal: (error) => {
      log.error({ error: error.message }, "the store is unavailable; shutting down");
      process.exit(1);
    },
  });
  goOnWithoutReader();
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    log.info({ signal }, "stopping");
    controller.stop().then(
      () => process.exit(0),
      (error) => {
        printError(`The server could not shut down cleanly: ${error.message}`);
        process.exit(1);
      },
    );
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
  // Settings are read at the start only: whoever wants them read again gets an orderly end, and a service manager starts again.
  process.on("SIGHUP", stop);
  return controller;
}
