import { availableParallelism, hostname } from "node:os";
import { Command, InvalidArgumentError } from "commander";
import { loadConfig } from "../../config/load-config.ts";
import { duration } from "../../config/values.ts";
import { errorMessage, MillraceError } from "../../errors/error.ts";
import type { RunningWorker, WorkerOptions } from "../../executor/worker/start-worker.ts";
import type { OnlyRun } from "../../executor/worker/work.ts";
import { MAX_TURNS } from "../../workers/process-facts.ts";
import { readTokenFile, withoutSlash } from "../../workers/server-url.ts";
import { itemLimit } from "../arguments.ts";
import { openLog } from "../log-lines.ts";
import { print } from "../output.ts";
import { readSettingsFile } from "../settings.ts";

/** Where a worker keeps what is its own, unless it is told otherwise. */
export const WORKER_DATA_DIR = "./.millrace-worker";

interface WorkerFlags {
  server: string;
  tokenFile: string;
  name?: string;
  labels?: string;
  concurrency?: number;
  dataDir: string;
  config?: string;
  once?: boolean;
  run?: string;
  wait?: string;
}

export function workerCommand(): Command {
  return new Command("worker")
    .description("execute the runs of a server on this machine: dials the server, and needs no open port")
    .requiredOption("--server <url>", "where the server is")
    .requiredOption("--token-file <file>", "file with the token that `millrace workers create` printed")
    .option("--name <name>", "name of this process in the list of workers (default: the host name)")
    .option(
      "--labels <labels>",
      "labels of this machine, separated by commas; they count for a worker without labels of its own",
    )
    .option(
      "--concurrency <number>",
      "how many runs execute at the same time (default: the number of cores)",
      concurrencyOf,
    )
    .option(
      "--data-dir <folder>",
      "folder for workspaces and git mirrors; used by one worker at a time",
      WORKER_DATA_DIR,
    )
    .option("--config <file>", "read harnesses and sandbox settings from this millrace.yaml")
    .option("--once", "execute one turn, and then end")
    .option("--run <id>", "with --once, execute a turn of this run only")
    .option("--wait <duration>", "with --run, end if the worker does not get the run within this time", "5m")
    .action(runWorker);
}

async function runWorker(flags: WorkerFlags): Promise<void> {
  const file = flags.config === undefined ? {} : { file: await readSettingsFile(flags.config) };
  const { config } = await loadConfig({ flags: {}, env: process.env, ...file });
  const log = openLog(config);
  const only = onlyRun(flags);
  const options: WorkerOptions = {
    config,
    log,
    dataDir: flags.dataDir,
    isOnce: flags.once === true,
    ...(only ? { only } : {}),
    server: withoutSlash(flags.server),
    token: await readTokenFile(flags.tokenFile),
    name: processName(flags.name ?? hostname()),
    labels: (flags.labels ?? "")
      .split(",")
      .map((label) => label.trim())
      .filter(Boolean),
    concurrency: flags.concurrency ?? availableParallelism(),
  };
  const worker = await startedWith(options);
  print(`millrace worker executes runs of ${options.server}`);
  endWith(worker, log);
  const missed = await worker.done;
  if (missed !== undefined) print(missed);
}

async function startedWith(options: WorkerOptions): Promise<RunningWorker> {
  const { startWorker } = await import("../../executor/worker/start-worker.ts");
  if (options.config.sandbox !== "command" || options.isOnce) return startWorker(options);
  const { startDispatcher } = await import("../../executor/worker/backend/start-dispatcher.ts");
  return startDispatcher(options);
}

function onlyRun({ once, run, wait = "5m" }: WorkerFlags): OnlyRun | undefined {
  if (run === undefined) return undefined;
  if (once !== true) {
    throw new MillraceError("invalid_request", "--run needs --once: a worker executes one turn of the run.", {
      remedy: "Add --once, or remove --run.",
    });
  }
  try {
    return { id: run, waitMs: duration(wait) };
  } catch (error) {
    throw new MillraceError(
      "invalid_request",
      `--wait ${JSON.stringify(wait)} is not valid: ${errorMessage(error)}.`,
    );
  }
}

/** SIGTERM and SIGINT stop it in order, a second one at once. */
function endWith(worker: RunningWorker, log: WorkerOptions["log"]): void {
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, "stopping");
    void worker.stop();
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

/** What a process is called has letters, digits and hyphens. */
function processName(name: string): string {
  return name.replace(/[^A-Za-z0-9-]+/g, "-").slice(0, 40) || "worker";
}

function concurrencyOf(text: string): number {
  const count = itemLimit(text);
  if (count <= MAX_TURNS) return count;
  throw new InvalidArgumentError(
    `Expected at most ${MAX_TURNS}. Start several workers with the same token instead.`,
  );
}
