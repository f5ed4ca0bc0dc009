// Passes each request on to one of several servers, as a balancer with health checks does. The proof starts it in a network that
// has a cable to each server. A request with the header `x-proof-server: N` goes to the Nth server whether that is well or not.
// Arguments: a socket and a port to listen on, and HOST:PORT of each server.
import { request as ask, createServer } from "node:http";

const CHECK_MS = 300;
const CHECK_PATIENCE_MS = 1_000;
/** A server is left out after so many failed checks in a row. */
const FALL = 2;
/** The request has not reached the server. */
const UNSENT = ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"];

const [path, port, ...addresses] = process.argv.slice(2);
const servers = addresses.map((address) => {
  const [host, itsPort] = address.split(":");
  return { host, port: itsPort, failures: FALL, open: new Set() };
});

async function carry(request, response) {
  const body = await readWhole(request);
  const named = Number(request.headers["x-proof-server"] ?? 0);
  const tried = new Set();
  for (;;) {
    const left = servers.filter((server) => server.failures < FALL && !tried.has(server));
    const server = named ? servers[named - 1] : left[Math.floor(Math.random() * left.length)];
    if (!server) return void response.writeHead(503).end("no server is ready");
    const error = await forward(server, request, body, response);
    if (!error) return;
    if (named || !UNSENT.includes(error.code)) return void response.destroy();
    tried.add(server);
  }
}

/** @returns why there is no answer */
function forward(server, { method, url, headers }, body, response) {
  return new Promise((resolve) => {
    const { "transfer-encoding": _, connection: __, ...kept } = headers;
    const sent = { ...kept, "content-length": String(body.length) };
    const options = { host: server.host, port: server.port, method, path: url, headers: sent, agent: false };
    const asked = ask(options, (answer) => {
      const { connection: ___, "keep-alive": ____, ...told } = answer.headers;
      response.writeHead(answer.statusCode, told);
      response.flushHeaders();
      answer.pipe(response);
      answer.on("error", () => response.destroy());
      resolve();
    });
    server.open.add(asked);
    asked.on("close", () => server.open.delete(asked));
    asked.on("error", resolve);
    response.on("close", () => asked.destroy());
    asked.end(body);
  });
}

async function readWhole(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

async function check(server) {
  const isReady = await new Promise((resolve) => {
    const options = { host: server.host, port: server.port, path: "/readyz", agent: false };
    const asked = ask(options, (answer) => {
      answer.resume();
      resolve(answer.statusCode === 200);
    });
    asked.setTimeout(CHECK_PATIENCE_MS, () => asked.destroy());
    asked.on("error", () => resolve(false));
    asked.on("close", () => resolve(false));
    asked.end();
  });
  server.failures = isReady ? 0 : server.failures + 1;
  // What waits for it may wait for ever.
  if (server.failures === FALL) for (const asked of server.open) asked.destroy();
  setTimeout(() => void check(server), CHECK_MS);
}

for (const server of servers) void check(server);
const balance = (request, response) => void carry(request, response).catch(() => response.destroy());
const inside = createServer(balance);
const outside = createServer(balance);
for (const server of [inside, outside]) {
  server.requestTimeout = 0;
  server.keepAliveTimeout = 60_000;
}
process.on("disconnect", () => process.exit());
inside.listen(Number(port), () => outside.listen(path, () => process.send({ port: Number(port) })));
