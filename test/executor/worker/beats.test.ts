import type { ServerResponse } from "node:http";
import { expect, test } from "vitest";
import { scriptedServer } from "../../given/scripted-server.ts";
import { waitFor } from "../../given/server.ts";
import { aWorker } from "../../given/workers.ts";

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

test("a beat about new turns is answered without waiting, and is not replaced by one about newer turns", async () => {
  const beats: { waitMs: number; response: ServerResponse }[] = [];
  let claims = 0;
  const answer = (response: ServerResponse, turns: object[]) => {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ leaseMs: 60_000, isDraining: false, turns }));
  };
  const server = await scriptedServer((response) => {
    const { url = "", body = "" } = server.received.at(-1) ?? {};
    if (url.endsWith("/beat")) beats.push({ waitMs: JSON.parse(body).waitMs, response });
    else if (url.endsWith("/claim")) {
      claims += 1;
      answer(response, [{}]);
    } else answer(response, []);
  });
  await aWorker({ url: server.url, api: async () => ({}) as never }, { token: "mrw_x" });
  const prompt = await waitFor(() => beats.find(({ waitMs }) => waitMs === 0));
  const before = claims;
  await waitFor(() => claims > before + 2 || undefined);
  expect(prompt.response.destroyed).toBe(false);
  answer(prompt.response, []);
  // What came in the meantime is told next.
  await waitFor(() => beats.at(-1) !== prompt || undefined);
  expect(beats.at(-1)?.waitMs).toBe(0);
});
