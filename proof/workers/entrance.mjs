// Lets the proof into the network namespace of the server: what connects to a socket of the file system is connected to the
// server. Arguments: the socket, and the port of the server.
import { connect, createServer } from "node:net";

const [path, port] = process.argv.slice(2);
const entrance = createServer((outside) => {
  const inside = connect(Number(port), "127.0.0.1");
  for (const [from, to] of [
    [outside, inside],
    [inside, outside],
  ]) {
    from.on("error", () => to.destroy());
    from.on("close", () => to.destroy());
    from.pipe(to);
  }
});
process.on("disconnect", () => process.exit());
entrance.listen(path, () => process.send({ port: Number(port) }));
