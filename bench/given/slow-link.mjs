// A network between a server and its database: what is sent either way arrives later. Arguments: a port on this machine, and the
// milliseconds of a round trip.
import { connect, createServer } from "node:net";

const [port, roundTripMs] = process.argv.slice(2).map(Number);
/** Timers have whole milliseconds, and a way there and back has to have the sum. */
const THERE_MS = Math.floor(roundTripMs / 2);
const BACK_MS = roundTripMs - THERE_MS;

const link = createServer({ noDelay: true }, (near) => {
  const far = connect({ port, host: "127.0.0.1", noDelay: true });
  delay(near, far, THERE_MS);
  delay(far, near, BACK_MS);
});
link.listen(0, "127.0.0.1", () => process.stdout.write(`listening ${link.address().port}\n`));

/** Nothing overtakes: timers of one length fire in their order. */
function delay(from, to, ms) {
  from.on("data", (piece) => setTimeout(() => to.writable && to.write(piece), ms));
  from.on("error", () => to.destroy());
  from.on("close", () => setTimeout(() => to.destroy(), ms));
}
