import { setTimeout as sleep } from "node:timers/promises";
import { startGate } from "./gate.mjs";
import { timed } from "./measure.mjs";

/**
 * Runs of `true` that wait when the server starts, to the end of the last one.
 * @param program another build of the server
 * @returns runs a second
 */
export async function drainRate(folder, { queued, atOnce, sandbox, program }) {
  const filled = await startGate(
    folder,
    { MILLRACE_RUN_CONCURRENCY: "1", MILLRACE_SANDBOX: sandbox },
    { program },
  );
  const first = await filled.api("POST", "/agent/runs", { prompt: "Waits." });
  for (let n = 1; n < queued; n += 100) {
    await Promise.all(
      Array.from({ length: Math.min(100, queued - n) }, () =>
        filled.api("POST", "/agent/runs", { prompt: "Do it." }),
      ),
    );
  }
  await filled.api("POST", `/agent/runs/${first.run_id}/cancel`);
  await filled.stop();
  let server;
  const ms = await timed(async () => {
    const env = {
      MILLRACE_AGENT_COMMAND: "true",
      MILLRACE_RUN_CONCURRENCY: String(atOnce),
      MILLRACE_SANDBOX: sandbox,
    };
    server = await startGate(folder, env, { program });
    while ((await waiting(server)) > 0) await sleep(200);
  });
  await server.stop();
  return (queued * 1_000) / ms;
}

async function waiting(server) {
  const { runs } = await server.api("GET", "/agent/runs?state=QUEUED&state=CLAIMED&state=INPROGRESS&limit=1");
  return runs.length;
}
