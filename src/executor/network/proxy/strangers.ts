import type { Socket } from "node:net";

/** Connections of which it is not known yet whether they come from the program that a server is for. */
export interface Strangers {
  /** Closes the connection in a while, or sooner where many others come. */
  add(client: Socket): void;
  /** The connection has shown that it comes from the program. */
  admit(client: Socket): void;
}

const MAX_STRANGERS = 128;
/** For a program that is busy between connecting and asking. */
const PATIENCE_MS = 10_000;

/** Whoever connects without asking for anything must not keep the program itself from connecting. */
export function createStrangers(): Strangers {
  const waiting = new Map<Socket, NodeJS.Timeout>();
  const forget = (client: Socket) => {
    clearTimeout(waiting.get(client));
    waiting.delete(client);
  };
  return {
    add(client) {
      const [oldest] = waiting.keys();
      if (waiting.size >= MAX_STRANGERS && oldest) {
        forget(oldest);
        oldest.destroy();
      }
      waiting.set(client, setTimeout(() => client.destroy(), PATIENCE_MS).unref());
      client.once("close", () => forget(client));
    },
    admit: forget,
  };
}
