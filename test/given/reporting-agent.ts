import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serverWithAgent } from "./agent.ts";
import { ask } from "./ask.ts";
import { waitFor } from "./server.ts";

/** Hands the token of its run over in a file, and stays until the file `end` holds an exit code. */
const STAYS = `
  import { existsSync, readFileSync, writeFileSync } from "node:fs";
  writeFileSync("token", process.env.MILLRACE_RUN_TOKEN);
  while (!existsSync("end")) await new Promise((again) => setTimeout(again, 20));
  process.exit(Number(readFileSync("end", "utf8")));`;

/** Written whole or not at all as far as this goes: a token has one length. */
const tokenIn = (file: string) =>
  waitFor(() => {
    const token = existsSync(file) ? readFileSync(file, "utf8") : "";
    return token.length > 0 ? token : undefined;
  });

interface CallOptions {
  body?: unknown;
  key?: string;
  run?: string;
  headers?: Record<string, string>;
}

/** A run whose agent is at work, and what can be said with its token. */
export async function reportingAgent({
  program = "",
  secrets = {},
  ...options
}: Parameters<typeof serverWithAgent>[1] & {
  secrets?: Readonly<Record<string, string>>;
  /** What the agent does before it stays. */
  program?: string;
} = {}) {
  const { server, story, start } = await serverWithAgent(program + STAYS, options);
  for (const [name, value] of Object.entries(secrets)) await story.setSecret(name, value);
  if (Object.keys(secrets).length > 0) await story.sync();
  const inWorkspace = (name: string, run = id) => join(server.dataDir, "workspaces", run, name);
  const id = await start();
  const token = await tokenIn(inWorkspace("token"));
  return {
    server,
    story,
    id,
    token,
    tokenOf: (run: string) => tokenIn(inWorkspace("token", run)),
    start,
    /** Calls the API for a run, with the token of the agent unless another key is given. */
    call: (
      method: string,
      what: string,
      { body, key = token, run = id, headers = {} }: CallOptions = {},
      // biome-ignore lint/suspicious/noExplicitAny: what comes is held to its description elsewhere
    ) => ask<any>(server, method, `/agent/runs/${run}/${what}`, { body, key, headers }),
    end(code: number) {
      // Whole or not at all: the agent takes an empty file for 0.
      writeFileSync(inWorkspace("end.new"), String(code));
      renameSync(inWorkspace("end.new"), inWorkspace("end"));
    },
  };
}
