import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { onFinished } from "./cleanup.ts";
import { temporaryFolder } from "./folder.ts";
import { endAgentsIn } from "./processes.ts";
import { ADMIN_KEY, MILLRACE, waitFor } from "./server.ts";

/** Listens on a port of the loopback, and leaves the socket open, as descriptor 3, for what is started next. */
const LISTEN = `
use Socket; use POSIX (); $^F = 9; $| = 1;
socket(my $socket, PF_INET, SOCK_STREAM, 0) or die $!;
bind($socket, sockaddr_in(0, INADDR_LOOPBACK)) or die $!;
listen($socket, 4096) or die $!;
my ($port) = sockaddr_in(getsockname($socket));
print "$port\\n";
POSIX::dup2(fileno($socket), 3);
exec @ARGV;`;

/** Starts a server whenever there is none, as a service manager does. */
const KEEP_STARTING = `while sh -c 'echo $$ > "$PID_FILE"; LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"' server "$@"; do :; done`;

interface Startup {
  /** What each process is started with, for a tracer. */
  wrapper?: string[];
  /** Called as soon as the socket takes connections, before the first process of the server runs. */
  onSocket?(url: string): void;
}

/** A server on a socket that stays open while one process of it takes the place of another. */
export async function managedService(
  source: string,
  settings: Record<string, string> = {},
  { wrapper = [], onSocket }: Startup = {},
) {
  const folder = temporaryFolder();
  const pidFile = join(folder, "pid");
  const dataDir = join(folder, "data");
  const serve = [...wrapper, ...MILLRACE, "serve", source];
  const manager = spawn("perl", ["-e", LISTEN, "sh", "-c", KEEP_STARTING, "manager", ...serve], {
    env: {
      PATH: process.env.PATH,
      PID_FILE: pidFile,
      MILLRACE_DATA_DIR: dataDir,
      MILLRACE_ADMIN_KEY: ADMIN_KEY,
      MILLRACE_AGENT_COMMAND: "sleep 30",
      MILLRACE_SANDBOX: "none",
      MILLRACE_DRAIN_TIMEOUT: "1s",
      MILLRACE_DELIVERIES_PER_MINUTE: "1000000",
      ...settings,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  for (const stream of [manager.stdout, manager.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      printed += chunk;
    });
  }
  const pid = () => (existsSync(pidFile) ? Number(readFileSync(pidFile, "utf8")) : 0);
  onFinished(() => {
    manager.kill("SIGKILL");
    if (pid() > 0) process.kill(pid(), "SIGKILL");
    endAgentsIn(dataDir);
  });
  const port = await waitFor(() => /^(\d+)$/m.exec(printed)?.[1]);
  const url = `http://127.0.0.1:${port}`;
  onSocket?.(url);
  const starts = () => printed.split("millrace serves ").length - 1;
  await waitFor(() => starts() > 0);
  return {
    url,
    log: () => printed,
    fetch: (path: string, init?: RequestInit) => fetch(url + path, init),
    async api<Answer>(method: string, path: string, body?: object): Promise<Answer> {
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as Answer;
    },
    /** Asks the process to stop, and waits until the next one answers. */
    async replace(): Promise<void> {
      const before = starts();
      process.kill(pid(), "SIGTERM");
      await waitFor(() => starts() > before);
    },
  };
}
