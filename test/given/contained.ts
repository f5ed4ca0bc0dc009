import { join } from "node:path";
import { runHere } from "../../src/executor/files/file-jobs.ts";
import { openRunProxy } from "../../src/executor/network/proxy/run-proxy.ts";
import { chooseSandbox } from "../../src/executor/sandbox/choose-sandbox.ts";
import type { HeldNetwork, RunProgram } from "../../src/executor/sandbox/sandbox.ts";
import { newUuid } from "../../src/id.ts";
import { onFinished } from "./cleanup.ts";
import { temporaryFolder } from "./folder.ts";
import type { Podman } from "./podman.ts";
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
