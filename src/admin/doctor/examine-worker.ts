import { existsSync } from "node:fs";
import { access, constants } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Config } from "../../config/config.ts";
import { errorMessage } from "../../errors/error.ts";
import { readTokenFile } from "../../workers/read-token-file.ts";
import { withoutSlash } from "../../workers/server-url.ts";
import { hasServer } from "./examine.ts";
import { type DoctorFinding, examined, ok, problem } from "./finding.ts";
import { examineAgents, examineDisk, examineGit, examineLeft, examineModes } from "./machine.ts";
import { examineServer } from "./worker-server.ts";

export interface WorkerExamination {
  config: Config;
  /** Where its server is. */
  server: string;
  tokenFile: string;
  dataDir: string;
}

/**
 * Looks at all that a worker with these settings needs, beside one that runs or without it. Nothing is changed, here or on the
 * server.
 * @returns what was found, the machine first
 */
export async function examineWorker(
  { config, server, tokenFile, dataDir: folder }: WorkerExamination,
  now: () => number,
): Promise<DoctorFinding[]> {
  const dataDir = resolve(folder);
  const token = await examined("token", () => examineToken(tokenFile));
  const hasToken = token.every(({ status }) => status !== "error");
  return [
    ...(await examined("git", examineGit)),
    ...(await examined("sandbox", () => examineAgents({ ...config, dataDir }))),
    ...(await examineFolder(config, dataDir)),
    ...token,
    ...(hasToken
      ? await examined("server", async () =>
          examineServer(withoutSlash(server), await readTokenFile(tokenFile), now),
        )
      : []),
  ];
}

async function examineToken(tokenFile: string): Promise<DoctorFinding[]> {
  await readTokenFile(tokenFile);
  const [modes] = await examineModes([tokenFile]);
  const good = ok("token", `only the user of ${tokenFile} can read it`);
  return [modes === undefined || modes.status === "ok" ? good : { ...modes, check: "token" }];
}

async function examineFolder(config: Config, dataDir: string): Promise<DoctorFinding[]> {
  const isThere = existsSync(dataDir);
  const writable = await examined("data folder", () => examineWritable(dataDir, isThere));
  if (!isThere) return writable;
  const isRunning = hasServer(dataDir);
  return [
    ...writable,
    ok("worker", isRunning ? `a worker is running on ${dataDir}` : `no worker is running on ${dataDir}`),
    ...(await examined("disk", () => examineDisk({ dataDir }))),
    ...(await examined("disk use", async () =>
      examineLeft({ ...config, dataDir, workspacesDir: undefined }),
    )),
    ...(await examined("file modes", () => examineModes([dataDir]))),
  ];
}

/** The folder that is there, or the one that it would be made in. */
async function examineWritable(dataDir: string, isThere: boolean): Promise<DoctorFinding> {
  let folder = dataDir;
  while (!existsSync(folder)) folder = dirname(folder);
  try {
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    return problem(
      "data folder",
      `This user cannot write to ${folder}: ${errorMessage(error)}.`,
      "Specify another folder with --data-dir, or give the user of the worker write access.",
    );
  }
  const message = isThere
    ? `${dataDir} is writable`
    : `${dataDir} does not exist yet: the first start creates it`;
  return ok("data folder", message);
}
