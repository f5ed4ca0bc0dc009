import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { components } from "../../src/client/api-types.ts";
import { serverWithAgent } from "../given/agent.ts";
import { aKey, ask } from "../given/ask.ts";
import { automationOn, FACTORY, signatureWebhook } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import {
  LOOPBACK_ALLOWED,
  outboundFile,
  receiver,
  SIGNING_SECRET,
  serverThatPosts,
  TOLD_AGENT,
} from "../given/outbound.ts";
import { onSqlite } from "../given/postgres.ts";
import { type Server, startServer, waitFor } from "../given/server.ts";

type Deliveries = components["schemas"]["OutboundDeliveryList"];

const named = (name: string, url: string) =>
  folderWith({
    ...FACTORY,
    "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", name),
    "outbound/ops.yaml": outboundFile(url, ["run.ended"]),
  });

async function syncAll({ api }: Pick<Server, "api">): Promise<void> {
  const { factories } = await api<{ factories: { uid: string }[] }>("GET", "/factories");
  for (const { uid } of factories) await api("POST", `/factories/${uid}/sync?wait=true`);
}

async function waitingAt({ metrics }: Pick<Server, "metrics">): Promise<string | undefined> {
  return /^millrace_outbound_events_waiting (\d+)$/m.exec(await (await metrics()).text())?.[1];
}

describe("an outbound webhook of a definition", () => {
  onSqlite(
    "gets the events of its own factory only, and a key of another factory sees nothing of it",
    async () => {
      const [own, others] = [await receiver(), await receiver()];
      const server = await startServer({
        sources: [named("acme", own.url), named("other", others.url)],
        agent: TOLD_AGENT,
        env: LOOPBACK_ALLOWED,
      });
      await server.api("PUT", "/secrets/OUTBOUND", { value: SIGNING_SECRET, shared: true });
      await syncAll(server);
      const { run_id } = await server.api<{ run_id: string }>("POST", "/agent/runs", {
        prompt: "Do it.",
        factory: "acme",
      });
      await waitFor(async () => own.requests.length === 1);
      expect(own.requests[0]?.json.data.run_id).toBe(run_id);
      expect(others.requests).toEqual([]);
      const key = await aKey(server, { role: "admin", factories: ["other"] });
      const { deliveries } = await server.api<Deliveries>("GET", "/factories/acme/outbound/ops/deliveries");
      const path = `/factories/other/outbound/ops/deliveries/${deliveries[0]?.id}`;
      expect((await ask(server, "GET", path, { key })).status).toBe(404);
      expect((await ask(server, "GET", "/factories/acme/outbound", { key })).status).toBe(404);
      expect((await ask(server, "GET", "/outbound", { key })).status).toBe(403);
      // Whose run it is, is not said either.
      const question = { body: { event: "run.ended", subject: run_id }, key };
      const explained = await ask(server, "POST", "/factories/other/outbound/ops/explain", question);
      expect(explained.status).toBe(404);
    },
  );

  test("follows no redirect, reads no more of an answer than it must, and shows what it kept as text", async () => {
    const [inside, target] = [await receiver(), await receiver()];
    target.answer((response) => response.writeHead(302, { location: inside.url }).end("x".repeat(100_000)));
    const { server, factory } = await serverThatPosts({ ops: outboundFile(target.url, ["run.ended"]) });
    const path = `/factories/${factory}/outbound/ops/test`;
    const moved = await server.api<components["schemas"]["OutboundDelivery"]>("POST", path);
    expect(moved).toMatchObject({
      state: "failed",
      last_error: "the receiver answered 302; redirects are not followed",
    });
    expect(moved.response?.body).toBe("x".repeat(1_024));
    expect(inside.requests).toEqual([]);
  });

  onSqlite("that is removed drops what waits for it", async () => {
    const target = await receiver();
    target.answer(503);
    const { server, source, story, startHere } = await serverThatPosts({
      ops: outboundFile(target.url, ["run.ended"]),
    });
    await story.ended(await startHere("Do it."));
    await waitFor(async () => target.requests.length > 0);
    rmSync(join(source, "outbound/ops.yaml"));
    await story.sync();
    await waitFor(async () => (await waitingAt(server)) === "0");
    target.answer(204);
    writeFileSync(join(source, "outbound/ops.yaml"), outboundFile(target.url, ["run.ended"]));
    await story.sync();
    const before = target.requests.length;
    await story.ended(await startHere("PLEASE-FAIL"));
    await waitFor(async () => target.requests.length > before);
    expect(target.requests.at(-1)?.json.data.state).toBe("FAILED");
    expect(target.requests).toHaveLength(before + 1);
  });

  onSqlite("of a factory whose source is missing at a start keeps what waits for it", async () => {
    const [target, others] = [await receiver(), await receiver()];
    for (const each of [target, others]) each.answer(503);
    const [acme, other] = [named("acme", target.url), named("other", others.url)];
    const options = { agent: TOLD_AGENT, env: LOOPBACK_ALLOWED, sharesProcess: false };
    const first = await startServer({ ...options, sources: [acme, other] });
    await first.api("PUT", "/secrets/OUTBOUND", { value: SIGNING_SECRET, shared: true });
    await syncAll(first);
    const start = (factory: string) =>
      first.api<{ run_id: string }>("POST", "/agent/runs", { prompt: "Do it.", factory });
    const { run_id } = await start("acme");
    await start("other");
    for (const { requests } of [target, others]) await waitFor(async () => requests.length > 0);
    await first.stop();

    const { dataDir } = first;
    others.answer(204);
    const second = await startServer({ ...options, dataDir, sources: [other] });
    // What waited for the other factory is sent by the look at all that waits, which acme's is a part of.
    await waitFor(async () => {
      const path = "/factories/other/outbound/ops/deliveries";
      return (await second.api<Deliveries>("GET", path)).deliveries.some(({ state }) => state === "sent");
    }, 40);
    expect(await waitingAt(second)).toBe("1");
    await second.stop();

    target.answer(204);
    const before = target.requests.length;
    await startServer({ ...options, dataDir, sources: [acme] });
    await waitFor(async () => target.requests.length > before, 30);
    expect(target.requests.at(-1)?.json.data.run_id).toBe(run_id);
  });
});

