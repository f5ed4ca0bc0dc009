import { spawn, spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { join } from "node:path";
import pg from "pg";

const { findPostgresPrograms } = createRequire(import.meta.url)("../../scripts/postgres-programs.cjs");

/** All servers on one database need the same key. */
const MASTER_KEY = "a-master-key-for-benchmarks-that-is-long-enough";
/** PostgreSQL does not run as root. */
const ROOTLESS_USER = "postgres";

/**
 * Starts a cluster of PostgreSQL as it is installed: each commit is on the disk before it is answered.
 * @returns `database(name)`, which creates one, and resolves with what gives it to a server
 */
export async function startPostgres(folder) {
  const programs = findPostgresPrograms();
  if (!programs) {
    console.error(
      "This benchmark needs PostgreSQL. Install it, for example: sudo apt-get install postgresql",
    );
    process.exit(2);
  }
  const owner = rootlessUser();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const options = { ...owner, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C" } };
  const data = join(folder, "data");
  const made = spawnSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "bench", "-A", "trust", "-E", "UTF8", "--locale=C"],
    options,
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error ?? ""}`);
  const port = await freePort();
  const settings = { port, listen_addresses: "127.0.0.1", unix_socket_directories: "", max_wal_size: "4GB" };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const server = spawn(join(programs, "postgres"), ["-D", data, ...args], {
    ...options,
    stdio: ["ignore", "ignore", "pipe"],
  });
  // Ends all sessions at once, before its folder is removed; SIGKILL would leave its processes.
  process.prependListener("exit", () => server.kill("SIGQUIT"));
  await new Promise((resolve, reject) => {
    let said = "";
    server.stderr.on("data", (piece) => {
      said += piece;
      if (said.includes("ready to accept connections")) resolve();
    });
    server.once("exit", () => reject(new Error(`PostgreSQL did not start: ${said}`)));
  });
  const urlOf = (name, at = port) => `postgres://bench@127.0.0.1:${at}/${name}`;
  const names = [];
  async function query(name, statement) {
    const client = new pg.Client(urlOf(name));
    await client.connect();
    await client.query(statement(client));
    await client.end();
  }
  /** @param at the port of something in front of PostgreSQL */
  async function database(name, { at = port } = {}) {
    await query("postgres", (client) => `CREATE DATABASE ${client.escapeIdentifier(name)}`);
    names.push(name);
    return { MILLRACE_DATABASE_URL: urlOf(name, at), MILLRACE_MASTER_KEY: MASTER_KEY };
  }
  /** Tells the planner how many rows there are now, in every database. */
  async function analyze() {
    for (const name of names) await query(name, () => "ANALYZE");
  }
  return { port, database, analyze };
}

function rootlessUser() {
  if (process.getuid?.() !== 0) return undefined;
  const idOf = (flag) => Number(spawnSync("id", [flag, ROOTLESS_USER], { encoding: "utf8" }).stdout);
  return { uid: idOf("-u"), gid: idOf("-g") };
}

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
