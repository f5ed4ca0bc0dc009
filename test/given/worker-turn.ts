import { randomUUID } from "node:crypto";
import { doorClient } from "./door-client.ts";
import type { Server } from "./server.ts";

/** A turn whose agent a worker says it has started. */
export async function workerTurn(server: Server) {
  const name = `w-${randomUUID().slice(0, 8)}`;
  const worker = await doorClient(server, { name });
  await server.api("POST", "/agent/run", { prompt: "Work.", config: { worker_host: name } });
  const [claimed] = await worker.claim();
  if (!claimed) throw new Error("nothing was claimed");
  const turn = { id: claimed.run.id, ticket: claimed.ticket };
  await worker.call(turn, "start", {
    sessionId: randomUUID(),
    tokenHash: randomUUID().replaceAll("-", "").repeat(2),
    takesInput: false,
  });
  return { worker, turn, runToken: claimed.runToken };
}
