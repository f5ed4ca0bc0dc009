import { randomInt } from "node:crypto";
import { createServer, type Server } from "node:net";

/** Lets a server listen on a port of loopback that is its own. @returns the port */
export async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as { port: number }).port;
}

/** Below the ports that Linux and macOS give to whoever asks for any, and above those of common services. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_000;

/** A port of loopback that nothing listens on now, and that nobody gets who asks for any port before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST_PORT, LAST_PORT);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const isFree = await new Promise<boolean>((resolve) => {
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => resolve(true));
  });
  await new Promise((resolve) => server.close(resolve));
  return isFree;
}
