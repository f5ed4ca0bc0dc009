import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { onFinished } from "../../test/given/cleanup.ts";
import { temporaryFolder } from "../../test/given/folder.ts";
import { freePort } from "../../test/given/port.ts";
import { waitFor } from "../../test/given/server.ts";
import {
  createCluster,
  type PostgresOptions,
  postgresFolder,
  postgresPrograms,
} from "../../test/given/start-postgres.ts";
import type { Divisible, Holder } from "../workers/namespaces.ts";

export const DATABASE = "millrace";
const START_SECONDS = 60;

/** The network that PostgreSQL is in. */
export interface Place {
  network: Holder;
  divisible: Divisible;
  /** What every PostgreSQL there has said, piece by piece. */
  said: string[];
}

/** A PostgreSQL whose commits are on its disk, in a network that cables to all servers lead to. */
export interface Postgres {
  options: PostgresOptions;
  data: string;
  port: number;
  /** Where the proof reaches it. */
  socketFolder: string;
  start(): Promise<void>;
  /** Ends it without a checkpoint and without a goodbye to its clients, as a crash does. */
  crash(): Promise<void>;
  query<Row>(sql: string): Promise<Row[]>;
}

/** Creates a cluster with an empty database, and starts it. */
export async function openPostgres(place: Place): Promise<Postgres> {
  const folder = temporaryFolder("millrace-postgres");
  const options = postgresFolder(folder);
  const data = join(folder, "data");
  createCluster(data, options);
  appendFileSync(join(data, "pg_hba.conf"), "host all all 10.77.0.0/16 trust\n");
  const postgres = await postgresAt(data, options, place);
  await postgres.start();
  await postgres.query(`CREATE DATABASE ${DATABASE}`);
  return postgres;
}

/** What starts and ends the PostgreSQL of a data folder that is there. */
export async function postgresAt(
  data: string,
  options: PostgresOptions,
  { network, divisible, said }: Place,
): Promise<Postgres> {
  const port = await freePort();
  const socketFolder = options.cwd;
  let process: ChildProcess | undefined;

  async function query<Row>(sql: string): Promise<Row[]> {
    // Servers refuse a standby, which has to be asked here.
    const client = new pg.Client({ host: socketFolder, port, user: "millrace", database: "postgres" });
    client.on("error", () => {});
    try {
      await client.connect();
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end().catch(() => {});
    }
  }

  async function crash(): Promise<void> {
    const child = process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGQUIT");
    await ended;
  }

  onFinished(crash);
  return {
    ...{ options, data, port, socketFolder, query, crash },
    async start() {
      const listen = divisible.networks ? "*" : "127.0.0.1";
      const settings = {
        ...{ port, listen_addresses: listen, unix_socket_directories: socketFolder },
        ...{ max_connections: 200, shared_buffers: "64MB" },
      };
      const { owner, ...rest } = options;
      const words = [
        ...(divisible.networks ? ["nsenter", "-t", String(network.pid), "-n"] : []),
        ...(owner ? ["setpriv", `--reuid=${owner.uid}`, `--regid=${owner.gid}`, "--clear-groups"] : []),
        ...[join(postgresPrograms(), "postgres"), "-D", data],
        ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      ];
      const [command = "", ...args] = words;
      const child = spawn(command, args, { ...rest, stdio: ["ignore", "ignore", "pipe"] });
      process = child;
      child.stderr.on("data", (piece) => void said.push(String(piece)));
      await waitFor(async () => {
        if (child.exitCode !== null) throw new Error(`PostgreSQL did not start: ${said.slice(-20).join("")}`);
        return (
          (await query("SELECT 1").then(
            () => true,
            () => false,
          )) || undefined
        );
      }, START_SECONDS);
    },
  };
}
