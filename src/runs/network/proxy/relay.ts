import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { connectPrivately } from "../../../platform/private-socket.ts";

/** Passes the connections of one run on. */
export interface Relay {
  close(): void;
}

interface RelayOptions {
  socat: string;
  /** Where both sockets are; names without a character that means something to socat. */
  folder: string;
  /** The socket that programs of the run connect to. */
  from: string;
  /** The socket that its connections lead to. */
  to: string;
  /** What is beyond that waits. */
  maxConnections: number;
}

/** How long it may take to listen, on a machine that is very busy. */
const MAX_START_MS = 30_000;
const BETWEEN_TRIES_MS = 2;

/**
 * Starts a process that stands between programs of a run and their proxy. Whoever has the other end of a unix socket can
 * send descriptors over it, and who reads closes them and may have to wait in that (see `pipeMaker`): then one connection of this
 * run waits, and not the process in which the proxies of all runs are. It ends with the process that has started it.
 * @throws what keeps it from listening
 */
export async function startRelay({ socat, folder, from, to, maxConnections }: RelayOptions): Promise<Relay> {
  const listen = `UNIX-LISTEN:./${from},fork,mode=666,backlog=256,max-children=${maxConnections}`;
  const child = spawn(
    "/bin/sh",
    ["-c", WITH_ITS_STARTER, "sh", socat, "-b", "65536", listen, `UNIX-CONNECT:./${to}`],
    // A path of a socket has little room: the names are those of the folder.
    { cwd: folder, env: {}, stdio: ["pipe", "ignore", "ignore"], detached: true },
  );
  child.stdin.on("error", () => {});
  const ended = once(child, "exit").then(
    ([code]) => `it has ended with code ${code}`,
    (error: Error) => error.message,
  );
  const close = () => child.stdin.destroy();
  let failure: string | undefined;
  void ended.then((why) => {
    failure = why;
  });
  for (const start = performance.now(); performance.now() - start < MAX_START_MS; ) {
    const connected = await connectPrivately(folder, from);
    if (connected) {
      connected.destroy();
      return { close };
    }
    if (failure !== undefined) break;
    await sleep(BETWEEN_TRIES_MS);
  }
  close();
  throw new Error(`socat does not pass connections on: ${failure ?? "it does not listen"}`);
}

/** Whoever has started the shell holds its input open. All of its group ends with that, or with socat. */
const WITH_ITS_STARTER = `("$@" </dev/null; kill -KILL 0) & read -r _; kill -KILL 0`;
