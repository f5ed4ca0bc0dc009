import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serverWithAgent } from "./agent.ts";
import { type Answer, ask } from "./ask.ts";
import type { Files } from "./folder.ts";
import { waitFor } from "./server.ts";

/** Hands the token of its run over in a file, and stays until the file `end` of its workspace holds an exit code. */
const STAYS = `
  import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
  writeFileSync("token.new", process.env.MILLRACE_RUN_TOKEN);
  renameSync("token.new", "token-" + process.env.MILLRACE_TURN);
  while (!existsSync("end")) await new Promise((again) => setTimeout(again, 20));
  const code = Number(readFileSync("end", "utf8"));
  rmSync("end");
  process.exit(code);`;

/** An agent file with these lines as its front matter. */
export const agentWith = (lines = "agentType: CUSTOM") => `---\n${lines}\n---\nYou work.\n`;

/** What an answer about a run that was started says. */
type Started = Answer<{ run_id: string; detail?: string; reason?: string; remedy?: string }>;

/** A server whose factory has a foreman, `boss`, and the agents of these files; and runs whose agents stay. */
export async function serverWithFamily(files: Files, env: Record<string, string> = {}) {
  const given = await serverWithAgent(STAYS, { files, env: { MILLRACE_RUN_CONCURRENCY: "40", ...env } });
  const { server, story, start } = given;
  const inWorkspace = (id: string, name: string) => join(server.dataDir, "workspaces", id, name);
  /** The token of a turn of a run, once its agent is at work. */
  const tokenOf = (id: string, turn = 1) =>
    waitFor(() => {
      const file = inWorkspace(id, `token-${turn}`);
      return existsSync(file) ? readFileSync(file, "utf8") : undefined;
    });
  return {
    ...given,
    tokenOf,
    /** A run of the foreman that is at work, and its token. */
    async root(body: object = {}) {
      const id = await start(body);
      return { id, key: await tokenOf(id) };
    },
    /** Asks for a run with the token of another one. */
    startWith: (key: string, body: object, headers: Record<string, string> = {}): Promise<Started> =>
      ask(server, "POST", "/agent/runs", { key, body: { prompt: "Do it.", ...body }, headers }),
    /** Lets the agent of a run end its turn. */
    async end(id: string, code = 0) {
      writeFileSync(inWorkspace(id, "end.new"), String(code));
      renameSync(inWorkspace(id, "end.new"), inWorkspace(id, "end"));
      return story.ended(id);
    },
    get: (path: string, key?: string) =>
      ask<Record<string, never>>(server, "GET", path, key === undefined ? {} : { key }),
  };
}
