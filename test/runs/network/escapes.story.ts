import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { onFinished } from "../../given/cleanup.ts";
import { heldSandbox } from "../../given/held-program.ts";
import { SERVERS } from "../../given/sandbox-of.ts";
import { KINDS, type Places, rawTries, SOCKET_KINDS, shellTries } from "./escape-tries.ts";

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

/** A host of the list, which sends those who ask for it elsewhere. */
async function anAllowedHost(witness: number) {
  const paths: string[] = [];
  const server = createHttpServer((request, response) => {
    paths.push(request.url ?? "");
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
  return { port: (server.address() as AddressInfo).port, paths };
}

/** Sends bytes to the proxy, and prints what comes back. */
const SEND = `
  const { connect } = require("node:net");
  const tries = JSON.parse(require("node:fs").readFileSync("tries.json", "utf8"));
  const send = (text) => new Promise((done) => {
    let said = "";
    const socket = connect(3128, "127.0.0.1", () => socket.write(Buffer.from(text, "latin1")));
    const end = () => (socket.destroy(), done(said));
    socket.on("data", (bytes) => (said += bytes.toString("latin1")));
    socket.on("error", end).on("close", end);
    setTimeout(end, 700);
  });
  (async () => {
    const answers = {};
    for (const [name, text] of Object.entries(tries)) answers[name] = await send(text);
    console.log(JSON.stringify(answers));
  })();`;

/** A held network with a list, and what lies around it. */
async function surrounded(server: "root" | "nobody") {
  const witness = await aWitness();
  const allowed = await anAllowedHost(witness.port);
  const renamed = await anAllowedHost(witness.port);
  const hostAddress =
    Object.values(networkInterfaces())
      .flatMap((addresses) => addresses ?? [])
      .find(({ family, internal }) => family === "IPv4" && !internal)?.address ?? "127.0.0.1";
  const places: Places = { witness: witness.port, allowed: allowed.port, renamed: renamed.port, hostAddress };
  const list = [`localhost:${allowed.port}`, `127.0.0.1:${allowed.port}`, `[::1]:${allowed.port}`];
  const sandbox = await heldSandbox(
    { allow: [[...list, `localhost:${renamed.port}`]] },
    { server, apiUrl: `http://127.0.0.1:${witness.port}` },
  );
  return { places, witness, sandbox };
}

describe.each(SERVERS)("out of a held network of a server that is %s", (server) => {
  test("no bytes that a program sends to its proxy lead beyond the list", async () => {
    const { places, witness, sandbox } = await surrounded(server);
    const tries = rawTries(places);
    writeFileSync(join(sandbox.workspace, "tries.json"), JSON.stringify(tries));
    writeFileSync(join(sandbox.workspace, "send.cjs"), SEND);
    const { said, refused } = await sandbox.run(["node", "send.cjs"]);
    const answers: Record<string, string> = JSON.parse(said);
    expect(Object.keys(answers)).toEqual(Object.keys(tries));
    const escaped = Object.entries(answers).filter(([, answer]) => answer.includes("WITNESS"));
    expect(escaped).toEqual([]);
    expect(witness.seen).toEqual([]);
    expect(Object.keys(tries).length).toBeGreaterThanOrEqual(55);
    const reasons = new Set(refused.map(({ reason }) => reason));
    expect([...reasons].sort()).toEqual(["host_mismatch", "invalid", "not_allowed", "private_address"]);
    // No name of these was looked up: a name server would have been told what stands in it.
    expect(refused).toContainEqual(
      expect.objectContaining({ host: "c2vjcmv0.evil.example", reason: "not_allowed" }),
    );
  });

  test("no command finds another way", async () => {
    const { places, witness, sandbox } = await surrounded(server);
    for (const [name, command] of Object.entries(shellTries(places))) {
      const { said } = await sandbox.sh(`${command}\ntrue`);
      expect(said.includes("ESCAPED"), name).toBe(false);
      expect(witness.seen, name).toEqual([]);
    }
  });

  test("no other kind of socket can be opened, where the kernel has it", async () => {
    const { sandbox } = await surrounded(server);
    writeFileSync(join(sandbox.folder, "kinds.c"), SOCKET_KINDS);
    execFileSync("cc", ["-o", join(sandbox.workspace, "kinds"), join(sandbox.folder, "kinds.c")]);
    chmodSync(join(sandbox.workspace, "kinds"), 0o755);
    for (const kind of KINDS) {
      const { code } = await sandbox.run([join(sandbox.workspace, "kinds"), kind]);
      expect([1, 3], kind).toContain(code);
    }
    const uring = await sandbox.run([join(sandbox.workspace, "kinds"), "uring"]);
    expect(uring.code).toBe(3);
  });
});
