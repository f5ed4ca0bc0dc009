import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * What a run leaves on the disk and what it starts, in the shortest program that does that: folders, files and `true`, so
 * many at once. @returns runs a second
 */
export async function plainLoop(folder, { runs, atOnce }) {
  const start = performance.now();
  let next = 0;
  await mkdir(folder, { recursive: true });
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < runs) {
        next += 1;
        await oneRun(join(folder, String(next)));
      }
    }),
  );
  return (runs * 1_000) / (performance.now() - start);
}

async function oneRun(path) {
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "prompt.md"), "You do the work.\n\nDo it.\n");
  await writeFile(join(path, "agent.json"), '{\n  "name": "boss"\n}\n');
  await writeFile(join(path, "mcp.json"), '{\n  "mcpServers": {}\n}\n');
  const child = spawn("true", [], {
    cwd: path,
    env: { PATH: process.env.PATH },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => {});
  child.stdin.end("You do the work.\n\nDo it.\n");
  child.stdout.resume();
  child.stderr.resume();
  await new Promise((resolve, reject) => child.once("close", resolve).once("error", reject));
}
