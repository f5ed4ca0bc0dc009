import { Command } from "commander";
import type { DoctorFinding } from "../../admin/doctor/finding.ts";
import { MillraceError } from "../../errors/error.ts";
import { closeInheritedFiles } from "../../platform/inherited-files.ts";
import { EXIT_CODES } from "../exit-code.ts";
import { print, printJson } from "../output.ts";
import { readConfig, withSettingFlags } from "../settings.ts";
import { WORKER_DATA_DIR } from "../workers/worker.ts";

const MARKS = { ok: "ok     ", warning: "warning", error: "ERROR  " } as const;

interface DoctorFlags {
  json?: boolean;
  worker?: boolean;
  server?: string;
  tokenFile?: string;
  [setting: string]: unknown;
}

export function doctorCommand(): Command {
  return withSettingFlags(new Command("doctor"))
    .description(
      "check the machine and the data of a server with these settings, and suggest how to fix problems",
    )
    .option("--worker", "check the machine of a worker, and whether its server accepts it")
    .option("--server <url>", "with --worker: where the server is")
    .option("--token-file <file>", "with --worker: file with the token of the worker")
    .option("--json", "print JSON")
    .action(doctor);
}

async function doctor({ json, worker, server, tokenFile, ...flags }: DoctorFlags): Promise<void> {
  const { config } = await readConfig(flags);
  closeInheritedFiles();
  const isWorker = worker === true;
  if (isWorker !== (server !== undefined) || isWorker !== (tokenFile !== undefined))
    throw new MillraceError(
      "invalid_request",
      isWorker
        ? "The machine of a worker cannot be checked without --server and --token-file."
        : "--server and --token-file are options of a worker.",
      { remedy: "Use `millrace doctor --worker --server URL --token-file FILE`, or leave out all three." },
    );
  const findings =
    server !== undefined && tokenFile !== undefined
      ? await ofWorker({ config, server, tokenFile, dataDir: String(flags.dataDir ?? WORKER_DATA_DIR) })
      : await ofServer(config);
  show(findings, json === true);
  if (findings.some(({ status }) => status === "error")) process.exitCode = EXIT_CODES.no;
}

type Config = Awaited<ReturnType<typeof readConfig>>["config"];

// Every other command starts without loading the store.
async function ofServer(config: Config): Promise<DoctorFinding[]> {
  const { examine } = await import("../../admin/doctor/examine.ts");
  return examine(config, () => new Date());
}

async function ofWorker(options: {
  config: Config;
  server: string;
  tokenFile: string;
  dataDir: string;
}): Promise<DoctorFinding[]> {
  const { examineWorker } = await import("../../admin/doctor/examine-worker.ts");
  return examineWorker(options, Date.now);
}

function show(findings: readonly DoctorFinding[], isJson: boolean): void {
  if (isJson) {
    printJson({ findings });
    return;
  }
  for (const { check, status, message, remedy } of findings) {
    print(`${MARKS[status]} ${check}: ${message}`);
    if (remedy) print(`        ${remedy}`);
  }
}
