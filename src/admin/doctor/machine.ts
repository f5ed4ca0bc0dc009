import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm, stat, statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { Config } from "../../config/config.ts";
import { formatBytes } from "../../config/values.ts";
import { emptyIfMissing } from "../../errors/error.ts";
import { findDivisibleCgroup } from "../../executor/cgroups/own-cgroup.ts";
import { type LimitSettings, limitsHere } from "../../executor/cgroups/run-limits.ts";
import { countUsage } from "../../executor/files/count-usage.ts";
import { type Chosen, chooseSandbox } from "../../executor/sandbox/choose-sandbox.ts";
import { findBestSandbox } from "../../executor/sandbox/open-sandbox.ts";
import { type Sandbox, UNPROTECTED } from "../../executor/sandbox/sandbox.ts";
import { isCommittable } from "../../git/work-tree.ts";
import { fileDatabaseIn } from "../open-server-database.ts";
import { type DoctorFinding, examined, ok, problem, warning } from "./finding.ts";
import { examineHarnesses } from "./harnesses.ts";

const run = promisify(execFile);

/** Older ones do not know an option that every call to git has. */
const OLDEST_GIT = [2, 31] as const;

export async function examineGit(): Promise<DoctorFinding> {
  const remedy = `Install git ${OLDEST_GIT.join(".")} or later in a folder that is in the server's PATH.`;
  const asked = await run("git", ["--version"]).catch(() => undefined);
  if (!asked) return problem("git", "git is not installed on this machine.", remedy);
  const version = /\d+\.\d+(\.\d+)?/.exec(asked.stdout)?.[0] ?? "";
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isOld = major < OLDEST_GIT[0] || (major === OLDEST_GIT[0] && minor < OLDEST_GIT[1]);
  return isOld ? problem("git", `git is ${version}, which is too old.`, remedy) : ok("git", `git ${version}`);
}

