// What handing over, counting and searching a workspace of a million files costs the ingress: `FILES=1000000 npm run bench:more -- many-files`.
// It needs a build. It prints the latency of deliveries without and beside that work, and the peak memory of the file worker.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileWorker } from "../../dist/executor/files/file-worker.js";
import { createLog } from "../../dist/log.js";

const FILES = Number(process.env.FILES ?? 1_000_000);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const program = new URL("../../dist/executor/files/file-worker-main.js", import.meta.url);
const folder = mkdtempSync(join(tmpdir(), "millrace-bench-"));
const worker = createFileWorker(createLog("silent"), program);
const server = createServer((_request, response) => response.end("ok")).listen(0, "127.0.0.1");

try {
  execFileSync("bash", ["-c", `cd "$1" && seq ${FILES} | xargs touch`, "bash", folder]);
  await worker.run("count", { folder: join(folder, "..", "no-such-folder") });
  const alone = await latencies(() => performance.now());
  const until = performance.now() + SECONDS * 1_000;
  let isOver = false;
  const working = (async () => {
    for (let uid = 1_900_000_000; performance.now() < until; uid += 1) {
      if (process.getuid?.() === 0) await worker.run("chownWorkspace", { folder, uid, gid: uid });
      await worker.run("count", { folder });
    }
    isOver = true;
  })();
  const beside = await latencies(() => (isOver ? Number.POSITIVE_INFINITY : performance.now()));
  await working;
  console.log(
    `p99 alone ${alone.toFixed(2)} ms, beside ${FILES} files ${beside.toFixed(2)} ms: ${(beside / alone).toFixed(2)} times`,
  );
  console.log(`file worker: ${peakOf("file-worker-main")} at most`);
} finally {
  await worker.stop();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}

/** The 99th percentile of requests to this process, which is the one whose event loop must stay free. */
async function latencies(now) {
  const { port } = server.address();
  const taken = [];
  const until = performance.now() + SECONDS * 1_000;
  while (now() < until) {
    const begun = performance.now();
    await (await fetch(`http://127.0.0.1:${port}/`)).text();
    taken.push(performance.now() - begun);
  }
  return taken.sort((a, b) => a - b)[Math.floor(taken.length * 0.99)] ?? Number.NaN;
}

function peakOf(name) {
  const pid = execFileSync("pgrep", ["-P", String(process.pid), "-f", name], { encoding: "utf8" })
    .trim()
    .split("\n")[0];
  return /^VmHWM:\s+(.*)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
}
