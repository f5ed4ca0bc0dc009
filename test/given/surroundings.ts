import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmodSync, rmSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { onFinished } from "./cleanup.ts";

/** Places on this machine around a sandbox whose network is held. */
export interface Surroundings {
  /** A port of the loopback interface of the host, which is in no list. */
  witness: number;
  /** A port that is in the list, by the address 127.0.0.1 and the name localhost. */
  allowed: number;
  /** A port that is in the list by the name localhost alone, and by no address. */
  renamed: number;
  /** An address of the host beyond the loopback interface, where it has one. */
  hostAddress: string;
}

/** What lies around a sandbox whose network is held to a list, and what of it a program has reached that it must not. */
export async function surroundings() {
  const { port: witness, seen } = await aWitness();
  const allowed = await anAllowedHost(witness);
  const renamed = await anAllowedHost(witness);
  const hostAddress =
    Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
  const places: Surroundings = { witness, allowed, renamed, hostAddress };
  const list = [`localhost:${allowed}`, `127.0.0.1:${allowed}`, `[::1]:${allowed}`, `localhost:${renamed}`];
  return { places, seen, policy: { allow: [list] }, apiUrl: `http://127.0.0.1:${witness}` };
}

/** What nothing in a sandbox may reach says so to whoever does, and remembers it. */
async function aWitness() {
  const seen: string[] = [];
  const servers: { close(): void }[] = [];
  const answer = (where: string) =>
    createServer((socket) => {
      seen.push(where);
      socket.on("error", () => {});
      socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\nWITNESS\n");
    });
  const listen = async (server: Server, options: object) => {
    server.listen(options);
    await once(server, "listening");
    servers.push(server);
  };
  const main = answer("tcp");
  await listen(main, { host: "0.0.0.0", port: 0 });
  const { port } = main.address() as AddressInfo;
  await listen(answer("tcp6"), { host: "::1", port, ipv6Only: true });
  await listen(answer("abstract"), { path: `\0millrace-witness-${port}` });
  const file = `/tmp/millrace-witness-${port}.sock`;
  await listen(answer("file"), { path: file });
  chmodSync(file, 0o777);
  const datagrams = createSocket("udp4", () => seen.push("udp"));
  datagrams.bind(port, "0.0.0.0");
  servers.push(datagrams);
  onFinished(() => {
    for (const server of servers) server.close();
    rmSync(file, { force: true });
  });
  return { port, seen };
}

/** A host of the list, which sends those who ask for it elsewhere. @returns its port */
async function anAllowedHost(witness: number): Promise<number> {
  const server = createHttpServer((request, response) => {
    const to = { "/redirect": `http://127.0.0.1:${witness}/`, "/metadata": "http://169.254.169.254/latest/" };
    const location = to[request.url as keyof typeof to];
    response.writeHead(location ? 302 : 200, location ? { location } : {}).end("allowed\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
