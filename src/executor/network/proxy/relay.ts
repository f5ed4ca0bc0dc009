import { spawn } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connectPrivately } from "../../../platform/private-socket.ts";

/** Passes the connections of one run on. */
export interface Relay {
  /** The socket that programs of the run connect to: its name in the folder. It may be given another one. */
  from: string;
  /** The socket that their connections lead to. */
  to: string;
  close(): void;
}

interface RelayPlace {
  socat: string;
  /** Where both sockets are. */
  folder: string;
}

/** @throws what keeps it from listening */
export type TakeRelay = (place: RelayPlace) => Promise<Relay>;

/** What is beyond that waits. */
export const MAX_CONNECTIONS = 512;
/** Runs often come in pairs. Each that waits takes about a megabyte. */
const SPARES = 2;
/** By then, the program that has taken one has begun. */
const REFILL_MS = 100;

/** Has relays listen before they are needed, from the first one on: a run does not wait until its own does. */
export function relayKeeper(): TakeRelay {
  const spares: { place: RelayPlace; starting: Promise<StartedRelay> }[] = [];
  let timer: NodeJS.Timeout | undefined;

  function refill(place: RelayPlace): void {
    timer = undefined;
    while (spares.length < SPARES) {
      const starting = startRelay(place);
      // Whoever takes it starts another one, and hears why there is none.
      starting.catch(() => {});
      spares.push({ place, starting });
    }
  }

  return async (place) => {
    if (!timer) timer = setTimeout(() => refill(place), REFILL_MS).unref();
    for (let spare = spares.shift(); spare; spare = spares.shift()) {
      const relay = await spare.starting.catch(() => undefined);
      const isFit = spare.place.socat === place.socat && spare.place.folder === place.folder;
      if (relay && isFit && !relay.hasEnded()) return relay;
      relay?.close();
    }
    return startRelay(place);
  };
}

export interface StartedRelay extends Relay {
  hasEnded(): boolean;
}

let started = 0;

/** How long it may take to listen, on a machine that is very busy. */
const MAX_START_MS = 30_000;
const BETWEEN_TRIES_MS = 2;

/**
 * Starts a process that stands between programs of a run and their proxy. Whoever has the other end of a unix socket can
 * send descriptors over it, and who reads closes them and may have to wait in that (see `pipeMaker`): then one connection of this
 * run waits, and not the process in which the proxies of all runs are. It ends with the process that has started it. Nothing comes
 * through it before somebody listens where it leads to.
 * @throws what keeps it from listening
 */
export async function startRelay({ socat, folder }: RelayPlace): Promise<StartedRelay> {
  started += 1;
  // Without a character that means something to socat. What a process that has ended has left there is no one's.
  const [from, to] = [`relay-${started}.sock`, `relay-${started}.to.sock`];
  const remove = () => {
    for (const name of [from, to]) rmSync(join(folder, name), { force: true });
  };
  remove();
  const listen = `UNIX-LISTEN:./${from},fork,mode=666,backlog=256,max-children=${MAX_CONNECTIONS}`;
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
  const close = () => {
    child.stdin.destroy();
    remove();
  };
  let failure: string | undefined;
  void ended.then((why) => {
    failure = why;
  });
  for (const start = performance.now(); performance.now() - start < MAX_START_MS; ) {
    const connected = await connectPrivately(folder, from);
    if (connected) {
      connected.destroy();
      return { from, to, close, hasEnded: () => failure !== undefined };
    }
    if (failure !== undefined) break;
    await sleep(BETWEEN_TRIES_MS);
  }
  close();
  throw new Error(`socat does not pass connections on: ${failure ?? "it does not listen"}`);
}

/** Whoever has started the shell holds its input open. All of its group ends with that, or with socat. */
const WITH_ITS_STARTER = `("$@" </dev/null; kill -KILL 0) & read -r _; kill -KILL 0`;
