import { Webhook } from "standardwebhooks";
import { Webhook as SvixWebhook } from "svix";
import { describe, expect, test } from "vitest";
import type { components } from "../../src/client/api-types.ts";
import { movableClock } from "../given/clockwork.ts";
import {
  outboundFile,
  type Received,
  receiver,
  SIGNING_SECRET,
  serverThatPosts,
  verified,
} from "../given/outbound.ts";
import { freePort } from "../given/port.ts";
import { waitFor } from "../given/server.ts";

type Deliveries = components["schemas"]["OutboundDeliveryList"];

const MINUTE_MS = 60_000;
const RUNS = 12;
const RUN_EVENTS = ["run.created", "run.started", "run.blocked", "run.ended"];
const EVENTS = ["run.created", "run.started", "run.ended"];

describe("a receiver that is down for an hour", () => {
  test("gets every event once it is back, in the order of each run and with the ids of the first attempts, though the server was killed", async () => {
    const clock = movableClock();
    const port = await freePort();
    const outbound = { ops: outboundFile(`http://127.0.0.1:${port}/hook`, EVENTS, "ordered: true") };
    const options = { env: clock.env, sharesProcess: false };
    const first = await serverThatPosts(outbound, options);
    const path = `/factories/${first.factory}/outbound/ops/deliveries?limit=500`;
    const runs: string[] = [];
    for (let run = 0; run < RUNS; run += 1)
      runs.push(await first.startHere(run % 2 ? "Do it." : "PLEASE-FAIL"));
    // Killed in the middle: some events may not have been read from the log of changes yet.
    await first.server.kill();

    const second = await serverThatPosts(outbound, { ...options, before: first });
    for (const run of runs) await second.story.ended(run);
    for (let minutes = 10; minutes <= 60; minutes += 10) {
      clock.set(minutes * MINUTE_MS);
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    // All of them, since nothing comes after the end of a run; and at least one attempt has failed.
    const waiting = await waitFor(async () => {
      const { deliveries } = await second.server.api<Deliveries>("GET", path);
      const ended = deliveries.filter(({ event }) => event === "run.ended").map(({ run_id }) => run_id);
      const isTried = deliveries.some(({ attempts }) => attempts > 0);
      return isTried && runs.every((run) => ended.includes(run)) ? deliveries : undefined;
    });
    await second.server.kill();

    // Every attempt fails until the outage is over, and some fail while it comes back.
    const target = await receiver(port);
    const accepted: Received[] = [];
    let failuresLeft = Number.POSITIVE_INFINITY;
    target.answer((response) => {
      failuresLeft -= 1;
      if (failuresLeft < 0) accepted.push(target.requests.at(-1) ?? expect.fail());
      response.writeHead(failuresLeft < 0 ? 204 : 503, { "retry-after": "1" }).end();
    });
    const third = await serverThatPosts(outbound, { ...options, before: first });
    // Later than any next attempt, which is 72 minutes away at most.
    clock.set(180 * MINUTE_MS);
    failuresLeft = 3;
    const endOf = (run: string) => eventsOf(accepted, run).includes("run.ended");
    await waitFor(async () => runs.every(endOf), 60);

    const ids = new Set(target.requests.map(({ headers }) => headers["webhook-id"]));
    expect(ids).toEqual(new Set(waiting.map(({ webhook_id }) => webhook_id)));
    for (const request of target.requests) {
      const signature = request.headers["webhook-signature"];
      expect(signaturesOf(request)).toEqual([signature, signature]);
    }
    for (const run of runs) {
      const seen = eventsOf(accepted, run);
      // A run whose start was interrupted may have started twice.
      expect(seen.filter((type, index) => type !== seen[index - 1])).toEqual(EVENTS);
    }
    const list = async () => (await third.server.api<Deliveries>("GET", path)).deliveries;
    await waitFor(async () => (await list()).every(({ state }) => state === "sent"));
    expect((await list()).length).toBeGreaterThanOrEqual(RUNS * EVENTS.length);
    for (const request of accepted)
      expect(sentAt(request).getTime() - Date.now()).toBeGreaterThan(170 * MINUTE_MS);
  });
});

/** When a request says that it was sent. */
function sentAt({ headers }: Received): Date {
  return new Date(Number(headers["webhook-timestamp"]) * 1_000);
}

/** The signatures that receivers compute for a request, whatever their clocks show. */
function signaturesOf(request: Received): string[] {
  const { headers, body } = request;
  return [new Webhook(SIGNING_SECRET), new SvixWebhook(SIGNING_SECRET)].map((library) =>
    library.sign(String(headers["webhook-id"]), sentAt(request), body),
  );
}

describe("a clock that is set back by an hour while the receiver is down and the server restarts", () => {
  test("leaves the events of a run in their order, and holds up none of them", async () => {
    const clock = movableClock();
    clock.set(60 * MINUTE_MS);
    const port = await freePort();
    const outbound = { ops: outboundFile(`http://127.0.0.1:${port}/hook`, RUN_EVENTS, "ordered: true") };
    const options = { env: clock.env, sharesProcess: false };
    const first = await serverThatPosts(outbound, options);
    const path = `/factories/${first.factory}/outbound/ops/deliveries`;
    const id = await first.startHere("PLEASE-ASK Which one?");
    // The turn of an agent that still runs would end as interrupted when the server stops.
    await waitFor(async () => {
      const { state, is_sandbox_running } = await first.story.run(id);
      return state === "BLOCKED" && !is_sandbox_running;
    }, 60);
    await waitFor(async () => (await first.server.api<Deliveries>("GET", path)).deliveries.length === 3);
    await first.server.stop();

    clock.set(0);
    const second = await serverThatPosts(outbound, { ...options, before: first });
    await second.server.api("POST", `/agent/runs/${id}/followups`, { message: "The first one." });
    await second.story.ended(id);
    const target = await receiver(port);
    const told = await waitFor(async () => {
      const events = eventsOf(target.requests, id);
      return events.includes("run.ended") ? events : undefined;
    }, 60);
    expect(told).toEqual([...RUN_EVENTS.slice(0, 3), "run.started", "run.ended"]);
  });
});

function eventsOf(requests: readonly Received[], run: string): string[] {
  return requests.filter(({ json }) => json.data.run_id === run).map(({ json }) => json.type);
}

describe("events while the server is killed again and again", () => {
  test("reach a receiver at least once each, and what comes twice has the same id", async () => {
    const target = await receiver();
    target.answer((response) => setTimeout(() => response.writeHead(204).end(), 20));
    const outbound = { ops: outboundFile(target.url, EVENTS, "ordered: true") };
    let server = await serverThatPosts(outbound, { sharesProcess: false });
    const first = server;
    const runs: string[] = [];
    for (let round = 0; round < 3; round += 1) {
      for (let run = 0; run < 4; run += 1) runs.push(await server.startHere("Do it."));
      await new Promise((resolve) => setTimeout(resolve, 100 * round));
      await server.server.kill();
      server = await serverThatPosts(outbound, { sharesProcess: false, before: first });
    }
    for (const run of runs) await server.story.ended(run);
    await waitFor(async () => runs.every((run) => eventsOf(target.requests, run).includes("run.ended")), 60);
    const bodies = new Map<string, string>();
    for (const request of target.requests) {
      verified(request);
      const id = String(request.headers["webhook-id"]);
      expect(request.body).toBe(bodies.get(id) ?? request.body);
      bodies.set(id, request.body);
    }
    for (const run of runs)
      for (const event of EVENTS) expect(eventsOf(target.requests, run)).toContain(event);
  });
});
