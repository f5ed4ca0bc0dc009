import { join } from "node:path";
import { waitFor } from "../../test/given/server.ts";
import { AMPLE_BUDGETS } from "../../test/given/serving.ts";
import { ADMIN_KEY } from "../given/sent.ts";
import { LEASE_MS } from "../workers/fleet.ts";
import { agentSettings, settingsFile, shiftedClock, startLink } from "../workers/fleet-worker.ts";
import type { Divisible, Holder } from "../workers/namespaces.ts";
import { type FleetNode, startNode } from "../workers/node.ts";
import { clientOf, type SiteClient } from "../workers/site.ts";
import type { Witnesses } from "../workers/witnesses.ts";
import { DATABASE, type Postgres } from "./postgres.ts";

/** Of each server. */
export const SERVER_CONCURRENCY = 3;
const MASTER_KEY = "a-master-key-of-the-proof-that-is-long-enough";
/** The balancer sends a request with it to one server, whether that is well or not. */
export const NAMED_SERVER = "x-proof-server";
const READY_SECONDS = 90;

/** One of several servers, and the wire between it and the database. */
export interface ServerNode extends FleetNode, SiteClient {
  /** From 1. */
  number: number;
  wire(state: { kind: "pass" | "cut" | "swallow" }): Promise<void>;
  /** Where it finds the database from now on. */
  move(port: number): Promise<void>;
  /** Pulls the cable out, or puts it in again; nothing where networks cannot be divided. */
  plug: ((isIn: boolean) => void) | undefined;
  /** A request to it past the choice of the balancer. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** Waits until it is ready to serve. */
  ready(): Promise<void>;
}

export interface ServerNodeOptions {
  number: number;
  /** The number of its cable. */
  cable: number;
  /** The URL of its definition. */
  source: string;
  /** A folder of its own, with a folder `home`. */
  folder: string;
  hidden: string[];
  /** How far the clock of its machine is from that of the database. */
  clockMs: number;
  /** Where it listens. */
  port: number;
  /** The network that its cable leads to. */
  network: Holder;
  postgres: Postgres;
  /** The URL of the balancer. */
  url: string;
  witnesses: Witnesses;
  divisible: Divisible;
}

/** Starts a server on a machine of its own, with a database that it reaches through a wire. */
export async function startServerNode(options: ServerNodeOptions): Promise<ServerNode> {
  const { number, folder, witnesses, divisible, hidden, network, postgres } = options;
  const name = serverName(number);
  const link = await startLink("../servers/database-link.mjs", {
    ...{ number: options.cable, network, port: postgres.port, divisible },
  });
  const node = await startNode({
    name,
    args: ["serve", options.source, "--config", settingsFile(folder, name, witnesses)],
    env: {
      ...AMPLE_BUDGETS,
      HOME: join(folder, "home"),
      MILLRACE_LISTEN: `${divisible.networks ? "0.0.0.0" : "127.0.0.1"}:${options.port}`,
      MILLRACE_DATA_DIR: join(folder, "data"),
      MILLRACE_DATABASE_URL: `postgres://millrace@127.0.0.1:${link.holder.port}/${DATABASE}`,
      MILLRACE_MASTER_KEY: MASTER_KEY,
      MILLRACE_ADMIN_KEY: ADMIN_KEY,
      MILLRACE_DRAIN_TIMEOUT: "1s",
      MILLRACE_RUN_CONCURRENCY: String(SERVER_CONCURRENCY),
      MILLRACE_WORKER_LEASE: `${LEASE_MS / 1_000}s`,
      MILLRACE_LOG_LEVEL: "warn",
      ...shiftedClock(folder, options.clockMs),
      ...agentSettings(name, witnesses),
    },
    hidden,
    network: link.holder,
    divisible,
  });
  const client = clientOf(options.url, { [NAMED_SERVER]: String(number) });
  return {
    ...node,
    ...client,
    number,
    wire: async (state) => void (await link.holder.send(state)),
    move: async (port) => void (await link.holder.send({ port })),
    plug: link.plug,
    ready: async () => void (await waitFor(async () => (await client.isReady()) || undefined, READY_SECONDS)),
  };
}

/** What a server is called in records of what was done. */
export function serverName(number: number): string {
  return `server-${number}`;
}
