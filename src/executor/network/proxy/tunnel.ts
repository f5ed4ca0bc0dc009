import { isIP, type Socket } from "node:net";
import { hostName } from "../../../network/allow-entry.ts";
import type { Target } from "../../../runs/turn/network-guard.ts";
import { asksForSecondHello, readHelloName, readSecondHelloName } from "./client-hello.ts";

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
  const passOn = (bytes: Buffer) => {
    if (bytes.length > 0) server.write(bytes);
    client.pipe(server);
  };
  if (isIP(target.host) !== 0) return void passOn(head);
  const refuse = () => {
    onMismatch();
    client.destroy();
    server.destroy();
  };
  checkFront({ client, server, host: target.host, head, passOn, refuse });
}

interface Front {
  client: Socket;
  server: Socket;
  host: string;
  head: Buffer;
  /** Passes on what is not checked any more. */
  passOn(rest: Buffer): void;
  refuse(): void;
}

/** Checks what a program begins with. A server of TLS may ask it to greet again, and then takes the name of the second greeting. */
function checkFront({ client, server, host, head, passOn, refuse }: Front): void {
  let [held, said] = [head, Buffer.alloc(0)];
  let check = checkGreeting;
  const hear = (bytes: Buffer) => {
    held = Buffer.concat([held, bytes]);
    if (held.length > MAX_HELD_BYTES) client.pause();
    check();
  };
  const hearServer = (bytes: Buffer) => {
    said = Buffer.concat([said, bytes]);
    check();
  };
  const hearEnd = () => check();
  client.on("data", hear);
  for (const socket of [client, server]) socket.on("end", hearEnd);
  // Whoever has read the request has paused it.
  client.resume();
  check();

  function settle(by: (rest: Buffer) => void): void {
    client.off("data", hear);
    server.off("data", hearServer);
    for (const socket of [client, server]) socket.off("end", hearEnd);
    client.pause();
    by(held);
  }

  function checkGreeting(): void {
    const found = readHelloName(held);
    if (found === "incomplete" && !client.readableEnded) return;
    if (found === "other protocol" || held.length === 0) return void settle(passOn);
    if (found === "incomplete" || found.name === undefined || !isFor(found.name)) return void settle(refuse);
    server.write(held.subarray(0, found.end));
    held = held.subarray(found.end);
    check = checkAnswer;
    server.on("data", hearServer);
  }

  function checkAnswer(): void {
    const asks = asksForSecondHello(said);
    if (asks === "incomplete" && !server.readableEnded) return;
    if (asks !== true) return void settle(passOn);
    check = checkSecondGreeting;
    client.resume();
    check();
  }

  function checkSecondGreeting(): void {
    const found = readSecondHelloName(held);
    if (found === "incomplete" && !client.readableEnded) return;
    const isRight = typeof found === "object" && found.name !== undefined && isFor(found.name);
    settle(isRight ? passOn : refuse);
  }

  function isFor(name: string): boolean {
    return hostName(name) === host;
  }
}

/** A program can say more before its server has answered. It waits when that is much. */
const MAX_HELD_BYTES = 64 * 1024;
