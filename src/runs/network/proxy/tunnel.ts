import { isIP, type Socket } from "node:net";
import { hostName } from "../../../network/allow-entry.ts";
import type { Target } from "../network-guard.ts";
import { type HelloName, readHelloName } from "./client-hello.ts";

/** How long one side may say nothing when the other one has ended. */
const HALF_OPEN_MS = 60_000;

/**
 * Passes bytes on between a program and the target of its connection. A program that speaks TLS has to ask for the host that
 * its connection is for: behind one address there are often several.
 * @param head what the program has sent already
 * @param onMismatch is told when it asks for another host, and the connection ends
 */
export function joinSockets(
  client: Socket,
  server: Socket,
  target: Target,
  { head, onMismatch }: { head: Buffer; onMismatch(): void },
): void {
  for (const [one, other] of [
    [client, server],
    [server, client],
  ] as const) {
    one.on("error", () => other.destroy());
    one.once("close", () => other.destroy());
    one.once("end", () => other.setTimeout(HALF_OPEN_MS, () => other.destroy()));
  }
  if (client.destroyed) return void server.destroy();
  server.pipe(client);
  if (isIP(target.host) !== 0) {
    passOn(head);
    return;
  }
  let first = head;
  const hear = (bytes: Buffer) => {
    first = Buffer.concat([first, bytes]);
    decide();
  };
  client.on("data", hear);
  // Whoever has read the request has paused it.
  client.resume();
  decide();

  function decide(): void {
    const found = readHelloName(first);
    if (found === "incomplete") return;
    client.off("data", hear);
    client.pause();
    if (isFor(found, target)) {
      passOn(first);
      return;
    }
    onMismatch();
    client.destroy();
    server.destroy();
  }

  function passOn(bytes: Buffer): void {
    if (bytes.length > 0) server.write(bytes);
    client.pipe(server);
  }
}

function isFor(found: Exclude<HelloName, "incomplete">, { host }: Target): boolean {
  return found === "other protocol" || (found.name !== undefined && hostName(found.name) === host);
}
