import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { expect, test } from "vitest";
import { createConnector } from "../../../src/executor/network/proxy/connector.ts";
import { oneAtATime } from "../../../src/executor/network/proxy/http-proxy.ts";
import { networkGuard } from "../../../src/runs/turn/network-guard.ts";
import { onFinished } from "../../given/cleanup.ts";

const MANY = 100;
/** The other run is at most so many places behind where it would be if nobody else was there; a busy machine hands packets over late. */
const FEW = MANY / 4;

/** The connections of one run, which notes each that is refused. */
function connectorOf(run: string, order: string[]) {
  const reaches = {
    reached: () => {},
    refused: () => void order.push(run),
    list: () => ({ reached: [], refused: [] }),
  };
  const connector = createConnector({
    guard: networkGuard({ allow: [[]] }),
    reaches,
    standIn: () => undefined,
  });
  onFinished(connector.close);
  return () => connector.tunnel({ host: "example.com", port: 443 }).catch(() => {});
}

test("a connection of one run does not wait for all connections that another run asks for", async () => {
  const order: string[] = [];
  const [ofMany, ofOne] = [connectorOf("many", order), connectorOf("one", order)];
  const all = Array.from({ length: MANY }, ofMany);
  await Promise.all([...all, ofOne()]);
  expect(order).toHaveLength(MANY + 1);
  expect(order.indexOf("one")).toBeLessThan(FEW);
});

/** A server as the proxy of one run has them, and so many connections to it that each send a request when they are told to. */
async function requestsOf(run: string, order: string[], count: number) {
  const server = createServer(
    oneAtATime((_, response) => {
      order.push(run);
      response.end();
    }),
  );
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  let accepted = 0;
  server.on("connection", () => {
    accepted += 1;
  });
  const clients = await Promise.all(
    Array.from({ length: count }, async () => {
      const client = connect(port, "127.0.0.1");
      await once(client, "connect");
      return client;
    }),
  );
  while (accepted < count) await new Promise(setImmediate);
  return () =>
    clients.map(async (client) => {
      client.write("GET / HTTP/1.1\r\nhost: example.com\r\n\r\n");
      await once(client, "data");
    });
}

test("a request of one run does not wait for the requests of all connections of another run", async () => {
  const order: string[] = [];
  const ofMany = await requestsOf("many", order, MANY);
  const ofOne = await requestsOf("one", order, 1);
  await Promise.all([...ofMany(), ...ofOne()]);
  expect(order).toHaveLength(MANY + 1);
  expect(order.indexOf("one")).toBeLessThan(FEW);
});
