import { once } from "node:events";
import { expect, test } from "vitest";
import { newUuid } from "../../src/id.ts";
import { runHere } from "../../src/runs/files/run-here.ts";
import { container } from "../../src/runs/sandbox/container.ts";
import { findUserRange } from "../../src/runs/sandbox/run-user.ts";
import { startProgram } from "../../src/runs/sandbox/start-program.ts";
import { temporaryFolder } from "../given/folder.ts";
import { startPodman } from "../given/podman.ts";

test("a container uses no more memory than the runner's instance shape has", async () => {
  const { settings } = startPodman();
  const words = (name: string) => (settings[name] ?? "").split(" ");
  const sandbox = container({
    engine: words("MILLRACE_CONTAINER_COMMAND"),
    isPodman: true,
    options: words("MILLRACE_CONTAINER_OPTIONS"),
    image: settings.MILLRACE_CONTAINER_IMAGE,
    users: await findUserRange(),
    network: false,
    processes: 100,
  });
  const run = async (memoryGb: number) => {
    const workspace = temporaryFolder();
    const runId = newUuid();
    await sandbox.chownWorkspace(runId, workspace, runHere);
    const command = ["dd", "if=/dev/zero", "of=/tmp/much", "bs=1M", "count=128"];
    const child = startProgram(
      sandbox.launch({
        runId,
        workspace,
        command,
        environment: { HOME: workspace },
        shape: { vcpus: 1, memoryGb },
      }),
    );
    let said = "";
    child.stderr?.on("data", (bytes: Buffer) => {
      said += bytes;
    });
    const [code] = await once(child, "close");
    return { code, said };
  };
  expect(await run(1)).toMatchObject({ code: 0, said: expect.stringContaining("records out") });
  expect(await run(0.0625)).toMatchObject({ code: 137 });
});
