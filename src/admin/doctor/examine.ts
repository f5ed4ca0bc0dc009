import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import { postgresUrl } from "../../config/database-url.ts";
import { artifactFolder } from "../../runs/output/artifact-folder.ts";
import { type ArtifactRowStore, artifactRows } from "../../runs/output/artifact-rows.ts";
import { databaseFiles } from "../../store/data-folder.ts";
import { transcriptsBeside } from "../../store/runs/transcript-file.ts";
import { lockFile } from "../../store/sqlite/sqlite.ts";
import { fileDatabaseIn, openServerDatabase } from "../open-server-database.ts";
import { examineCredentials } from "./credentials.ts";
import { examineFactories, examineTriggers, examineWebhooks } from "./factories.ts";
import { type DoctorFinding, examined, ok } from "./finding.ts";
import { examineAgentCommand } from "./harnesses.ts";
import {
  examineAgents,
  examineDisk,
  examineGit,
  examineLeft,
  examineModes,
  examineWorkTree,
} from "./machine.ts";
import { examineNotifications } from "./notifications.ts";
import { examineRunIdentity, examineUrls } from "./reached.ts";
import { examineSecrets } from "./secrets.ts";
import { examineArtifacts, examineClock, examineDatabase, examineMasterKey } from "./stored.ts";

/**
 * Looks at all that a server with these settings needs, beside one that runs or without it. Nothing is changed.
 * @returns what was found, the machine first
 */
export async function examine(settings: Config, now: () => Date): Promise<DoctorFinding[]> {
  const config = { ...settings, dataDir: resolve(settings.dataDir) };
  const machine = [
    ...(await examined("git", examineGit)),
    ...(await examined("sandbox", () => examineAgents(config))),
    ...(await examined("notifications", () => examineNotifications(config, process.env))),
  ];
  if (!existsSync(config.dataDir)) {
    const first = ok("data folder", `${config.dataDir} does not exist yet: the first start creates it`);
    const asked = await examined("credentials", () => examineCredentials(config, [], undefined, now()));
    return [...machine, first, ...asked];
  }
  const database = fileDatabaseIn(config);
  const isPostgres = postgresUrl(config.databaseUrl) !== undefined;
  const isRunning = hasServer(config.dataDir);
  return [
    ...machine,
    ok(
      "server",
      isRunning ? `a server is running on ${config.dataDir}` : `no server is running on ${config.dataDir}`,
    ),
    ...(await examined("disk", () => examineDisk(config))),
    ...(await examined("disk use", async () => examineLeft(config))),
    ...(await examined("file modes", () =>
      examineModes([config.dataDir, join(config.dataDir, "master.key"), ...databaseFiles(database)]),
    )),
    ...(await examined("work tree", () => examineWorkTree(config))),
    ...(await examined("public URL", () => examineUrls(config, isRunning))),
    ...(isPostgres || existsSync(database)
      ? await examineStored(config, isPostgres ? [] : [database, transcriptsBeside(database)], now())
      : []),
  ];
}

/** Whether a process has the data folder of a server, or of a worker. */
export function hasServer(dataDir: string): boolean {
  const lock = join(dataDir, "lock");
  if (!existsSync(lock)) return false;
  const release = lockFile(lock);
  release?.();
  return release === undefined;
}

/** @param files the databases of SQLite, whose pages are looked at */
async function examineStored(config: Config, files: readonly string[], now: Date): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  const kept = (rows: ArtifactRowStore) =>
    files.length > 0 ? artifactFolder(join(config.dataDir, "artifacts")) : artifactRows(rows, () => now);
  for (const file of files) findings.push(...(await examined("database", () => examineDatabase(file))));
  const read = await examined("database", async () => {
    const beside = await openServerDatabase(config);
    try {
      return await beside.read(async (store) => {
        const records = await store.factories.list();
        return [
          ...(await examined("master key", () => examineMasterKey(config, store.secrets))),
          ...(await examined("artifacts", () => examineArtifacts(kept(store.artifactRows), store.runs))),
          ...(await examined("clock", () => examineClock(store, now))),
          ...(await examined("agent command", () => examineAgentCommand(config, records, store.factories))),
          ...(await examineFactories(records, store)),
          ...(await examineWebhooks(records, store)),
          ...(await examineTriggers(records, store, now)),
          ...(await examined("secrets", () => examineSecrets(config, records, store, now))),
          ...(await examined("credentials", () => examineCredentials(config, records, store, now))),
          ...(await examined("run identity", () => examineRunIdentity(config, store.signingKeys, now))),
        ];
      });
    } finally {
      beside.close();
    }
  });
  return [...findings, ...read];
}
