import { execFile } from "node:child_process";
import { join } from "node:path";
import sea from "node:sea";
import { promisify } from "node:util";
import { EXPECTED_IMAGE, isImageReference, shownImage } from "../../definitions/image-reference.ts";
import { MillraceError } from "../../errors/error.ts";
import { namesProxy } from "../../platform/proxies.ts";
import { type LimitsHere, limitsOf } from "../cgroups/run-limits.ts";
import { behindForwarder } from "../network/forwarder.ts";
import { proxyEnvironment } from "../network/proxy-environment.ts";
import { hasObjects, objectsOf } from "../workspace/shared-objects.ts";
import { ENGINE, refuseSteering } from "./agent-command.ts";
import { shownProxy } from "./held-network.ts";
import { FORWARDER_INSIDE, PORTABLE_SHELL, PORTABLE_SOCAT } from "./portable-forwarder.ts";
import { signalGroup } from "./process-tree.ts";
import { AUTH_FILE } from "./registry-auth.ts";
import { chownWorkspace, type RunUser, runUser, type UserRange } from "./run-user.ts";
import { type Launch, PUBLIC_WORKSPACE, type RunProgram, type Sandbox, UNPROTECTED } from "./sandbox.ts";
import { AGENT_OOM_SCORE } from "./start-program.ts";
import { ONLY_WITH_SHAPE } from "./with-cgroups.ts";

/** What containers of this server have in common. */
export interface ContainerDeps {
  /** The engine's command line and what always follows it, for example `podman --storage-driver=vfs`. */
  engine: readonly string[];
  isPodman: boolean;
  /** More options of its `run`. */
  options: readonly string[];
  /** For runs whose runner names none. */
  image: string | undefined;
  users: UserRange | undefined;
  network: boolean;
  /** How the network of a program can be held, or why it cannot be. */
  held: HeldContainers;
  /** How many processes and threads a run may have. */
  processes: number;
  /** What else a run may use; nothing where the engine can limit none of it. */
  limits: LimitsHere | undefined;
}

const NO_LIMITS =
  "The memory of a run is limited only if its runner has an instanceShape, because the container engine does not report that it can limit memory.";
const NO_COMMAND =
  "The command `millrace agent` is not available in containers, because the server is not the single binary. Its tools are available through MCP.";

const GIB = 1024 ** 3;
const TMPFS_BYTES = 1024 * 1024 * 1024;
/** A container that does not go by then is left to the engine. */
const REMOVE_MS = 10_000;

const execute = promisify(execFile);

/** Programs run in containers, made by the command line of docker or podman, from the image that the run's runner names. */
export function container(deps: ContainerDeps): Sandbox {
  const { engine, users } = deps;
  const [command = "", ...words] = engine;
  return {
    mode: "container",
    weaknesses: weaknesses(deps),
    limitsSize: true,
    sharesNetwork: deps.network && !hasOwnNetwork(deps.options),
    findsLocalServices: deps.network && !hasOwnNetwork(deps.options) && !setsProxy(deps.options),
    unheldNetwork: unheldInContainers(deps),
    reachesApi: deps.network || hasOwnNetwork(deps.options),
    hasCommand: sea.isSea() && (deps.network || hasOwnNetwork(deps.options)),
    sharesObjects: true,
    async findImage(name) {
      const image = name ?? deps.image;
      // It may be replaced between two programs of a run.
      if (image === undefined || !isImageReference(image) || pullsAlways(deps.options)) return undefined;
      const asked = [...words, "image", "inspect", "--format", "{{.Id}}", image];
      const found = await execute(command, asked, { env: engineEnvironment(), timeout: REMOVE_MS }).catch(
        () => undefined,
      );
      return found?.stdout.trim() || undefined;
    },
    async chownWorkspace(runId, workspace, files) {
      if (users) await chownWorkspace(files, workspace, runUser(runId, users));
    },
    launch(asked) {
      // Without any network, there is nothing to hold.
      const program = deps.network ? asked : { ...asked, network: undefined };
      const held = heldContainer(program, deps.held);
      const { passed, given } = dividedEnvironment(program, held);
      refuseSteering(Object.keys(passed), ENGINE);
      return {
        command,
        args: [
          ...words,
          ...authOfDocker(program, deps),
          "run",
          ...authOfPodman(program, deps),
          ...runOptions(program, held, deps),
          ...Object.keys(passed).flatMap((name) => ["--env", name]),
          ...Object.entries(given).flatMap(([name, value]) => ["--env", `${name}=${value}`]),
          ...imageAndCommand(program, held, deps),
        ],
        cwd: program.workspace,
        environment: { ...engineEnvironment(), ...passed },
        ...held.launch,
        removal: {
          command,
          args: [...words, ...removeArguments(program.runId, deps)],
          environment: engineEnvironment(),
        },
      };
    },
    // The command passes the signal on to the first process of the container.
    terminate: (pid) => void signalGroup(pid, "SIGTERM"),
    async endLeftBehind(runId) {
      const ask = (...more: string[]) =>
        execute(command, [...words, ...more], { env: engineEnvironment(), timeout: REMOVE_MS });
      // By its name, which a container has from before its first process until it is gone.
      await ask(...removeArguments(runId, deps)).catch(() => {});
      const left = await ask("ps", "--all", "--quiet", "--filter", `name=^${nameOf(runId)}$`).catch(
        () => undefined,
      );
      return left?.stdout.trim() === "";
    },
  };
}