describe("two servers", () => {
  test("are chained by an outbound webhook of one and a webhook of the other: a failed run of the first starts a run of the second", async () => {
    const filter = { type: ["run.ended"], data: { state: ["FAILED"] } };
    const second = await serverWithAgent("console.log('repaired');", {
      files: {
        ...FACTORY,
        "webhooks/upstream.yaml": signatureWebhook("standard_webhooks", "UPSTREAM"),
        "automations/repair.md": automationOn(["upstream"], filter),
      },
    });
    await second.story.setSecret("UPSTREAM", SIGNING_SECRET);
    await second.story.sync();
    const url = await second.story.urlOf("upstream");

    const first = await serverThatPosts({ downstream: outboundFile(url, ["run.ended"]) });
    await first.story.ended(await first.startHere("Do it."));
    const failed = await first.startHere("PLEASE-FAIL");
    await first.story.ended(failed);

    const [repair] = await waitFor(async () => {
      const runs = await second.story.runs();
      return runs.length > 0 ? runs : undefined;
    });
    const webhook = await second.story.webhook("upstream");
    const deliveries = await waitFor(async () => {
      const found = await second.story.deliveries(webhook.uid);
      return found.length === 2 ? found : undefined;
    });
    expect(deliveries.map(({ outcome }) => outcome)).toEqual(["Accepted", "Accepted"]);
    const origin = deliveries.find(({ run_ids }) => run_ids.length === 1);
    expect(repair).toMatchObject({ delivery_id: origin?.delivery_id });
    expect(origin?.identity?.value).toMatch(/^msg_/);
    const ended = await second.story.ended(repair?.run_id ?? "");
    expect(ended.state).toBe("SUCCEEDED");

    // What is sent again is known to the second server by its id.
    const path = `/factories/${first.factory}/outbound/downstream/deliveries`;
    const sent = await first.server.api<{ deliveries: { id: string; webhook_id: string }[] }>("GET", path);
    const again = sent.deliveries.find(({ webhook_id }) => webhook_id === origin?.identity?.value);
    await first.server.api("POST", `${path}/${again?.id}/redeliver`);
    await waitFor(async () =>
      (await second.story.deliveries(webhook.uid)).some(({ outcome }) => outcome === "Duplicate"),
    );
    expect(await second.story.runs()).toHaveLength(1);
  });
});
