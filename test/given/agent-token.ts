import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { serverWithAgent } from "./agent.ts";
import { waitFor } from "./server.ts";

const STAYS = `
  import { writeFileSync } from "node:fs";
  writeFileSync("token", process.env.MILLRACE_RUN_TOKEN);
  setInterval(() => {}, 1_000);`;

/** A server with a run whose agent works until it is ended, and the token of that run. */
export async function serverWithTokenOfRun() {
  const { server, start } = await serverWithAgent(STAYS);
  const id = await start();
  const file = join(server.dataDir, "workspaces", id, "token");
  const key = await waitFor(() => (existsSync(file) && readFileSync(file, "utf8")) || undefined);
  return { server, id, key };
}
