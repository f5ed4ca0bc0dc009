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
}
