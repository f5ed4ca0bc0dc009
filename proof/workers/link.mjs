// The wire between a worker and its server. The proof starts it in the network namespace of the worker, and switches it
// by messages; how it stands is one object: {kind, every, ms}. Arguments: the host and the port of the server.
import { Agent, request as ask, createServer } from "node:http";

const [host, port] = process.argv.slice(2);
/** `pass`, `cut`, `swallow`, `delay`, `lose` (carried out, and the answer is lost), or `double` (carried out twice). */
let state = { kind: "pass", every: 1, ms: 0 };
let count = 0;
/** Requests of before, which a wire that doubles carries once more at any time: their tickets may be old by then. */
const captured = [];
const MAX_CAPTURED = 200;
const open = new Set();
/** When beats were sent that were answered. */
const beats = [];
const upstream = new Agent({ keepAlive: true });

const wire = createServer(
  (request, response) => void carry(request, response).catch(() => response.destroy()),
);
// A request may wait for as long as a silent network lets it.
wire.requestTimeout = 0;
wire.keepAliveTimeout = 60_000;
wire.on("connection", (socket) => {
  if (state.kind === "cut") return void socket.resetAndDestroy();
  open.add(socket);
  socket.on("error", () => {});
  socket.on("close", () => open.delete(socket));
});

async function carry(request, response) {
  const sentAt = Date.now();
  const body = await readWhole(request);
  const { kind, every, ms } = state;
  count += 1;
  const isHit = count % every === 0;
  // Heard by nobody, and the connection stays open for good.
  if (kind === "swallow") return;
  if (kind === "delay") await pause(Math.random() * ms);
  captured[count % MAX_CAPTURED] = { request, body };
  if (kind === "double" && isHit) {
    setTimeout(() => void replay({ request, body }), Math.random() * ms);
    void replay(captured[Math.floor(Math.random() * captured.length)]);
  }
  const answer = await forward(request, body, response);
  if (state.kind === "delay") await pause(Math.random() * state.ms);
  if (state.kind === "swallow") return;
  if (kind === "lose" && isHit) return void response.socket?.resetAndDestroy();
  response.writeHead(answer.status, answer.headers).end(answer.body);
  if (request.url.endsWith("/beat") && answer.status === 200) beats.push(sentAt);
}

async function replay(old) {
  if (old) await forward(old.request, old.body).catch(() => {});
}

/** @param response whose reader the answer is for; when that one goes, so does the request */
function forward({ method, url, headers }, body, response) {
  return new Promise((resolve, reject) => {
    const { "transfer-encoding": _, connection: __, ...kept } = headers;
    const sent = { ...kept, "content-length": String(body.length) };
    const asked = ask({ host, port, method, path: url, headers: sent, agent: upstream }, (answer) => {
      const { "transfer-encoding": ___, connection: ____, "keep-alive": _____, ...told } = answer.headers;
      readWhole(answer).then(
        (bytes) => resolve({ status: answer.statusCode, headers: told, body: bytes }),
        reject,
      );
    });
    asked.on("error", reject);
    response?.on("close", () => asked.destroy());
    asked.end(body);
  });
}

async function readWhole(stream) {
  const parts = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

process.on("message", (next) => {
  if (next.kind === "report") return void process.send({ beats });
  state = next;
  if (state.kind === "cut") for (const socket of open) socket.resetAndDestroy();
  process.send({ switched: state.kind });
});
process.on("disconnect", () => process.exit());
wire.listen(0, "127.0.0.1", () => process.send({ port: wire.address().port }));
