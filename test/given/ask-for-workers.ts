import { doorClient } from "./door-client.ts";
import type { Ask } from "./every-answer.ts";
import type { Server } from "./server.ts";
import { seenProcess } from "./workers.ts";

/** Asks for everything that there is about workers. */
export async function askForWorkers(ask: Ask, server: Server): Promise<void> {
  const { id, token } = await ask("POST", "/workers", { name: "gpu", labels: ["gpu"], factories: ["acme"] });
  await ask("GET", `/workers/${id}`);
  await seenProcess(server, String(token));
  for (const path of ["/workers", `/workers/${id}`, "/agent/connected-self-hosted-workers"])
    await ask("GET", path);
  await ask("POST", `/workers/${id}/drain`);
  await ask("DELETE", `/workers/${id}/drain`);
  await ask("DELETE", `/workers/${id}`);
  await askForWorkerAtWork(ask, server);
}

/** A worker shows the runs that it executes. */
async function askForWorkerAtWork(ask: Ask, server: Server): Promise<void> {
  const { id, token } = await ask("POST", "/workers", { name: "at-work" });
  const { run_id } = await ask("POST", "/agent/runs", { prompt: "x", config: { worker_host: "at-work" } });
  const worker = await doorClient(server, { token: String(token) });
  await worker.claim();
  await ask("GET", `/workers/${id}`);
  await ask("POST", `/agent/runs/${run_id}/cancel`);
  await ask("DELETE", `/workers/${id}`);
}
