import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { components } from "../../src/client/api-types.ts";
import {
  outboundFile,
  receiver,
  SIGNING_SECRET,
  serverThatPosts,
  serverThatTells,
  verified,
} from "../given/outbound.ts";
import { waitFor } from "../given/server.ts";

type Outbound = components["schemas"]["Outbound"];
type Delivery = components["schemas"]["OutboundDelivery"];
type Explanation = components["schemas"]["OutboundExplanation"];
type Deliveries = components["schemas"]["OutboundDeliveryList"];

const EVERY_RUN_EVENT = ["run.created", "run.started", "run.blocked", "run.ended"];

describe("sending events", () => {
  test("is repeated with the same id and body until the receiver accepts it, and its answers are in the log", async () => {
    const target = await receiver();
    target.answer((response) => response.writeHead(500).end("No\u0007 room\u001b[31m here\nnow"));
    const { server, factory, story, startHere } = await serverThatPosts({
      ops: outboundFile(target.url, ["run.ended"]),
    });
    const id = await startHere("Do it.");
    await story.ended(id);
    await waitFor(async () => target.requests.length >= 1);
    const path = `/factories/${factory}/outbound/ops`;
    const refused = await waitFor(async () => {
      const { deliveries } = await server.api<Deliveries>("GET", `${path}/deliveries`);
      return deliveries.find(({ response }) => response !== null);
    });
    expect(refused).toMatchObject({
      state: "waiting",
      event: "run.ended",
      run_id: id,
      last_error: "the receiver answered 500",
      response: { status: 500, body: "No room[31m here\nnow" },
    });
    target.answer(204);
    await waitFor(async () => target.requests.length >= 2);
    const [first, second] = target.requests;
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    expect(first?.headers["webhook-id"]).toBe(refused.webhook_id);
    expect(second?.body).toBe(first?.body);
    for (const request of target.requests) verified(request);
    await waitFor(async () => (await server.api<Outbound>("GET", path)).state === "ready");
  });

  test("keeps the order of the events of a run where that is asked for, while other runs go on", async () => {
    const target = await receiver();
    let rejected: string | undefined;
    target.answer((response) => {
      const { run_id } = target.requests.at(-1)?.json.data ?? {};
      rejected ??= run_id;
      response.writeHead(run_id === rejected ? 400 : 204).end();
    });
    const { story, startHere } = await serverThatPosts({
      ops: outboundFile(target.url, EVERY_RUN_EVENT, "ordered: true"),
    });
    const first = await startHere("Do it.");
    await story.ended(first);
    const second = await startHere("Do it.");
    await story.ended(second);
    const typesOf = (run: string) =>
      target.requests.filter(({ json }) => json.data.run_id === run).map(({ json }) => json.type);
    await waitFor(async () => typesOf(second).length === 3);
    expect(new Set(typesOf(first))).toEqual(new Set(["run.created"]));
    target.answer(204);
    // By now its next attempt may be far away: with the secret set, it is made at once.
    await story.setSecret("OUTBOUND", SIGNING_SECRET);
    await waitFor(async () => typesOf(first).includes("run.ended"));
    expect(typesOf(first).filter((type) => type !== "run.created")).toEqual(["run.started", "run.ended"]);
    expect(typesOf(second)).toEqual(["run.created", "run.started", "run.ended"]);
  });

  test("stops after five failures in a row for everything, until one attempt succeeds", async () => {
    const target = await receiver();
    target.answer(400);
    const { server, factory, story, startHere } = await serverThatPosts({
      ops: outboundFile(target.url, EVERY_RUN_EVENT),
    });
    let last = "";
    for (let run = 0; run < 3; run += 1) {
      last = await startHere("Do it.");
      await story.ended(last);
    }
    const path = `/factories/${factory}/outbound/ops`;
    const asked = { event: "run.ended", subject: last };
    // Together: the next attempt comes some time, and is not waited for any more then.
    const { open, since, explained } = await waitFor(async () => {
      const since = Date.now();
      const open = await server.api<Outbound>("GET", path);
      const explained = await server.api<Explanation>("POST", `${path}/explain`, asked);
      const isOpen = open.state === "open" && open.waiting >= 9 && explained.reason !== null;
      return isOpen ? { open, since, explained } : undefined;
    });
    expect(open.failures).toBeGreaterThanOrEqual(5);
    expect(Date.parse(open.next_attempt_at ?? "")).toBeGreaterThan(since);
    expect(explained).toMatchObject({
      sends: true,
      reason: expect.stringMatching(/^It would wait until .*: the circuit breaker is open/),
    });
    target.answer(204);
    const sent = await server.api<Delivery>("POST", `${path}/test`);
    expect(sent).toMatchObject({ state: "sent", event: "test", response: { status: 204 } });
    await waitFor(async () => (await server.api<Outbound>("GET", path)).failures === 0);
  });

  test("goes on at once when its URL is corrected, or its secret is replaced", async () => {
    const [wrong, right] = [await receiver(), await receiver()];
    wrong.answer((response) => response.writeHead(503, { "retry-after": "3600" }).end());
    const { server, factory, source, story, startHere } = await serverThatPosts({
      ops: outboundFile(wrong.url, ["run.ended"]),
    });
    await story.ended(await startHere("Do it."));
    const path = `/factories/${factory}/outbound/ops`;
    await waitFor(async () => (await server.api<Outbound>("GET", path)).state === "open");
    right.answer((response) => response.writeHead(503, { "retry-after": "3600" }).end());
    writeFileSync(join(source, "outbound/ops.yaml"), outboundFile(right.url, ["run.ended"]));
    await story.sync();
    await waitFor(async () => right.requests.length === 1);
    await waitFor(async () => (await server.api<Outbound>("GET", path)).failures === 1);
    right.answer(204);
    const { secret } = await server.api<Record<string, string>>("POST", `${path}/rotate-secret`);
    await waitFor(async () => right.requests.length === 2);
    expect(verified(right.requests[1] ?? expect.fail(), secret)).toMatchObject({ type: "run.ended" });
    await waitFor(async () => (await server.api<Outbound>("GET", path)).state === "ready");
  });

  test.each([
    ["0", 1_500],
    ["Sat, 28 Nov 2020 12:00:00 GMT", 1_500],
    // It is not valid, so the second wait is of 4 seconds, but for a fifth.
    ["-5", 3_000],
  ])(
    "waits between attempts, also when the receiver asks for none with Retry-After: %s",
    async (retryAfter, least) => {
      const target = await receiver();
      target.answer((response) => response.writeHead(503, { "retry-after": retryAfter }).end());
      const { server, factory, startHere } = await serverThatPosts({
        ops: outboundFile(target.url, ["run.created"]),
      });
      await startHere("Do it.");
      const path = `/factories/${factory}/outbound/ops`;
      const refused = await waitFor(async () => {
        const [found] = (await server.api<Deliveries>("GET", `${path}/deliveries`)).deliveries;
        return found && found.attempts >= 2 ? found : undefined;
      });
      const waits = Date.parse(refused.next_attempt_at ?? "") - Date.parse(refused.response?.at ?? "");
      expect(waits).toBeGreaterThan(least);
      // Each is sent in another second than the one before.
      const seconds = target.requests.map(({ headers }) => headers["webhook-timestamp"]);
      expect(seconds).toEqual([...new Set(seconds)]);
    },
  );

  test("is sent to a receiver again that had answered 410, when its URL has led elsewhere in the meantime", async () => {
    const [target, other] = [await receiver(), await receiver()];
    target.answer(410);
    const { server, factory, source, story, startHere } = await serverThatPosts({
      ops: outboundFile(target.url, ["run.ended"]),
    });
    await story.ended(await startHere("Do it."));
    const path = `/factories/${factory}/outbound/ops`;
    const stateIs = (state: Outbound["state"]) =>
      waitFor(async () => (await server.api<Outbound>("GET", path)).state === state);
    await stateIs("stopped");
    target.answer(204);
    for (const { url, requests } of [other, target]) {
      writeFileSync(join(source, "outbound/ops.yaml"), outboundFile(url, ["run.ended"]));
      await story.sync();
      await stateIs("ready");
      // Only with this, the refusal of the one before is certain to be forgotten.
      const before = requests.length;
      await story.ended(await startHere("Do it."));
      await waitFor(async () => requests.length > before);
    }
    expect(target.requests).toHaveLength(2);
  });

  test("goes on at once when its secret is set by hand, and no other one does", async () => {
    const [target, other] = [await receiver(), await receiver()];
    for (const each of [target, other])
      each.answer((response) => response.writeHead(503, { "retry-after": "3600" }).end());
    const { server, factory, story, startHere } = await serverThatPosts({
      ops: outboundFile(target.url, ["run.ended"]),
      others: outboundFile(other.url, ["run.ended"]).replace("OUTBOUND", "CI_SECRET"),
    });
    await story.ended(await startHere("Do it."));
    const stateOf = async (name: string) =>
      (await server.api<Outbound>("GET", `/factories/${factory}/outbound/${name}`)).state;
    for (const name of ["ops", "others"]) await waitFor(async () => (await stateOf(name)) === "open");
    target.answer(204);
    const secret = `whsec_${Buffer.from("another one that nobody can guess").toString("base64")}`;
    await story.setSecret("OUTBOUND", secret);
    const request = await waitFor(async () => target.requests[1]);
    expect(verified(request, secret)).toMatchObject({ type: "run.ended" });
    await waitFor(async () => (await stateOf("ops")) === "ready");
    expect(other.requests).toHaveLength(1);
    expect(await stateOf("others")).toBe("open");
  });

  test("is repeated by hand with the same id, also to a receiver that answered 410 before", async () => {
    const target = await receiver();
    target.answer(410);
    const { server, factory, story, startHere } = await serverThatPosts({
      ops: outboundFile(target.url, ["run.ended"]),
    });
    await story.ended(await startHere("Do it."));
    const path = `/factories/${factory}/outbound/ops`;
    await waitFor(async () => (await server.api<Outbound>("GET", path)).state === "stopped");
    const [failed] = (await server.api<Deliveries>("GET", `${path}/deliveries?state=failed`)).deliveries;
    const another = await startHere("Do it.");
    await story.ended(another);
    const explain = () =>
      server.api<Explanation>("POST", `${path}/explain`, { event: "run.ended", subject: another });
    expect(await explain()).toMatchObject({ sends: false, reason: expect.stringContaining("with 410") });
    expect(server.log()).not.toContain("were dropped");
    target.answer(204);
    await server.api("POST", `${path}/deliveries/${failed?.id}/redeliver`);
    await waitFor(async () => target.requests.length === 2);
    expect(target.requests[1]?.headers["webhook-id"]).toBe(target.requests[0]?.headers["webhook-id"]);
    await waitFor(async () => (await server.api<Outbound>("GET", path)).state === "ready");
    expect(await explain()).toMatchObject({ sends: true, reason: null });
    expect(await server.api("GET", `${path}/deliveries/${failed?.id}`)).toMatchObject({
      state: "sent",
      body: target.requests[0]?.json,
    });
  });

  test("reaches private addresses only where the settings allow it, and says so", async () => {
    const target = await receiver();
    const { server, factory } = await serverThatPosts(
      { ops: outboundFile(target.url, ["run.ended"]) },
      { env: { MILLRACE_OUTBOUND_ALLOW: "10.0.0.0/8" } },
    );
    const sent = await server.api<Delivery>("POST", `/factories/${factory}/outbound/ops/test`);
    expect(sent.state).toBe("failed");
    expect(sent.last_error).toContain("MILLRACE_OUTBOUND_ALLOW");
    expect(target.requests).toEqual([]);
  });

  test("of the settings tells of the factories that they name, and of no others", async () => {
    const [acme, others] = [await receiver(), await receiver()];
    const secret = { env: "OUTBOUND_SECRET" };
    const setting = { secret, events: ["run.ended"] };
    const { story, server, start } = await serverThatTells(
      {
        outbound: [
          {
            name: "acme",
            url: acme.url,
            factories: ["acme"],
            filter: { data: { state: ["FAILED"] } },
            ...setting,
          },
          { name: "others", url: others.url, factories: ["other"], ...setting },
        ],
      },
      { env: { OUTBOUND_SECRET: SIGNING_SECRET }, sharesProcess: false },
    );
    const { name: factory } = await story.factory();
    await story.ended(await start({ prompt: "Do it.", factory }));
    const id = await start({ prompt: "PLEASE-FAIL", factory });
    await story.ended(id);
    const request = await waitFor(async () => acme.requests[0]);
    expect(verified(request)).toMatchObject({ type: "run.ended", data: { run_id: id } });
    expect(others.requests).toEqual([]);
    const { outbound } = await server.api<{ outbound: Outbound[] }>("GET", "/outbound");
    expect(outbound.map(({ name, factory: of }) => [name, of])).toEqual([
      ["acme", null],
      ["others", null],
    ]);
    await server.api("POST", "/outbound/others/test");
    await waitFor(async () => others.requests.length === 1);
    const { deliveries } = await server.api<Deliveries>("GET", "/outbound/others/deliveries");
    expect(deliveries).toMatchObject([{ event: "test", state: "sent" }]);
  });
});
