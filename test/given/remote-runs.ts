import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serverWithAgent } from "./agent.ts";
import { folderWith, temporaryFolder } from "./folder.ts";
import { freePort } from "./port.ts";
import { type Server, startServer, waitFor } from "./server.ts";

/** What no run may come to: the server's own agent. */
const NO_AGENT = "process.exit(3)";

/** A folder through which a test and agents on other machines signal each other. */
function signals() {
  const folder = temporaryFolder("millrace-signals");
  const at = (name: string) => join(folder, name);
  return {
    can: (name: string) => writeFileSync(at(name), ""),
    has: (name: string) => waitFor(() => existsSync(at(name))),
    read: (name: string) => (existsSync(at(name)) ? readFileSync(at(name), "utf8") : ""),
    /** What an agent's program begins with, so that it can `say` and wait `until`. It notes that it has started. */
    program: `
      import { appendFileSync, existsSync, writeFileSync } from "node:fs";
      const at = (name) => ${JSON.stringify(`${folder}/`)} + name;
      const say = (name, text = "") => writeFileSync(at(name), text);
      const pause = () => new Promise((resolve) => setTimeout(resolve, 10));
      const until = async (name) => { while (!existsSync(at(name))) await pause(); };
      appendFileSync(at("starts"), process.env.MILLRACE_RUN_ID + "\\n");`,
  };
}

/** Settings with the harness `live`, whose program reads messages. */
function liveHarness(program: string): string[] {
  const script = join(folderWith({ "agent.mjs": program }), "agent.mjs");
  const harnesses = { live: { command: [process.execPath, script], stdin: "messages" } };
  return ["--config", join(folderWith({ "m.yaml": JSON.stringify({ harnesses }) }), "m.yaml")];
}

/**
 * A server whose runs execute elsewhere, and which can be started again where it was.
 * @param live the program of the harness `live`, as JavaScript
 */
export async function remoteRuns({ lease = "20s", live = "", settings = {} } = {}) {
  const listen = `127.0.0.1:${await freePort()}`;
  const env = { MILLRACE_WORKER_LEASE: lease, MILLRACE_LISTEN: listen, ...settings };
  const agents = signals();
  const args = live === "" ? [] : liveHarness(agents.program + live);
  const given = await serverWithAgent(NO_AGENT, { env, args, sharesProcess: false });
  const { server, story, source } = given;
  let serving: Server = server;
  return {
    ...{ server, story, agents },
    /** What servers and workers are started with that know the harness `live`. */
    args,
    start: (body: { config?: object } = {}) =>
      given.start({ ...body, config: { worker_host: "builder", ...body.config } }),
    kill: () => serving.kill(),
    stop: () => serving.stop(),
    /** Starts the server again, on the same data and where it was reached before. */
    async restart() {
      const { dataDir } = server;
      serving = await startServer({
        sources: [source],
        dataDir,
        agent: NO_AGENT,
        env,
        args,
        sharesProcess: false,
      });
    },
    /** What an agent has written, without what millrace has noted in between. */
    async written(id: string): Promise<string> {
      return (await story.transcript(id)).replaceAll(/^\[millrace: .*\n/gm, "");
    },
    /** How often an agent of a run has started. */
    starts: (id: string) =>
      agents
        .read("starts")
        .split("\n")
        .filter((line) => line === id).length,
    agentStarted: async (id: string) =>
      (await story.timeline(id)).filter(({ event_type }) => event_type === "agent_started").length,
  };
}
