import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { systemCode } from "../../errors/error.ts";
import type { Log } from "../../log.ts";
import type { SandboxMode } from "../../runs/turn/isolation.ts";
import { limitsHere } from "../cgroups/run-limits.ts";
import { chooseSandbox, type SandboxSettings } from "./choose-sandbox.ts";
import { findProgram } from "./find-program.ts";
import { type Folders, type Sandbox, UNPROTECTED } from "./sandbox.ts";
import { divideOwnCgroup, withCgroups, withoutCgroups } from "./with-cgroups.ts";

/**
 * Opens the sandbox of this server, and says in the log what it does not keep apart. What an operator has not asked for
 * is a warning, and so is that runs can end the server. Where this process may divide its cgroup, runs get a part of it each; elsewhere, their processes get limits.
 * @throws MillraceError `service_unavailable` when the one that the settings name does not work here
 */
export async function openSandbox(settings: SandboxSettings, folders: Folders, log: Log): Promise<Sandbox> {
  const best = await findBestSandbox(folders.path);
  const { sandbox: chosen, passedOver } = await chooseSandbox(settings, folders, { best });
  await rememberSandbox(folders.path, chosen.mode, best);
  const sandbox = await limited(chosen, settings, log);
  const { mode, weaknesses } = sandbox;
  log.info({ sandbox: mode }, "agents run in this sandbox");
  for (const reason of passedOver) log.warn({ reason }, "a sandbox is not available");
  const isGivenUp = mode === "none" && settings.sandbox !== "none";
  for (const weakness of weaknesses)
    log[isGivenUp || weakness === UNPROTECTED ? "warn" : "info"]({ sandbox: mode }, weakness);
  return sandbox;
}

/** In the data folder of a server or worker. It says something about a machine, which servers that share a store do not. */
const BEST_FILE = "best-sandbox";
const MODES: readonly SandboxMode[] = ["bwrap", "container"];

/** The best sandbox that has ever worked with a data folder. */
export async function findBestSandbox(dataDir: string): Promise<SandboxMode | undefined> {
  const text = await readFile(join(dataDir, BEST_FILE), "utf8").catch((error) => {
    if (systemCode(error) === "ENOENT") return "";
    throw error;
  });
  return MODES.find((mode) => mode === text.trim());
}

async function rememberSandbox(
  dataDir: string,
  mode: SandboxMode,
  best: SandboxMode | undefined,
): Promise<void> {
  if (!MODES.includes(mode) || mode === best || best === "bwrap") return;
  const path = join(dataDir, BEST_FILE);
  await writeFile(`${path}.new`, `${mode}\n`, { mode: 0o600, flush: true });
  await rename(`${path}.new`, path);
}

/** The engine of containers makes cgroups itself. */
async function limited(sandbox: Sandbox, settings: SandboxSettings, log: Log): Promise<Sandbox> {
  if (sandbox.mode === "container") return sandbox;
  const here = limitsHere(settings);
  const divided = divideOwnCgroup();
  if ("reason" in divided) return withoutCgroups(sandbox, divided.reason, here, await findProgram("prlimit"));
  const { folder: cgroup, controllers } = divided;
  log.info({ cgroup, controllers }, "each run gets a cgroup of its own");
  return withCgroups(sandbox, divided, { ...here, processes: settings.runProcesses });
}
