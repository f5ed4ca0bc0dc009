import { execFileSync } from "node:child_process";
import { chmodSync, copyFileSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { runHere } from "../../src/executor/files/file-jobs.ts";
import { openRunProxy } from "../../src/executor/network/proxy/run-proxy.ts";
import { chooseSandbox } from "../../src/executor/sandbox/choose-sandbox.ts";
import type { HeldNetwork, RunProgram } from "../../src/executor/sandbox/sandbox.ts";
import { newUuid } from "../../src/id.ts";
import { onFinished } from "./cleanup.ts";
import { temporaryFolder } from "./folder.ts";
import { start } from "./sandbox-of.ts";

interface Options {
  /** For all containers. */
  runMemory?: string;
  /** More options of the engine. */
  options?: readonly string[];
  network?: Pick<HeldNetwork, "policy"> & Partial<HeldNetwork>;
}

/** The sandbox of a server with a podman, and how programs fare in its containers. */
export async function containersOf(
  { settings }: Podman,
  { runMemory = "0", options = [], network: held }: Options = {},
) {
  const words = (name: string) => (settings[name] ?? "").split(" ");
  const folder = temporaryFolder();
  const { sandbox } = await chooseSandbox(
    {
      sandbox: "container",
      sandboxNetwork: held ? "on" : "off",
      sandboxPaths: [],
      runProcesses: 100,
      runMemory,
      runCpus: 0,
      containerCommand: words("MILLRACE_CONTAINER_COMMAND"),
      containerOptions: [...words("MILLRACE_CONTAINER_OPTIONS"), ...options],
      containerImage: settings.MILLRACE_CONTAINER_IMAGE,
    },
    {
      path: folder,
      workspaces: join(folder, "workspaces"),
      firstProcesses: join(folder, "first"),
      networkSockets: join(folder, "network"),
    },
  );
  const network = held && { apiUrl: "http://127.0.0.1:1", injections: [], endpoints: [], ...held };
  const workspace = temporaryFolder();
  return {
    sandbox,
    workspace,
    async run(command: string[], shape?: RunProgram["shape"]) {
      const runId = newUuid();
      await sandbox.chownWorkspace(runId, workspace, runHere);
      const environment = { HOME: workspace };
      const launch = sandbox.launch({
        ...{ runId, workspace, command, environment, network },
        ...(shape ? { shape } : {}),
      });
      const proxy = launch.proxy && (await openRunProxy(launch.proxy, () => {}));
      onFinished(() => proxy?.close());
      const ended = await start(launch).closed;
      const reaches = proxy?.reaches();
      proxy?.close();
      return { ...ended, ...reaches };
    },
  };
}

/** A podman with images and containers of its own, and what a server needs to be told of it. */
interface Podman {
  settings: Record<string, string>;
  /** The names of all its containers, ended ones too. */
  containers(): string[];
}

export const IMAGE = "localhost/millrace-test:latest";
const COMMANDS =
  "sh cat ls sleep id touch dd setsid env ps kill echo true mkdir rm ln head wc nc stat tr mv chmod chown test wget grep".split(
    " ",
  );
const ULIMITS = "--ulimit nofile=1024:1024 --ulimit nproc=1000:1000";

/** Makes one with an image of busybox, for which no registry is asked. */
export function startPodman(): Podman {
  const folder = temporaryFolder("millrace-podman");
  const storage = ["--root", join(folder, "root"), "--runroot", join(folder, "run"), "--storage-driver=vfs"];
  const command = ["podman", ...storage, "--runtime", "runc"];
  const ask = (...args: string[]) =>
    execFileSync("podman", [...command.slice(1), ...args], { encoding: "utf8" });
  const tar = busyboxTree(folder);
  ask("import", "--quiet", tar, IMAGE);
  return {
    settings: {
      MILLRACE_SANDBOX: "container",
      MILLRACE_CONTAINER_COMMAND: command.join(" "),
      MILLRACE_CONTAINER_OPTIONS: ULIMITS,
      MILLRACE_CONTAINER_IMAGE: IMAGE,
    },
    containers: () => ask("ps", "--all", "--format", "{{.Names}}").split("\n").filter(Boolean),
  };
}

function busyboxTree(folder: string): string {
  const tree = join(folder, "tree");
  for (const name of ["bin", "tmp", "etc", "proc", "dev", "sys", "run"])
    mkdirSync(join(tree, name), { recursive: true });
  // Engines keep the mode that an image gives its /tmp, whatever they mount there.
  chmodSync(join(tree, "tmp"), 0o1777);
  copyFileSync("/bin/busybox", join(tree, "bin", "busybox"));
  for (const name of COMMANDS) symlinkSync("busybox", join(tree, "bin", name));
  const tar = join(folder, "tree.tar");
  execFileSync("tar", ["-C", tree, "-cf", tar, "."]);
  return tar;
}