/** Tries the sandbox and the agents out in a folder of their own: the one of a server that runs is in use. */
export async function examineAgents(config: Config): Promise<DoctorFinding[]> {
  const path = await mkdtemp(join(tmpdir(), "millrace-doctor-"));
  try {
    // Users that runs get have to pass through it, as through the data folder of a server.
    await chmod(path, 0o711);
    const workspaces = join(path, "workspaces");
    const folders = {
      path,
      workspaces,
      firstProcesses: join(path, "first-processes"),
      networkSockets: join(path, "network"),
    };
    const best = await findBestSandbox(config.dataDir);
    const chosen = await chooseSandbox(config, folders, { best, patienceMs: 0 });
    return [
      ...isolation(config, chosen),
      examineNetwork(chosen.sandbox),
      examineMemory(config, chosen.sandbox),
      ...(await examined("harness", () => examineHarnesses(config, chosen.sandbox, workspaces))),
    ];
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

const OWN_USERS =
  "Give each run a user of its own: give subordinate ids to the user of the server or worker, and start it with `unshare --user --map-root-user --map-users=auto --map-groups=auto`, as the unit in deploy/systemd does, or start it as root. The section Users in docs/isolation.md describes how.";

function isolation(config: Config, { sandbox, passedOver }: Chosen): DoctorFinding[] {
  const remedy = "docs/isolation.md describes what each mode requires and isolates.";
  if (sandbox.weaknesses.includes(UNPROTECTED))
    return [warning("sandbox", `Agents run in ${sandbox.mode}. ${UNPROTECTED}`, OWN_USERS)];
  if (sandbox.mode !== "none") return [ok("sandbox", `agents run in ${sandbox.mode}`)];
  if (config.sandbox === "none")
    return [warning("sandbox", "Agents are not isolated: MILLRACE_SANDBOX is none.", remedy)];
  return passedOver.map((reason) => warning("sandbox", `Agents are not isolated: ${reason}.`, remedy));
}

/** Runs whose network is limited do not start where that cannot be done. */
function examineNetwork({ unheldNetwork }: Pick<Sandbox, "unheldNetwork">): DoctorFinding {
  if (unheldNetwork === undefined) return ok("network", "the network of runs can be limited");
  return ok("network", `the network of runs cannot be limited: ${unheldNetwork}`);
}

const GIB = 1024 ** 3;
const LITTLE_ROOM = { bytes: GIB, part: 0.05 };
const NO_ROOM = GIB / 8;

/** Room where the server writes, for bytes and for files. */
export async function examineDisk({ dataDir }: Pick<Config, "dataDir">): Promise<DoctorFinding> {
  const { bavail, blocks, bsize, ffree, files } = await statfs(dataDir);
  const free = bavail * bsize;
  const shown = `${(free / GIB).toFixed(1)} GiB of ${((blocks * bsize) / GIB).toFixed(1)} GiB are free at ${dataDir}`;
  const remedy =
    "Free disk space, or shorten retention: in millrace.yaml. While the disk is full, deliveries are answered with 503 and senders have to retry.";
  if (free < NO_ROOM) return problem("disk", `${shown}.`, remedy);
  if (files > 0 && ffree / files < LITTLE_ROOM.part)
    return warning("disk", `Only ${ffree} of ${files} inodes are free at ${dataDir}.`, remedy);
  if (free < LITTLE_ROOM.bytes || bavail / blocks < LITTLE_ROOM.part)
    return warning("disk", `${shown}.`, remedy);
  return ok("disk", shown);
}

/** What runs have left, which goes by itself. What clones share with a mirror is the mirror's. */
export function examineLeft({
  dataDir,
  workspacesDir,
  diskTotal,
}: Pick<Config, "dataDir" | "workspacesDir" | "diskTotal">): DoctorFinding {
  const git = join(dataDir, "git");
  const mirrors = bytesIn(git);
  const workspaces = bytesIn(git, workspacesDir ?? join(dataDir, "workspaces")) - mirrors;
  const limit = diskTotal === 0 ? "" : ` of ${formatBytes(diskTotal)} (MILLRACE_DISK_TOTAL)`;
  return ok(
    "disk use",
    `workspaces ${formatBytes(workspaces)}, mirrors ${formatBytes(mirrors)}: ${formatBytes(workspaces + mirrors)}${limit}`,
  );
}

function bytesIn(folder: string, ...also: string[]): number {
  const steps = countUsage({ folder, also });
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value.bytes;
  }
}

/** Who but the server's user may read what it keeps. */
export async function examineModes(paths: readonly string[]): Promise<DoctorFinding[]> {
  const findings: DoctorFinding[] = [];
  for (const path of paths) {
    const found = await stat(path).catch(emptyIfMissing);
    if (Array.isArray(found)) continue;
    // A server whose agents have users of their own lets them pass through its folder, where nothing else is open to them.
    const open = found.mode & (found.isDirectory() ? 0o066 : 0o077);
    if (open === 0) continue;
    const mode = (found.mode & 0o777).toString(8);
    const narrow = found.isDirectory() ? "700" : "600";
    findings.push(
      warning(
        "file modes",
        `Other users can access ${path}: its mode is ${mode}.`,
        `chmod ${narrow} ${path}`,
      ),
    );
  }
  return findings.length > 0
    ? findings
    : [ok("file modes", "only the server's user can access the data folder")];
}

/** What bounds the memory of runs. Of a service it is another cgroup than that of this command. */
function examineMemory(
  settings: LimitSettings,
  { mode, weaknesses }: Pick<Sandbox, "mode" | "weaknesses">,
): DoctorFinding {
  const { memoryBytes } = limitsHere(settings);
  const amount = memoryBytes === undefined ? "the instanceShape of its runner" : formatBytes(memoryBytes);
  if (mode === "container") {
    const unlimited = weaknesses.find((text) => text.includes("instanceShape"));
    return ok("memory", unlimited ?? `the container engine limits a run to ${amount} (MILLRACE_RUN_MEMORY)`);
  }
  const found = findDivisibleCgroup();
  if ("reason" in found)
    return ok(
      "memory",
      `runs that are started from here have no cgroup of their own, so that only each process can be limited: ${found.reason}. The log of a service says whether its cgroup can be divided (docs/isolation.md)`,
    );
  return ok(
    "memory",
    `each run can get a cgroup of its own below ${found.folder}, with limits of ${found.controllers.join(", ")}, and ${amount} of memory`,
  );
}

/** Whether `git add .` would take what only this server should have: keys, and the database with all payloads. */
export async function examineWorkTree(
  config: Pick<Config, "dataDir" | "databaseUrl" | "masterKeyFile">,
): Promise<DoctorFinding[]> {
  const check = "work tree";
  const paths = [config.masterKeyFile ?? join(config.dataDir, "master.key"), fileDatabaseIn(config)];
  const findings: DoctorFinding[] = [];
  for (const path of paths) {
    if (!(await isCommittable(path))) continue;
    const message = `${path} is in a git work tree and is not ignored: \`git add .\` would add it, or it is already tracked.`;
    const remedy = `Add a line \`*\` to ${dirname(path)}/.gitignore and run \`git rm -r --cached ${dirname(path)}\`, or specify a folder elsewhere with --data-dir. Replace every key that was pushed.`;
    findings.push(warning(check, message, remedy));
  }
  return findings.length > 0
    ? findings
    : [ok(check, "the data folder is ignored by git, or is not in a work tree")];
}
