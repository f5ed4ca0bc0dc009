import { expect, test } from "vitest";
import { freePort } from "../../given/port.ts";
import { startServer, waitFor } from "../../given/server.ts";
import { aWorker } from "../../given/workers.ts";

test("a worker says why it cannot reach its server, and that it is connected", async () => {
  const server = await startServer({ sources: [] });
  const reachesAt = `http://127.0.0.1:${await freePort()}`;
  const lost = await aWorker(server, { reachesAt });
  await waitFor(() => lost.said().includes("ECONNREFUSED"));
  expect(lost.said()).not.toContain("connected to the server");
  const connected = await aWorker(server, { token: lost.token });
  await waitFor(() => connected.said().includes("connected to the server"));
});
