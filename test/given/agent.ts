import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ask } from "./ask.ts";
import { FACTORY } from "./definition.ts";
import { type Files, folderWith, temporaryFolder } from "./folder.ts";
import { type Server, startServer, waitFor } from "./server.ts";
import { sourceFor } from "./serving.ts";
import { type Run, storyOf } from "./story.ts";

/** What the prompt of a program without tools begins with. */
export const TOLD_OF_COMMAND =
  "[millrace: `millrace agent --help` lists what you can do in this run, for example ask a person, report a result, give your answer, or start another agent.]\n\n";

/** A server with one agent, and a way to let it run. */
export async function serverWithAgent(
  agent: string,
  {
    files = {},
    env = {},
    args = [] as string[],
    wrapper = [] as string[],
    sharesProcess = true,
    sharesStore,
    before,
  }: {
    files?: Files;
    env?: Record<string, string>;
    args?: string[];
    /** What the server is started with. */
    wrapper?: string[];
    /** False for one that is killed, traced or read from outside. */
    sharesProcess?: boolean;
    /** Whether the server keeps everything in its store. */
    sharesStore?: boolean;
    /** The server that is started again: its factory and its data. */
    before?: { source: string; server: Pick<Server, "dataDir"> };
  } = {},
) {
  const source = before?.source ?? sourceFor({ ...FACTORY, ...files }, { sharesProcess });
  const server = await startServer({
    sources: [source],
    agent,
    env,
    args,
    wrapper,
    sharesProcess,
    ...(sharesStore === undefined ? {} : { sharesStore }),
    ...(before ? { dataDir: before.server.dataDir } : {}),
  });
  const story = storyOf(server);
  await story.sync();
  return {
    source,
    server,
    story,
    start: async (body: object = {}) =>
      (await server.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Do it.", ...body })).run_id,
    async run(body: object = {}) {
      const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
        prompt: "Do it.",
        ...body,
      });
      return { ...(await story.ended(run_id)), transcript: await story.transcript(run_id) };
    },
  };
}

const STAYS_WITH_TOKEN = `
  import { writeFileSync } from "node:fs";
  writeFileSync("token", process.env.MILLRACE_RUN_TOKEN);
  setInterval(() => {}, 1_000);`;

/** A server with a run whose agent works until it is ended, and the token of that run. */
export async function serverWithTokenOfRun() {
  const { server, start } = await serverWithAgent(STAYS_WITH_TOKEN);
  const id = await start();
  const file = join(server.dataDir, "workspaces", id, "token");
  const key = await waitFor(() => (existsSync(file) && readFileSync(file, "utf8")) || undefined);
  return { server, id, key };
}

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
  run = {},
  ...options
}: Parameters<typeof serverWithAgent>[1] & {
  secrets?: Readonly<Record<string, string>>;
  /** What the agent does before it stays. */
  program?: string;
  /** What its run is asked for with. */
  run?: object;
} = {}) {
  const { server, story, start } = await serverWithAgent(program + STAYS, options);
  for (const [name, value] of Object.entries(secrets)) await story.setSecret(name, value);
  if (Object.keys(secrets).length > 0) await story.sync();
  const inWorkspace = (name: string, run = id) => join(server.dataDir, "workspaces", run, name);
  const id = await start(run);
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

interface Message {
  id: string;
  text: string;
  turn: number;
  state: string;
  repeated?: boolean;
}

/** A server whose sessions take messages; in its first turn an agent does this, and later it says what it is asked. */
export async function liveSession(firstTurn: string) {
  const folder = temporaryFolder();
  const program = `
    import { existsSync } from "node:fs";
    import { createInterface } from "node:readline";
    const until = async (name) => {
      while (!existsSync(${JSON.stringify(folder)} + "/" + name)) await new Promise((resolve) => setTimeout(resolve, 10));
    };
    const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
    const read = async () => JSON.parse((await lines.next()).value).text;
    if (process.env.MILLRACE_TURN === "1") { ${firstTurn} }
    console.log("asked: " + await read());
    process.exit(0);`;
  const script = join(folderWith({ "agent.mjs": program }), "agent.mjs");
  const harnesses = { live: { command: [process.execPath, script], stdin: "messages" } };
  const config = join(folderWith({ "m.yaml": JSON.stringify({ harnesses }) }), "m.yaml");
  const given = await serverWithAgent("", { args: ["--config", config] });
  const id = await given.start({ config: { harness: { type: "live" } } });
  const { story, server } = given;
  return {
    ...given,
    id,
    say: (message: string) => server.api<object>("POST", `/agent/runs/${id}/followups`, { message }),
    can: (name: string) => writeFileSync(join(folder, name), ""),
    has: (name: string) => existsSync(join(folder, name)),
    said: (text: string) => waitFor(async () => (await story.transcript(id)).includes(text)),
    async messages() {
      const { messages } = await server.api<{ messages: Message[] }>("GET", `/agent/runs/${id}/conversation`);
      return messages;
    },
    inTurn: (turn: number): Promise<Run> =>
      waitFor(async () => {
        const run = await story.run(id);
        const { length } = (await story.timeline(id)).filter(
          ({ event_type }) => event_type === "agent_started",
        );
        return length === turn && ["SUCCEEDED", "FAILED"].includes(run.state) ? run : undefined;
      }),
  };
}
