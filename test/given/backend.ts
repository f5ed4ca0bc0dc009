import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onFinished } from "./cleanup.ts";
import { folderWith, temporaryFolder } from "./folder.ts";
import { endAgentsIn, endProcess } from "./processes.ts";
import { MILLRACE, type Server, waitFor } from "./server.ts";
import { aWorker } from "./workers.ts";

/** A program that is called as the backend of a worker. */
export function aProgram(script: string, interpreter: string = process.execPath): string {
  const file = join(folderWith({ program: `#!${interpreter}\n${script}` }), "program");
  chmodSync(file, 0o755);
  return file;
}

/**
 * A backend whose machines are processes here: each executes `millrace worker --once --run`. Files in its folder say what goes
 * wrong: `refuse`, `hold` (the machine stays pending), `useless` (it ends at once) and `slow` (a start does not answer while it is there).
 */
export function aBackend({ token, agent }: { token: string; agent: string }) {
  const folder = temporaryFolder("millrace-backend");
  const at = (name: string) => join(folder, name);
  writeFileSync(at("token"), token, { mode: 0o600 });
  writeFileSync(at("agent.mjs"), agent);
  const environment = {
    ...{ PATH: process.env.PATH, HOME: folder, MILLRACE_SANDBOX: "none" },
    MILLRACE_AGENT_COMMAND: `${process.execPath} ${at("agent.mjs")}`,
  };
  const program = aProgram(
    `
    const { appendFileSync, existsSync, openSync, readFileSync, rmSync, writeFileSync } = require("node:fs");
    const { spawn } = require("node:child_process");
    const at = (name) => ${JSON.stringify(`${folder}/`)} + name;
    const verb = process.argv.at(-1);
    const request = JSON.parse(readFileSync(0, "utf8"));
    const seen = { argv: process.argv.slice(2), env: process.env, request };
    appendFileSync(at("calls"), JSON.stringify(seen) + "\\n");
    const file = at(request.id + ".pid");
    const answer = (body) => console.log(JSON.stringify({ version: 1, ...body }));
    async function main() {
      if (verb === "start") {
        if (existsSync(at("refuse"))) { console.error("No machine is free."); process.exit(1); }
        while (existsSync(at("slow"))) await new Promise((resolve) => setTimeout(resolve, 20));
        if (existsSync(file)) return answer({ handle: readFileSync(file, "utf8") });
        if (existsSync(at("hold"))) { writeFileSync(file, "0"); return answer({ handle: "held" }); }
        const words = [...${JSON.stringify(MILLRACE)}, ...request.command.slice(1)];
        words.push("--token-file", at("token"), "--data-dir", at("data-" + request.id), "--wait", "30s");
        if (existsSync(at("useless"))) words.splice(0, words.length, process.execPath, "-e", "");
        const log = openSync(at(request.id + ".log"), "a");
        const options = { detached: true, stdio: ["ignore", log, log], env: ${JSON.stringify(environment)} };
        const script = 'ended=$1; shift; "$@"; echo $? > "$ended"';
        const child = spawn("sh", ["-c", script, "job", at(request.id + ".exit"), ...words], options);
        writeFileSync(file, String(child.pid));
        child.unref();
        return answer({ handle: String(child.pid) });
      }
      const pid = existsSync(file) ? Number(readFileSync(file, "utf8")) : undefined;
      if (verb === "status") {
        if (pid === undefined) return answer({ state: "unknown" });
        if (pid === 0) return answer({ state: "pending", reason: "The queue is long." });
        return answer({ state: existsSync(at(request.id + ".exit")) ? "succeeded" : "running" });
      }
      if (pid) process.kill(-pid, "SIGTERM");
      rmSync(file, { force: true });
      answer({});
    }
    main();`,
  );
  const calls = (verb?: string) =>
    (existsSync(at("calls")) ? readFileSync(at("calls"), "utf8") : "")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line) as BackendCall)
      .filter(({ argv }) => verb === undefined || argv.at(-1) === verb);
  onFinished(async () => {
    for (const name of readdirSync(folder).filter((each) => each.endsWith(".pid"))) {
      const pid = Number(readFileSync(at(name), "utf8"));
      if (pid > 0) endProcess(-pid);
    }
    for (const name of readdirSync(folder).filter((each) => each.startsWith("data-"))) endAgentsIn(at(name));
  });
  return {
    program,
    folder,
    calls,
    set: (name: string) => writeFileSync(at(name), ""),
    clear: (name: string) => rmSync(at(name), { force: true }),
    /** What the workers of all jobs have written. */
    logs: () =>
      readdirSync(folder)
        .filter((name) => name.endsWith(".log"))
        .map((name) => readFileSync(at(name), "utf8"))
        .join(""),
    called: (verb: string, times = 1) => waitFor(() => calls(verb).length >= times),
  };
}

export interface BackendCall {
  argv: string[];
  env: Record<string, string>;
  request: { id: string; run_id: string; handle?: string; command?: string[] };
}

/** A worker that starts turns with a backend. */
export async function aDispatcher(
  server: Pick<Server, "api" | "url">,
  { token, program, dataDir, concurrency = 2 }: Dispatching,
) {
  return aWorker(server, {
    token,
    ...(dataDir === undefined ? {} : { dataDir }),
    args: ["--concurrency", String(concurrency)],
    env: { MILLRACE_SANDBOX: "command", MILLRACE_SANDBOX_COMMAND: `'${program}'` },
  });
}

interface Dispatching {
  token: string;
  program: string;
  dataDir?: string;
  concurrency?: number;
}

/** The jobs that a worker remembers. */
export function jobsIn(dataDir: string): string[] {
  return readdirSync(join(dataDir, "jobs")).filter((name) => name.endsWith(".json"));
}
