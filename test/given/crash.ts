import { endProcess, supervisorOf } from "./processes.ts";
import type { Server } from "./server.ts";

/** Ends a server with its agent supervisor, as a crash of the machine does: nobody takes its agents up. */
export async function crash(server: Pick<Server, "kill" | "dataDir">): Promise<void> {
  const supervisor = supervisorOf(server);
  await server.kill();
  if (supervisor !== undefined) endProcess(supervisor);
}
