import { chmodSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { onFinished } from "../../test/given/cleanup.ts";
import { automationWith, FACTORY, TOKEN_WEBHOOK } from "../../test/given/definition.ts";
import { temporaryFolder, writeFiles } from "../../test/given/folder.ts";
import { freePort, listening } from "../../test/given/port.ts";
import { ADMIN_KEY, waitFor } from "../../test/given/server.ts";
import { AMPLE_BUDGETS } from "../../test/given/serving.ts";
import { storyOf } from "../../test/given/story.ts";
import { TOKEN } from "../given/sent.ts";
import { cableName, type Divisible, type Holder, ipIn, layCable, startHolder } from "./namespaces.ts";
import { type FleetNode, startNode } from "./node.ts";
import { openWitnesses, type Witnesses } from "./witnesses.ts";

export const LEASE_MS = 10_000;
/** Of each worker. */
export const CONCURRENCY = 4;
/** The hosts that automations name: a pool of two processes, and a worker that is alone. */
export const HOSTS = ["pool", "solo"] as const;
const HOUR_MS = 3_600_000;
/** `clockMs` is how far the clock of a machine is from that of the server. */
const WORKERS = [
  { name: "pool-1", host: "pool", clockMs: 0 },
  { name: "pool-2", host: "pool", clockMs: -HOUR_MS },
  { name: "solo", host: "solo", clockMs: HOUR_MS },
] as const;

/** How a wire stands; `every` so many requests are hit, and `ms` is the longest delay. */
export interface WireState {
  kind: "pass" | "cut" | "swallow" | "delay" | "lose" | "double";
  every?: number;
  ms?: number;
}

/** A worker, and the wire between it and the server. */
export interface FleetWorker extends FleetNode {
  wire(state: WireState): Promise<void>;
  /** When beats were sent that were answered. */
  beats(): Promise<number[]>;
  /** Pulls the cable out, or puts it in again; nothing where networks cannot be divided. */
  plug: ((isIn: boolean) => void) | undefined;
}

/** A server and three workers, each on a machine of its own as far as a machine can be divided. */
export interface Fleet {
  divisible: Divisible;
  url: string;
  dataDir: string;
  /** The paths of the webhooks whose deliveries start runs, by host. */
  paths: Record<string, string>;
  server: FleetNode;
  workers: FleetWorker[];
  witnesses: Witnesses;
  /** Has the next start of the server give leases of `LEASE_MS`; until then they are as long as they are by default. */
  shortenLease(): void;
  /** A request to the API with the admin key. @throws Error when the answer is not 2xx */
  api<Answer>(method: string, path: string, body?: unknown): Promise<Answer>;
  text(path: string): Promise<string>;
  isReady(): Promise<boolean>;
}

const AGENT = fileURLToPath(new URL("agent.sh", import.meta.url));
const LIVE_AGENT = fileURLToPath(new URL("live-agent.sh", import.meta.url));
const SHIFTED_CLOCK = fileURLToPath(new URL("../../test/given/shifted-clock.cjs", import.meta.url));
const PATIENCE_MS = 20_000;

export async function openFleet(divisible: Divisible): Promise<Fleet> {
  const folder = temporaryFolder("millrace-fleet");
  chmodSync(folder, 0o755);
  const at = (...names: string[]) => join(folder, ...names);
  for (const name of ["server", ...WORKERS.map(({ name }) => name)])
    mkdirSync(at(name, "home"), { recursive: true });
  writeFiles(at("server", "definition"), {
    ...FACTORY,
    ...Object.fromEntries(HOSTS.flatMap(definitionFor)),
  });
  const witnesses = openWitnesses(at("witnesses"));
  /** Settings with the harness of live sessions. */
  const settingsOf = (name: string, more: object = {}) => {
    const harnesses = { live: { command: ["bash", LIVE_AGENT, witnesses.folder, name], stdin: "messages" } };
    writeFileSync(at(name, "millrace.yaml"), JSON.stringify({ harnesses, ...more }));
    return at(name, "millrace.yaml");
  };
  const port = divisible.networks ? 8787 : await freePort();
  const network = await startHolder("entrance.mjs", [at("server", "socket"), String(port)], divisible);
  const url = await outsideOf(at("server", "socket"));
  const dataDir = at("server", "data");
  const server = await startNode({
    name: "server",
    args: ["serve", at("server", "definition"), "--config", settingsOf("server")],
    env: {
      ...AMPLE_BUDGETS,
      HOME: at("server", "home"),
      MILLRACE_LISTEN: `${divisible.networks ? "0.0.0.0" : "127.0.0.1"}:${port}`,
      MILLRACE_DATA_DIR: dataDir,
      MILLRACE_ADMIN_KEY: ADMIN_KEY,
      MILLRACE_DRAIN_TIMEOUT: "1s",
      MILLRACE_SANDBOX: "none",
      MILLRACE_WORKERS: "none",
      MILLRACE_LOG_LEVEL: "warn",
    },
    hidden: [],
    network,
    divisible,
  });
  const client = clientOf(url);
  await waitFor(async () => (await client.isReady()) || undefined, 60);
  const story = storyOf(client);
  await story.setSecret("CI_SECRET", TOKEN);
  await story.sync();
  const paths: Record<string, string> = {};
  for (const host of HOSTS) paths[host] = new URL(await story.urlOf(host)).pathname;

  const tokens = new Map<string, string>();
  for (const host of HOSTS)
    tokens.set(host, (await client.api<{ token: string }>("POST", "/workers", { name: host })).token);
  const workers: FleetWorker[] = [];
  for (const [index, { name, host, clockMs }] of WORKERS.entries()) {
    const link = await startLink(network, { number: index + 1, port, divisible });
    writeFileSync(at(name, "clock"), String(clockMs));
    writeFileSync(at(name, "token"), tokens.get(host) ?? "", { mode: 0o600 });
    const hidden = ["server", ...WORKERS.map((other) => other.name).filter((other) => other !== name)];
    const node = await startNode({
      name,
      args: [
        ...["worker", "--server", `http://127.0.0.1:${link.holder.port}`, "--token-file", at(name, "token")],
        ...["--name", name, "--data-dir", at(name, "data"), "--concurrency", String(CONCURRENCY)],
        ...["--config", settingsOf(name)],
      ],
      env: {
        HOME: at(name, "home"),
        MILLRACE_SANDBOX: "none",
        MILLRACE_DRAIN_TIMEOUT: "1s",
        NODE_OPTIONS: `--require ${SHIFTED_CLOCK}`,
        CLOCK_SHIFT_FILE: at(name, "clock"),
        MILLRACE_AGENT_COMMAND: `bash ${AGENT} ${witnesses.folder} ${name}`,
      },
      hidden: hidden.map((other) => at(other)),
      network: link.holder,
      divisible,
    });
    await waitFor(() => node.said().includes("millrace worker executes runs"), 60);
    if (seesFrom(node, dataDir)) throw new Error(`worker ${name} can see the data folder of the server`);
    workers.push({
      ...node,
      wire: async (state) => void (await link.holder.send({ every: 1, ms: 0, ...state })),
      beats: async () => (await link.holder.send({ kind: "report" })).beats as number[],
      plug: link.plug,
    });
  }
  const shortenLease = () => void settingsOf("server", { workerLease: `${LEASE_MS / 1_000}s` });
  return { divisible, url, dataDir, paths, server, workers, witnesses, shortenLease, ...client };
}

function definitionFor(host: string): [string, string][] {
  const lines = `workerHost: ${host}\ntriggers:\n  - provider: webhook\n    event: received\n    millrace: { webhooks: [${host}] }\n`;
  return [
    [`webhooks/${host}.yaml`, TOKEN_WEBHOOK],
    [`automations/${host}/automation.md`, automationWith(lines)],
  ];
}

async function startLink(
  server: Holder,
  { number, port, divisible }: { number: number; port: number; divisible: Divisible },
) {
  // The address is that of the cable, which is laid once there is a network at its other end.
  const address = divisible.networks ? `10.77.${number}.1` : "127.0.0.1";
  const holder = await startHolder("link.mjs", [address, String(port)], divisible);
  if (!divisible.networks) return { holder, plug: undefined };
  layCable(server, holder, number);
  const plug = (isIn: boolean) => ipIn(server, "link", "set", cableName(number), isIn ? "up" : "down");
  return { holder, plug };
}

/** A port of loopback through which the proof reaches the server. @returns its URL */
async function outsideOf(socketPath: string): Promise<string> {
  const outside = createServer((client) => {
    const inside = connect(socketPath);
    for (const [from, to] of [
      [client, inside],
      [inside, client],
    ] as const) {
      from.on("error", () => to.destroy());
      from.on("close", () => to.destroy());
      from.pipe(to);
    }
  });
  onFinished(() => void outside.close());
  return `http://127.0.0.1:${await listening(outside)}`;
}

function clientOf(url: string) {
  const authorization = `Bearer ${ADMIN_KEY}`;
  const ask = (path: string, init: RequestInit = {}) =>
    fetch(url + path, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) });
  return {
    fetch: ask,
    async api<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
      const answer = await ask(`/api/v1${path}`, {
        method,
        headers: { authorization, "content-type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${text}`);
      return text === "" ? (undefined as Answer) : JSON.parse(text);
    },
    async text(path: string): Promise<string> {
      const answer = await ask(`/api/v1${path}`, { headers: { authorization } });
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
      return answer.text();
    },
    isReady: () =>
      ask("/readyz").then(
        ({ ok }) => ok,
        () => false,
      ),
  };
}

/** Looks for a file with the eyes of a node. */
function seesFrom(node: FleetNode, path: string): boolean {
  const pid = node.main();
  return pid === undefined || existsSync(`/proc/${pid}/root${path}`);
}
