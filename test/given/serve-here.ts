import { Command } from "commander";
import { build } from "./build-modules.ts";
import { onFinished } from "./cleanup.ts";
import { endAgentsIn } from "./processes.ts";
import type { ServerOptions, ServingProgram } from "./server.ts";

/** Serves in the process of the tests what `millrace serve` with these words and variables would. */
export async function serveHere(
  words: readonly string[],
  env: Readonly<Record<string, string>>,
  dataDir: string,
  { sharesStore }: Pick<ServerOptions, "sharesStore"> = {},
): Promise<ServingProgram> {
  const { startServer } =
    await build<typeof import("../../src/server/start-server.ts")>("server/start-server.js");
  const { config, sources, notices } = await readCommandLine(words, env);
  let written = "";
  const { createLog } = await build<typeof import("../../src/log.ts")>("log.js");
  const log = createLog(config.logLevel, {
    write(line) {
      written += line;
    },
  });
  for (const notice of notices) log.warn(notice);
  const umask = process.umask();
  let stopped: Promise<void> | undefined;
  const server = await startServer({
    config,
    sources,
    ...(sharesStore === undefined ? {} : { sharesStore }),
    log,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
    onFatal: () => void stop(),
  });
  // What it makes while it starts is for its user alone; what tests write is read by others too.
  process.umask(umask);
  const stop = () => {
    stopped ??= server.stop();
    return stopped;
  };
  onFinished(async () => {
    endAgentsIn(dataDir);
    await stop();
  });
  return {
    url: server.publicUrl,
    pid: () => ofProcess("pid"),
    log: () => written,
    printed: () => ofProcess("output"),
    exitCode: () => ofProcess("exit code"),
    stop: async () => {
      await stop();
      return 0;
    },
    kill: async () => ofProcess("end by a signal"),
  };
}

async function readCommandLine(words: readonly string[], env: Readonly<Record<string, string>>) {
  const { withSettingFlags, readSettingsFile } =
    await build<typeof import("../../src/cli/settings.ts")>("cli/settings.js");
  const { loadConfig } =
    await build<typeof import("../../src/config/load-config.ts")>("config/load-config.js");
  const { addressNotices, unknownVariables, missingVariables } =
    await build<typeof import("../../src/config/setting-notices.ts")>("config/setting-notices.js");
  const command = withSettingFlags(new Command("serve")).argument("[sources...]");
  const { config: file, ...flags } = command
    .parse([...words], { from: "user" })
    .opts<Record<string, string>>();
  const { config } = loadConfig({
    flags,
    env,
    ...(file === undefined ? {} : { file: await readSettingsFile(file) }),
  });
  const notices = [
    ...addressNotices(config),
    ...unknownVariables(config, env),
    ...missingVariables(config, env),
  ];
  return { config, sources: command.args, notices };
}

function ofProcess(what: string): never {
  throw new Error(`this server has no ${what} of its own: start it with sharesProcess: false`);
}
