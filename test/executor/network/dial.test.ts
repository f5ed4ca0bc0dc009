import { spawn } from "node:child_process";
import dns from "node:dns";
import { once } from "node:events";
import { connect, createServer } from "node:net";
import { createInterface } from "node:readline";
import { afterEach, expect, test, vi } from "vitest";
import { dial } from "../../../src/executor/network/proxy/connector.ts";
import { resolveHost } from "../../../src/outbound/address-rules.ts";
import { networkGuard } from "../../../src/runs/turn/network-guard.ts";
import { onFinished } from "../../given/cleanup.ts";
import { listening } from "../../given/port.ts";

const NAME = "many.example";

/** A program that listens and takes no connection: when two wait for it, whoever connects hears nothing, as on a dead route. */
const TAKES_NOTHING = `
  const { writeSync } = require("node:fs");
  const [port, ...addresses] = process.argv.slice(1);
  let left = addresses.length;
  for (const host of addresses)
    require("node:net").createServer().listen({ host, port, backlog: 1 }, () => {
      if (--left > 0) return;
      writeSync(1, "listens\\n");
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;

async function deadAddresses(addresses: string[], port: number): Promise<void> {
  const program = spawn(process.execPath, ["-e", TAKES_NOTHING, String(port), ...addresses], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onFinished(() => void program.kill("SIGKILL"));
  await once(createInterface({ input: program.stdout }), "line");
  for (const host of addresses)
    for (let waiting = 0; waiting < 2; waiting += 1) {
      const socket = connect({ host, port });
      socket.on("error", () => {});
      onFinished(() => void socket.destroy());
      await once(socket, "connect");
    }
}

function resolvesTo(addresses: string[]): void {
  const found = addresses.map((address) => ({ address, family: 4 }));
  vi.spyOn(dns, "lookup").mockImplementation(((_: string, __: object, done: (...said: unknown[]) => void) =>
    done(null, found)) as unknown as typeof dns.lookup);
}

afterEach(() => vi.restoreAllMocks());

const guardOf = (port: number) => networkGuard({ allow: [[`${NAME}:${port}`, `127.0.0.0/8:${port}`]] });

test("a host is reached at its last address when the routes to all others are dead", async () => {
  const server = createServer((socket) => socket.on("error", () => {}).end("answered"));
  onFinished(() => void server.close());
  const port = await listening(server);
  const dead = ["127.0.0.2", "127.0.0.3", "127.0.0.4", "127.0.0.5"];
  await deadAddresses(dead, port);
  resolvesTo([...dead, "127.0.0.1"]);
  const socket = await dial({ host: NAME, port }, { guard: guardOf(port), resolve: resolveHost });
  const [said] = await once(socket, "data");
  expect([String(said), socket.remoteAddress]).toEqual(["answered", "127.0.0.1"]);
  socket.destroy();
});

test("a name is looked up once: what was checked is what is connected to", async () => {
  const server = createServer((socket) => socket.on("error", () => {}).end("answered"));
  onFinished(() => void server.close());
  const port = await listening(server);
  resolvesTo(["127.0.0.1"]);
  (await dial({ host: NAME, port }, { guard: guardOf(port), resolve: resolveHost })).destroy();
  expect(dns.lookup).toHaveBeenCalledTimes(1);
});

test("a host without an address that answers is unreachable", async () => {
  const server = createServer();
  const port = await listening(server);
  await new Promise((resolve) => server.close(resolve));
  resolvesTo(["127.0.0.1", "127.0.0.2"]);
  await expect(
    dial({ host: NAME, port }, { guard: guardOf(port), resolve: resolveHost }),
  ).rejects.toMatchObject({ reason: "unreachable" });
});
