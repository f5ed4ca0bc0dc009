import { spawnSync } from "node:child_process";
import { chownSync, mkdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

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
