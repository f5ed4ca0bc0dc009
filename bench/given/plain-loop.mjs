import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chooseSandbox } from "../../dist/executor/sandbox/choose-sandbox.js";

/**
 * What a run leaves on the disk and what it starts, in the shortest program that does that: folders, files and `true` in
 * the sandbox of the runs, so many at once. @returns runs a second
 */
export async function plainLoop(folder, { runs, atOnce, sandbox: mode }) {
  const settings = { sandbox: mode, sandboxNetwork: "on", sandboxPaths: [], runProcesses: 1_000 };
  await mkdir(folder, { recursive: true });
  const { sandbox } = await chooseSandbox(settings, { path: folder, workspaces: join(folder, "workspaces") });
  const start = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < runs) {
        next += 1;
        await oneRun(join(folder, "workspaces", String(next)), sandbox);
      }
    }),
  );
  return (runs * 1_000) / (performance.now() - start);
}

async function oneRun(path, sandbox) {
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "prompt.md"), "You do the work.\n\nDo it.\n");
  await writeFile(join(path, "agent.json"), '{\n  "name": "boss"\n}\n');
  await writeFile(join(path, "mcp.json"), '{\n  "mcpServers": {}\n}\n');
  const { command, args, cwd, environment, user } = sandbox.launch({
    runId: path.split("/").at(-1),
    command: ["true"],
    workspace: path,
    environment: { PATH: process.env.PATH },
  });
  const child = spawn(command, args, { cwd, env: environment, stdio: ["pipe", "pipe", "pipe"], ...user });
  child.stdin.on("error", () => {});
  child.stdin.end("You do the work.\n\nDo it.\n");
  child.stdout.resume();
  child.stderr.resume();
  await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
}
