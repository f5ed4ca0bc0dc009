import { expect, test } from "vitest";
import { scriptedServer } from "../given/scripted-server.ts";
import { waitFor } from "../given/server.ts";
import { aWorker } from "../given/worker.ts";

/** What a worker asks of a server that gives it no runs, and a lease of this length. */
async function askedBy(leaseMs: number) {
  const server = await scriptedServer((response) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ leaseMs, isDraining: false, turns: [] }));
  });
  await aWorker({ url: server.url, api: async () => ({}) as never }, { token: "mrw_x" });
  const beats = () =>
    server.received
      .filter(({ url }) => url.endsWith("/beat"))
      .map(({ body }) => JSON.parse(body).waitMs as number);
  await waitFor(() => beats().length > 3 || undefined);
  return beats().slice(1);
}

/**
 * When the server goes away just before it would have answered a beat, the one that was answered last was sent two waits
 * ago. What is left until the worker ends its agents is the time that a server has to be there again.
 */
test.each([10_000, 60_000])(
  "beats of a lease of %i ms are held so briefly that a server which was just not heard may be away for half of it",
  async (leaseMs) => {
    for (const waitMs of await askedBy(leaseMs))
      expect(0.7 * leaseMs - 2 * waitMs).toBeGreaterThan(leaseMs / 2);
  },
);
