import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newUuid } from "../../src/id.ts";
import { runHere } from "../../src/runs/files/run-here.ts";
import { chooseSandbox } from "../../src/runs/sandbox/choose-sandbox.ts";
import { startProgram } from "../../src/runs/sandbox/start-program.ts";
import { temporaryFolder } from "../given/folder.ts";
import { startPodman } from "../given/podman.ts";

/** A sandbox of containers with this limit for runs whose runner has no size, and how a program that fills a file in memory fares. */
async function withPodman(runMemory: string) {
  const { settings } = startPodman();
  const words = (name: string) => (settings[name] ?? "").split(" ");
  const folder = temporaryFolder();
  const { sandbox } = await chooseSandbox(
    {
      sandbox: "container",
      sandboxNetwork: "off",
      sandboxPaths: [],
      runProcesses: 100,
      runMemory,
      runCpus: 0,
      containerCommand: words("MILLRACE_CONTAINER_COMMAND"),
      containerOptions: words("MILLRACE_CONTAINER_OPTIONS"),
      containerImage: settings.MILLRACE_CONTAINER_IMAGE,
    },
    {
      path: folder,
      workspaces: join(folder, "workspaces"),
      firstProcesses: join(folder, "first"),
      networkSockets: join(folder, "network"),
    },
  );
  return async (memoryGb?: number) => {
    const workspace = temporaryFolder();
    const runId = newUuid();
    await sandbox.chownWorkspace(runId, workspace, runHere);
    const child = startProgram(
      sandbox.launch({
        runId,
        workspace,
        command: ["sh", "-c", "cat /proc/self/oom_score_adj; dd if=/dev/zero of=/tmp/much bs=1M count=128"],
        environment: { HOME: workspace },
        ...(memoryGb === undefined ? {} : { shape: { vcpus: 1, memoryGb } }),
      }),
    );
    let said = "";
    for (const pipe of [child.stdout, child.stderr])
      pipe?.on("data", (bytes: Buffer) => {
        said += bytes;
      });
    const [code] = await once(child, "close");
    return { code, said };
  };
}

test("a container uses no more memory than the runner's instance shape has", async () => {
  const run = await withPodman("0");
  expect(await run(1)).toMatchObject({ code: 0, said: expect.stringContaining("records out") });
  expect(await run(0.0625)).toMatchObject({ code: 137 });
  expect(await run()).toMatchObject({ code: 0 });
});

test("without one, it uses no more than the settings allow, and is killed before the server", async () => {
  const run = await withPodman("64MiB");
  expect(await run()).toMatchObject({ code: 137, said: expect.stringMatching(/^500$/m) });
  expect(await run(1)).toMatchObject({ code: 0 });
});
