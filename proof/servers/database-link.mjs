// The wire between a server and its database. The proof starts it in the network namespace of the server, and switches it by
// messages: {kind} says how it stands, and {port} where the database is from then on. Arguments: its host and its port.
import { connect, createServer } from "node:net";

/** PostgreSQL gives up what is silent after a while, as it does with a network that swallows everything. */
const FORGOTTEN_MS = 20_000;

const [host, first] = process.argv.slice(2);
let port = Number(first);
/** `pass`, `cut`, or `swallow`: what was open then stays silent for good. */
let kind = "pass";
const open = new Set();

const wire = createServer((inside) => {
  inside.on("error", () => {});
  if (kind === "cut") return void inside.resetAndDestroy();
  const pair = { inside, isSilent: kind === "swallow" };
  open.add(pair);
  inside.on("close", () => close(pair));
  if (pair.isSilent) return void inside.pause();
  pair.outside = connect(port, host);
  pair.outside.on("error", () => {});
  pair.outside.on("close", () => close(pair));
  inside.pipe(pair.outside);
  pair.outside.pipe(inside);
});

function close(pair) {
  open.delete(pair);
  if (pair.isSilent) return;
  pair.inside.destroy();
  pair.outside.destroy();
}

function silence(pair) {
  if (pair.isSilent) return;
  pair.isSilent = true;
  pair.inside.unpipe();
  pair.outside.unpipe();
  pair.inside.pause();
  pair.outside.pause();
  setTimeout(() => pair.outside.destroy(), FORGOTTEN_MS);
}

process.on("message", (next) => {
  kind = next.kind ?? kind;
  const hasMoved = next.port !== undefined && next.port !== port;
  port = next.port ?? port;
  for (const pair of open) {
    if (kind === "swallow") silence(pair);
    else if (kind === "cut" || hasMoved) {
      pair.inside.resetAndDestroy();
      pair.outside?.resetAndDestroy();
    }
  }
  process.send({ kind, port });
});
process.on("disconnect", () => process.exit());
wire.listen(0, "127.0.0.1", () => process.send({ port: wire.address().port }));
