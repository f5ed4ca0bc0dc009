import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { openServerDatabase } from "../../src/admin/open-server-database.ts";
import { newUid } from "../../src/id.ts";
import type { ProcessFacts } from "../../src/workers/worker.ts";
import { openWorkers } from "../../src/workers/workers.ts";
import { serverWithAgent } from "./agent.ts";
import { onFinished } from "./cleanup.ts";
import { folderWith, temporaryFolder } from "./folder.ts";
import { freePort } from "./port.ts";
import { postgresEnvironment } from "./postgres.ts";
import { endAgentsIn } from "./processes.ts";
import { MILLRACE, type Server, startServer, waitFor } from "./server.ts";

/** What a process reports of itself. */
export function someFacts(changes: Partial<ProcessFacts> = {}): ProcessFacts {
  return {
    labels: [],
    version: "1.2.3",
    platform: { os: "linux", arch: "x86_64" },
    shape: { vcpus: 4, memoryGb: 16 },
    sandbox: "bwrap",
    concurrency: 4,
    executing: 1,
    ...changes,
  };
}

/** Has the store of a server hold a process that was seen just now, as when one has connected with this token. */
export async function seenProcess(
  { dataDir }: Server,
  token: string,
  { uid = newUid(), at = new Date(), ...facts }: Partial<ProcessFacts> & { uid?: string; at?: Date } = {},
): Promise<void> {
  const { MILLRACE_DATABASE_URL: databaseUrl } = await postgresEnvironment(dataDir);
  const beside = await openServerDatabase({ dataDir, databaseUrl });
  try {
    await beside.transact(async ({ workers }) => {
      const registry = await openWorkers({ store: workers, now: () => at });
      const worker = await registry.authenticate(`Bearer ${token}`);
      if (!worker) throw new Error("no worker has this token");
      await registry.seen(worker, uid, someFacts(facts));
    });
  } finally {
    beside.close();
  }
}

export interface WorkerChoices {
  /** Its name: that of a pool, where several have it. */
  name?: string;
  labels?: string[];
  factories?: string[];
  /** The token of a worker that is there already. */
  token?: string;
  /** The agent's program as JavaScript. */
  agent?: string;
  args?: string[];
  env?: Record<string, string>;
  dataDir?: string;
  /** Where it reaches the server, when that is somewhere else. */
  reachesAt?: string;
}

/** A process that executes the runs of a server: it has an empty home, and knows nothing of the server but its URL. */
export async function aWorker(server: Pick<Server, "api" | "url">, choices: WorkerChoices = {}) {
  const { name = "builder", labels, factories } = choices;
  const token =
    choices.token ??
    (await server.api<{ token: string }>("POST", "/workers", { name, labels, factories })).token;
  const dataDir = choices.dataDir ?? join(temporaryFolder("millrace-worker"), "data");
  const files = folderWith({ token, "agent.mjs": choices.agent ?? "process.exit(0)" });
  chmodSync(files, 0o755);
  chmodSync(join(files, "agent.mjs"), 0o644);
  writeFileSync(join(files, "token"), token, { mode: 0o600 });
  const [command = "", ...words] = MILLRACE;
  const child = spawn(
    command,
    [
      ...words,
      ...["worker", "--server", choices.reachesAt ?? server.url, "--token-file", join(files, "token")],
      ...["--data-dir", dataDir, "--concurrency", "2", ...(choices.args ?? [])],
    ],
    {
      env: {
        PATH: process.env.PATH,
        HOME: temporaryFolder("millrace-home"),
        MILLRACE_SANDBOX: "none",
        MILLRACE_DRAIN_TIMEOUT: "1s",
        MILLRACE_AGENT_COMMAND: `${process.execPath} ${join(files, "agent.mjs")}`,
        ...choices.env,
      },
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  let output = "";
  const hear = (chunk: Buffer) => {
    output += chunk;
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  onFinished(async () => {
    await ended(child, "SIGKILL");
    endAgentsIn(dataDir);
  });
  await waitFor(() => {
    if (child.exitCode !== null) throw new Error(`the worker ended with ${child.exitCode}: ${output}`);
    return output.includes("millrace worker executes runs") || undefined;
  });
  return {
    token,
    dataDir,
    pid: child.pid ?? 0,
    said: () => output,
    exitCode: () => child.exitCode,
    stop: () => ended(child, "SIGTERM"),
    kill: () => ended(child, "SIGKILL"),
    signal: (signal: NodeJS.Signals) => child.kill(signal),
  };
}

function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve) => {
    child.once("exit", (code) => resolve(code));
    child.kill(signal);
  });
}

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

export interface WireTurn {
  run: { id: string; prompt: string };
  ticket: number;
  secrets: [string, string][];
  isElsewhere?: boolean;
  runToken: string;
}

interface DoorClientChoices {
  name?: string;
  factories?: string[];
  /** The token of a worker that is there already. */
  token?: string;
  /** What it reports of itself. */
  facts?: Partial<ProcessFacts>;
}
export type Client = Awaited<ReturnType<typeof doorClient>>;

/** Speaks the protocol of workers by hand, as a worker that may be hostile. */
export async function doorClient(
  server: Pick<Server, "api" | "fetch">,
  { name = "builder", factories, token, facts: own = {} }: DoorClientChoices = {},
) {
  const made =
    token === undefined
      ? await server.api<{ id: string; token: string }>("POST", "/workers", { name, factories })
      : { id: "", token };
  const process = `p-${randomUUID()}`;
  const post = async (path: string, body: object, as = made.token) => {
    const answer = await fetch(`${base(server)}/api/v1/workers/door/${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${as}`, "content-type": "application/json" },
      body: JSON.stringify({ protocol: 1, process, ...body }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  const facts = someFacts({ labels: [], ...own });
  return {
    ...made,
    process,
    post,
    /** Takes turns, as many as there are, and waits for one. */
    async claim(free = 1, waitMs = 5_000, claim: string = randomUUID()): Promise<WireTurn[]> {
      const { body } = await post("claim", { claim, facts, free, waitMs });
      return (body.turns ?? []) as WireTurn[];
    },
    beat: (turns: object[], more: object = {}) =>
      post("beat", { facts, turns, isDraining: false, waitMs: 0, ...more }),
    call: (turn: { id: string; ticket: number }, call: string, parameters: object = {}) =>
      post("call", { turn, call, parameters }),
    upload: (turn: { id: string; ticket: number }, file: string, bytes: string) =>
      fetch(
        `${base(server)}/api/v1/workers/door/files/${turn.id}/${turn.ticket}/${file}?process=${process}`,
        {
          method: "PUT",
          headers: { authorization: `Bearer ${made.token}` },
          body: bytes,
        },
      ),
  };
}

const base = (server: object) => (server as Server).url;

type Known = { id: string; turn: number; state: string; reason?: string; isGivenUp?: boolean };

export interface Answer {
  isDraining: boolean;
  turns: unknown[];
  offers: { offers: { id: string; turn: number }[]; known: Known[] };
}

const facts = someFacts({ sandbox: "command", platform: null, shape: null });

/** Asks for offers as a process that starts runs elsewhere. */
export async function offers(
  client: Client,
  known: Known[] = [],
  { free = 5, waitMs = 0, isDraining = false } = {},
) {
  const request = { claim: randomUUID(), facts, free: 0, waitMs, offers: { free, known, isDraining } };
  const { status, body } = await client.post("claim", request);
  expect(status).toBe(200);
  return body as unknown as Answer;
}

export const idsOf = (answer: Answer) => answer.offers.offers.map(({ id }) => id);

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
