import { readFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config/config.ts";
import { errorMessage, MillraceError, systemCode } from "../../errors/error.ts";
import type { SandboxMode } from "../../runs/turn/isolation.ts";
import { limitsHere } from "../cgroups/run-limits.ts";
import { installAgentCommand } from "./agent-command.ts";
import { type BubblewrapDeps, bubblewrap } from "./bubblewrap.ts";
import { container, engineEnvironment, type HeldContainers } from "./container.ts";
import { ask, findProgram } from "./find-program.ts";
import { NO_SOCAT } from "./held-network.ts";
import { installForwarder } from "./portable-forwarder.ts";
import { findUserRange, isRootHereOnly } from "./run-user.ts";
import type { Folders, Sandbox } from "./sandbox.ts";
import { writeSocketFilter } from "./socket-filter.ts";
import { systemFolders } from "./system-folders.ts";
import { tryProgram } from "./try-program.ts";
import { openWayTo, unconfined } from "./unconfined.ts";

export type SandboxSettings = Pick<
  Config,
  | "sandbox"
  | "sandboxNetwork"
  | "sandboxPaths"
  | "runProcesses"
  | "runMemory"
  | "runCpus"
  | "containerCommand"
  | "containerOptions"
  | "containerImage"
>;

/** A sandbox that works here, or why it does not. A fault that may pass says nothing about the machine. */
type Tried = { sandbox: Sandbox } | { reason: string; isPassing?: boolean };

/** From the one that keeps agents apart best, in the order in which `auto` tries them. */
const BEST_FIRST = ["bwrap", "container", "none"] as const;

interface Choice {
  /** The best one that has ever worked here: below it, `auto` does not go. */
  best?: SandboxMode | undefined;
  /** For so long, one that fails for a reason that may pass is tried again. */
  patienceMs?: number;
}

const PATIENCE_MS = 30_000;
const BETWEEN_TRIALS_MS = 1_000;

export interface Chosen {
  sandbox: Sandbox;
  /** Why a better one does not work here; empty where someone has chosen. */
  passedOver: string[];
}

/**
 * Finds the sandbox of this server: the one that the settings name, or of `auto` the first that really works here.
 * @throws MillraceError `service_unavailable` when the one that is named does not work, or `auto` would have to take a worse one because
 * of a fault that may pass, or than has worked here before
 */
export async function chooseSandbox(
  settings: SandboxSettings,
  folders: Folders,
  { best, patienceMs = PATIENCE_MS }: Choice = {},
): Promise<Chosen> {
  const trial = (attempt: () => Promise<Tried>) => patiently(attempt, patienceMs);
  const bwrap = () => trial(() => tryBubblewrap(settings, folders));
  const engine = () => trial(() => tryContainer(settings, folders));
  if (settings.sandbox === "command") throw onlyOfWorkers();
  await mkdir(folders.workspaces, { recursive: true, mode: 0o700 });
  switch (settings.sandbox) {
    case "none":
      return { sandbox: await plain(settings, folders), passedOver: [] };
    case "bwrap":
      return { sandbox: required("bwrap", await bwrap()), passedOver: [] };
    case "container":
      return { sandbox: required("container", await engine()), passedOver: [] };
    case "auto": {
      const chosen = await firstThatWorks({ settings, folders, bwrap, engine });
      refuseBelow(best, chosen);
      return chosen;
    }
  }
}

async function patiently(attempt: () => Promise<Tried>, patienceMs: number): Promise<Tried> {
  const until = performance.now() + patienceMs;
  for (;;) {
    const tried = await attempt();
    if ("sandbox" in tried || !tried.isPassing || performance.now() >= until) return tried;
    await sleep(BETWEEN_TRIALS_MS);
  }
}

function refuseBelow(best: SandboxMode | undefined, { sandbox: { mode }, passedOver }: Chosen): void {
  if (best === undefined || BEST_FIRST.indexOf(mode) <= BEST_FIRST.indexOf(best)) return;
  throw new MillraceError(
    "service_unavailable",
    `Agents ran in the sandbox ${best} on this machine before, and only ${mode} works now: ${passedOver.join("; ")}.`,
    { remedy: `Fix this, or set MILLRACE_SANDBOX to ${mode} to run agents with less isolation.` },
  );
}

function onlyOfWorkers(): MillraceError {
  return new MillraceError(
    "service_unavailable",
    "MILLRACE_SANDBOX is command, which only `millrace worker` without --once can use: it executes no run on this machine.",
    {
      remedy:
        "Set MILLRACE_SANDBOX to auto, bwrap, container or none. docs/isolation.md describes the modes.",
    },
  );
}

interface Trials {
  settings: SandboxSettings;
  folders: Folders;
  bwrap(): Promise<Tried>;
  engine(): Promise<Tried>;
}

async function firstThatWorks({ settings, folders, ...trials }: Trials): Promise<Chosen> {
  const bwrap = await trials.bwrap();
  if ("sandbox" in bwrap) return { sandbox: bwrap.sandbox, passedOver: [] };
  if (bwrap.isPassing) throw couldNotNow(bwrap.reason);
  const engine: Tried = settings.containerImage
    ? await trials.engine()
    : { reason: "container: MILLRACE_CONTAINER_IMAGE is not set" };
  if ("sandbox" in engine) return { sandbox: engine.sandbox, passedOver: [bwrap.reason] };
  if (engine.isPassing) throw couldNotNow(engine.reason);
  return { sandbox: await plain(settings, folders), passedOver: [bwrap.reason, engine.reason] };
}

function couldNotNow(reason: string): MillraceError {
  return new MillraceError(
    "service_unavailable",
    `The isolation of agents could not be tested: ${reason}. This can be temporary, so no sandbox with less isolation is used.`,
    {
      remedy:
        "Free what the machine lacks, such as disk space, memory or processes, and start again. To use another sandbox, set MILLRACE_SANDBOX.",
    },
  );
}

function required(mode: string, tried: Tried): Sandbox {
  if ("sandbox" in tried) return tried.sandbox;
  throw new MillraceError(
    "service_unavailable",
    `Agents cannot be isolated as configured: ${tried.reason}.`,
    {
      remedy: `Fix this, or set MILLRACE_SANDBOX to a mode other than ${mode}. docs/isolation.md lists the requirements of each mode.`,
    },
  );
}

async function plain({ runProcesses }: SandboxSettings, folders: Folders): Promise<Sandbox> {
  const users = await findUserRange();
  const sameUser = users && (await openWayTo(folders));
  const prlimit = await findProgram("prlimit");
  return unconfined({
    users: sameUser ? undefined : users,
    sameUser,
    prlimit,
    processes: runProcesses,
    agentCommand: await installAgentCommand(folders),
  });
}

async function tryBubblewrap(settings: SandboxSettings, folders: Folders): Promise<Tried> {
  const bwrap = await findProgram("bwrap");
  if (bwrap === undefined)
    return { reason: "bwrap: the program is not installed (Debian: apt install bubblewrap)" };
  const users = await findUserRange();
  const [prlimit, setpriv, socat] = await Promise.all(["prlimit", "setpriv", "socat"].map(findProgram));
  if (users && setpriv === undefined)
    return {
      reason:
        "bwrap: the program setpriv is not installed, which is needed to run agents as another user (Debian: apt install util-linux)",
    };
  const help = await ask([bwrap, "--help"], engineEnvironment());
  if (help.code !== 0)
    return {
      reason: `bwrap: does not work on this machine: ${help.said.trim()}`,
      isPassing: help.isLate || isPassingText(help.said),
    };
  const deps: BubblewrapDeps = {
    programs: { bwrap, prlimit, setpriv, socat },
    has: (option) => help.said.includes(`${option} `),
    users,
    system: await systemFolders(join(folders.path, "sandbox")),
    paths: settings.sandboxPaths,
    network: settings.sandboxNetwork === "on",
    socketFilter: writeSocketFilter(folders.networkSockets),
    processes: settings.runProcesses,
    folders,
    agentCommand: await installAgentCommand(folders),
  };
  return tryOut(bubblewrap(deps), folders);
}

/** A program of one's own user may be traced by what reads its environment; that of the first process must not be. */
const PROBE = [
  "sh",
  "-c",
  "if cat /proc/1/environ > /dev/null 2>&1; then echo 'an agent could trace the first process of its namespace' >&2; exit 1; fi",
];

/** A program that has not ended by then is taken for one that was held up. */
const TRIAL_MS = 20_000;

/** What the system says when it lacks something at the moment. */
const PASSING_TEXT =
  /No space left on device|Disk quota exceeded|Too many open files|Cannot allocate memory|Resource temporarily unavailable|Cannot fork|\b(ENOSPC|EDQUOT|EMFILE|ENFILE|ENOMEM|EAGAIN)\b/i;

/** The kernel also says that there is no space left where the namespaces of users are limited to none, which does not pass. */
function isPassingText(said: string): boolean {
  return PASSING_TEXT.test(said) && !(/namespace/i.test(said) && hasNoNamespaces());
}

function hasNoNamespaces(): boolean {
  return ["user", "mnt", "pid", "ipc", "uts", "net"].some((kind) => {
    try {
      return readFileSync(`/proc/sys/user/max_${kind}_namespaces`, "utf8").trim() === "0";
    } catch {
      return false;
    }
  });
}

/** Says of a sandbox that it works only when a program has run in it, which could not get at what ends it. */
async function tryOut(sandbox: Sandbox, { workspaces }: Folders): Promise<Tried> {
  const failed = (reason: string, isPassing: boolean): Tried => ({
    reason: `${sandbox.mode}: does not work on this machine: ${reason}`,
    isPassing,
  });
  try {
    const { code, signal, said, timedOut } = await tryProgram(PROBE, sandbox, {
      workspaces,
      timeoutMs: TRIAL_MS,
    });
    if (code === 0) return { sandbox };
    if (timedOut) return failed("a program in it did not end within 20 seconds", true);
    // Memory that ran out ends a program by this signal.
    return failed(said, signal === "SIGKILL" || isPassingText(said));
  } catch (error) {
    return failed(errorMessage(error), isPassingText(`${systemCode(error)} ${errorMessage(error)}`));
  }
}

/** The engines in the order in which they are looked for. */
const ENGINES = [["podman"], ["docker"]];

async function tryContainer(
  settings: SandboxSettings,
  folders: Pick<Folders, "networkSockets">,
): Promise<Tried> {
  const { containerCommand, containerOptions, containerImage, sandboxNetwork, runProcesses } = settings;
  const reasons: string[] = [];
  let isPassing = false;
  for (const [name = "", ...words] of containerCommand ? [containerCommand] : ENGINES) {
    const program = await findProgram(name);
    if (program === undefined) {
      reasons.push(`the program ${name} is not installed`);
      continue;
    }
    const engine = [program, ...words];
    const works = await ask([...engine, "ps", "--quiet"], engineEnvironment());
    if (works.code !== 0) {
      reasons.push(`${name} does not work on this machine: ${works.said.trim()}`);
      isPassing ||= works.isLate || isPassingText(works.said);
      continue;
    }
    const { said } = await ask([...engine, "--version"], engineEnvironment());
    const isPodman = said.includes("podman");
    // Podman makes containers itself, in the namespace that it is called in.
    if (!isPodman && (await isRootHereOnly())) {
      reasons.push(
        `${name} does not know the users of the user namespace of this server: start the server without one`,
      );
      continue;
    }
    const sandbox = container({
      engine,
      isPodman,
      options: containerOptions ?? [],
      image: containerImage,
      users: await findUserRange(),
      network: sandboxNetwork === "on",
      held: sandboxNetwork === "on" ? await heldContainers(folders) : { reason: "the network is off" },
      processes: runProcesses,
      limits: (await limitsMemory(engine, containerOptions)) ? limitsHere(settings) : undefined,
    });
    return { sandbox };
  }
  return { reason: `container: ${reasons.join("; ")}`, isPassing };
}

async function heldContainers({
  networkSockets: sockets,
}: Pick<Folders, "networkSockets">): Promise<HeldContainers> {
  const socat = await findProgram("socat");
  if (socat === undefined) return { reason: NO_SOCAT };
  try {
    const forwarder = await installForwarder(sockets, socat);
    return typeof forwarder === "string" ? { forwarder, sockets, socat } : forwarder;
  } catch (error) {
    return { reason: `socat could not be copied for containers: ${errorMessage(error)}` };
  }
}

/** Whether an engine can limit the memory of containers: some are not allowed to, and refuse to start one that has a limit. */
async function limitsMemory(engine: readonly string[], options: readonly string[] = []): Promise<boolean> {
  if (/--cgroups[= ]disabled/.test(options.join(" "))) return false;
  const { said } = await ask([...engine, "info", "--format", "json"], engineEnvironment());
  return /"MemoryLimit":\s*true/.test(said) || /"cgroupControllers":\s*\[[^\]]*"memory"/i.test(said);
}