function runOptions(program: RunProgram, held: HeldContainer, deps: ContainerDeps): string[] {
  const { runId, workspace, shape } = program;
  const { uid, gid } = userOf(runId, deps);
  return [
    ...["--rm", "--interactive", "--name", nameOf(runId), "--label", `millrace.run=${runId}`],
    ...["--cap-drop=ALL", "--security-opt=no-new-privileges", "--read-only"],
    ...["--tmpfs", `/tmp:rw,mode=1777,size=${TMPFS_BYTES}`],
    ...[`--pids-limit=${deps.processes}`],
    ...sizeOptions(shape, deps),
    // The kernel ends the container, and not the engine or the server, when the machine has no more memory.
    `--oom-score-adj=${AGENT_OOM_SCORE}`,
    ...["--user", `${uid}:${gid}`, ...(deps.isPodman && !deps.users ? ["--userns=keep-id"] : [])],
    ...["--network", deps.network && !program.network ? "host" : "none"],
    ...["--mount", `type=bind,source=${workspace},target=${workspace}`, "--workdir", workspace],
    ...(workspace === PUBLIC_WORKSPACE || workspace.startsWith(`${PUBLIC_WORKSPACE}/`)
      ? []
      : ["--mount", `type=bind,source=${workspace},target=${PUBLIC_WORKSPACE}`]),
    ...(hasObjects(workspace)
      ? ["--mount", `type=bind,source=${objectsOf(workspace)},target=${objectsOf(workspace)},readonly`]
      : []),
    ...held.options,
    ...agentCommand(),
    ...deps.options,
  ];
}

/** A runner that asks for a size gets it or nothing. */
function sizeOptions(shape: RunProgram["shape"], { limits }: ContainerDeps): string[] {
  const asked = shape && { memoryBytes: shape.memoryGb * GIB, cpus: shape.vcpus };
  const { memoryBytes, cpus } = (limits && limitsOf(shape, limits)) ?? asked ?? {};
  return [
    ...(cpus === undefined ? [] : [`--cpus=${cpus}`]),
    ...(memoryBytes === undefined ? [] : [`--memory=${Math.round(memoryBytes)}b`]),
  ];
}

/** The binary needs nothing else of the server; a Node with its packages would be no part of the image. */
function agentCommand(): string[] {
  if (!sea.isSea()) return [];
  return ["--mount", `type=bind,source=${process.execPath},target=/usr/local/bin/millrace,readonly`];
}

/** Both engines take credentials from a file of one form: docker as its settings, which stand before its command. */
function authOfDocker({ registryAuth }: RunProgram, { isPodman }: ContainerDeps): string[] {
  return registryAuth === undefined || isPodman ? [] : ["--config", registryAuth];
}

function authOfPodman({ registryAuth }: RunProgram, { isPodman }: ContainerDeps): string[] {
  return registryAuth === undefined || !isPodman ? [] : ["--authfile", join(registryAuth, AUTH_FILE)];
}

/** The image's own entry point would stand before the program. */
function imageAndCommand(
  { command, image }: RunProgram,
  { before }: HeldContainer,
  { image: ofSettings }: ContainerDeps,
): string[] {
  const [entryPoint = "", ...args] = [...before, ...command];
  const chosen = image ?? ofSettings;
  if (chosen === undefined) {
    throw new MillraceError("environment_setup_failed", "The run has no container image", {
      remedy: "Set platform.linux.dockerImage of its runner, or MILLRACE_CONTAINER_IMAGE for all runs.",
    });
  }
  // Definitions and environments of earlier versions were not held to it; the settings are the operator's own.
  if (image !== undefined && !isImageReference(image)) {
    throw new MillraceError(
      "environment_setup_failed",
      `The run's image is ${shownImage(image)}: ${EXPECTED_IMAGE}`,
      { remedy: "Correct platform.linux.dockerImage of its runner, or the image of its environment." },
    );
  }
  return ["--entrypoint", entryPoint, chosen, ...args];
}

