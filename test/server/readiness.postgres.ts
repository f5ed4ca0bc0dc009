import { expect, test } from "vitest";
import { startLoad } from "../given/load.ts";
import { waitFor } from "../given/server.ts";
import { severalServers } from "../given/several-servers.ts";

const MINUTES_MS = 3 * 60_000;
const SECRET = "ci-secret";
const LINGERS = "requests are still answered, until load balancers have noticed";

test(
  "behind a load balancer that sends each request once, none fails while servers are stopped and started again",
  async () => {
    // Nothing else keeps a server from ending.
    const settings = { MILLRACE_DELIVERIES_PER_MINUTE: "100000", MILLRACE_WORKERS: "none" };
    const { servers, urlAt } = await severalServers(2, { settings });
    const [a] = servers;
    if (!a) throw new Error();
    const load = startLoad({
      urls: servers.map(({ server }) => server.url),
      path: new URL(urlAt(a)).pathname,
      token: SECRET,
      checks: true,
    });
    for (const [at, each] of servers.entries()) {
      await load.progress(40);
      expect(await each.server.stop()).toBe(0);
      await load.progress(20);
      load.urls[at] = (await each.again()).server.url;
    }
    await load.progress(40);
    await load.stop();
    expect(load.failed).toEqual([]);
  },
  MINUTES_MS,
);

test("a server that stops says at once that it is not ready, and goes on answering what comes all the same", async () => {
  const { servers, urlAt } = await severalServers(1);
  const [a] = servers;
  if (!a) throw new Error();
  const ready = () => fetch(`${a.server.url}/readyz`);
  expect((await ready()).status).toBe(200);
  const stopped = a.server.stop();
  const answer = await waitFor(async () => {
    const asked = await ready();
    return asked.status === 503 ? asked : undefined;
  });
  expect(await answer.json()).toMatchObject({ detail: "The server is stopping.", retryable: true });
  expect(answer.headers.get("retry-after")).toBe("5");
  expect((await a.story.deliver(urlAt(a), SECRET, "{}")).status).toBe(202);
  expect((await fetch(`${a.server.url}/healthz`)).status).toBe(200);
  expect(await stopped).toBe(0);
  expect(a.server.log()).toContain(LINGERS);
});

test("a server that no load balancer asks does not wait for one when it stops", async () => {
  const { servers } = await severalServers(1);
  const [a] = servers;
  if (!a) throw new Error();
  expect(await a.server.stop()).toBe(0);
  expect(a.server.log()).not.toContain(LINGERS);
});
