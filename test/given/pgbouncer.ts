import { spawn, spawnSync } from "node:child_process";
import { chownSync } from "node:fs";
import { join } from "node:path";
import { onFinished } from "./cleanup.ts";
import { temporaryFolder } from "./folder.ts";
import { freePort } from "./port.ts";
import { waitFor } from "./server.ts";
import { giveTo, otherUser } from "./start-postgres.ts";

/** Where Debian has it, which a user's PATH may leave out. */
const PATH = `${process.env.PATH}:/usr/sbin`;

/** Whether PgBouncer is installed: `npm run test:postgres` installs it on Debian. */
export const hasPgbouncer = spawnSync("pgbouncer", ["--version"], { env: { PATH } }).status === 0;

export interface Pgbouncer {
  /** The URL of the database through it. */
  url: string;
  /** Ends it at once, with all connections through it. */
  kill(): Promise<void>;
  /** Starts it again at the same port. */
  start(): Promise<void>;
}

/** Starts a PgBouncer before a database. @returns the URL of the database through it */
export async function throughPgbouncer(
  url: string,
  settings: Record<string, string | number>,
): Promise<string> {
  return (await pgbouncerBefore(url, settings)).url;
}

/** Starts a PgBouncer before a database, which can be ended and started again. */
export async function pgbouncerBefore(
  url: string,
  settings: Record<string, string | number>,
): Promise<Pgbouncer> {
  const pooled = new URL(url);
  const folder = temporaryFolder("millrace-pgbouncer");
  const owner = otherUser();
  if (owner) chownSync(folder, owner.uid, owner.gid);
  const port = await freePort();
  const all = {
    ...{ listen_addr: "127.0.0.1", listen_port: port, unix_socket_dir: "" },
    ...{ auth_type: "trust", auth_file: join(folder, "users"), max_client_conn: 200 },
    ...settings,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const ini = `[databases]\n* = host=${pooled.hostname} port=${pooled.port}\n[pgbouncer]\n${lines.join("\n")}\n`;
  giveTo(owner, join(folder, "users"), `"${pooled.username}" ""\n`);
  giveTo(owner, join(folder, "pgbouncer.ini"), ini);
  pooled.port = String(port);
  let kill = async () => {};
  const start = async () => {
    const program = spawn("pgbouncer", [join(folder, "pgbouncer.ini")], {
      ...owner,
      cwd: folder,
      env: { PATH },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    program.stderr.on("data", (piece) => {
      said += piece;
    });
    const ended = new Promise((resolve) => program.once("exit", resolve));
    kill = async () => {
      program.kill("SIGKILL");
      await ended;
    };
    await waitFor(() => {
      if (program.exitCode !== null) throw new Error(`PgBouncer ended: ${said}`);
      return said.includes("process up");
    });
  };
  onFinished(() => kill());
  await start();
  return { url: pooled.href, kill: () => kill(), start };
}