function userOf(runId: string, { users }: ContainerDeps): RunUser {
  return users ? runUser(runId, users) : { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
}

/** Options of the settings come after the sandbox's own, and win. */
function hasOwnNetwork(options: readonly string[]): boolean {
  return /(^|\s)--net(work)?[= ](?!host(\s|$))/.test(options.join(" "));
}

function pullsAlways(options: readonly string[]): boolean {
  return /(^|\s)--pull[= ](always|newer)(\s|$)/.test(options.join(" "));
}

/** Engines pass the proxy variables of their command on to containers, and the options can name some as well. */
function setsProxy(options: readonly string[]): boolean {
  const named = options.flatMap((word) => word.split("=")).map((name) => [name, "given"]);
  return namesProxy({ ...engineEnvironment(), ...Object.fromEntries(named) });
}

function removeArguments(runId: string, { isPodman }: ContainerDeps): string[] {
  return ["rm", "--force", ...(isPodman ? ["--time=0", "--ignore"] : []), nameOf(runId)];
}

const nameOf = (runId: string) => `millrace-${runId}`;

/** What the engine's command needs to know of this server to find its engine. */
export function engineEnvironment(): Record<string, string> {
  const kept = Object.entries(process.env).filter(
    ([name]) => name === "PATH" || name === "HOME" || ENGINE.test(name),
  );
  return Object.fromEntries(kept) as Record<string, string>;
}

function weaknesses({ users, network, limits }: ContainerDeps): string[] {
  return [
    ...(network ? ["Agents share the server's network, including its loopback addresses."] : []),
    ...(users ? [] : ["Agents run with the user ID of the server, which is not root.", UNPROTECTED]),
    ...(sea.isSea() ? [] : [NO_COMMAND]),
    ...(limits === undefined ? [NO_LIMITS] : limits.memoryBytes === undefined ? [ONLY_WITH_SHAPE] : []),
  ];
}

/** What containers need so that their network can be held; the reason why it cannot be, as a sentence. */
export type HeldContainers = { forwarder: string; sockets: string; socat: string } | { reason: string };

/** What a container needs for a program whose network is held. */
interface HeldContainer {
  options: string[];
  /** What stands before the program. */
  before: readonly string[];
  /** Variables that must reach the program without having been those of the engine's command, which they would steer. */
  environment: Record<string, string>;
  launch: Pick<Launch, "proxy">;
}

const NOT_HELD: HeldContainer = { options: [], before: [], environment: {}, launch: {} };

/** @returns nothing to be added for a program whose network is not held */
function heldContainer(
  { runId, network }: Pick<RunProgram, "runId" | "network">,
  held: HeldContainers,
): HeldContainer {
  if (!network || "reason" in held) return NOT_HELD;
  const { proxy, files } = shownProxy(runId, network, held.sockets, held.socat);
  const shown = [{ path: held.forwarder, inside: FORWARDER_INSIDE }, ...files];
  return {
    options: shown.flatMap(({ path, inside }) => [
      "--mount",
      `type=bind,source=${path},target=${inside},readonly`,
    ]),
    before: behindForwarder({ socat: PORTABLE_SOCAT, shell: PORTABLE_SHELL }),
    environment: proxyEnvironment(network, PORTABLE_SOCAT),
    launch: { proxy },
  };
}

/** Why the network of programs in containers cannot be held; nothing where it can, or where they have none at all. */
function unheldInContainers({
  network,
  options,
  held,
}: {
  network: boolean;
  options: readonly string[];
  held: HeldContainers;
}): string | undefined {
  if (!network) return undefined;
  if (
    /(^|\s)--(net|network|network-alias|pod|pod-id-file|dns\S*|ip6?|mac-address)([= ]|$)/.test(
      options.join(" "),
    )
  )
    return "MILLRACE_CONTAINER_OPTIONS set the network of containers, for example with --network, --dns or --pod";
  return "reason" in held ? held.reason : undefined;
}

/**
 * What a program gets through the environment of the engine's command, which shows no values to others, and what it is
 * given on the command line, because the engine would obey it itself. The image has its own PATH.
 */
function dividedEnvironment({ environment }: Pick<RunProgram, "environment">, held: HeldContainer) {
  const { HOME, PATH, ...others } = environment;
  const given = { ...held.environment, ...(HOME === undefined ? {} : { HOME }) };
  const passed = Object.fromEntries(Object.entries(others).filter(([name]) => !(name in given)));
  return { passed, given };
}
