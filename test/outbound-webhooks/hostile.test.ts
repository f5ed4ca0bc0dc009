import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { components } from "../../src/client/api-types.ts";
import { aKey, ask } from "../given/ask.ts";
import { FACTORY } from "../given/definition.ts";
import { folderWith } from "../given/folder.ts";
import { outboundFile, serverThatPosts } from "../given/outbound.ts";
import { onSqlite } from "../given/postgres.ts";
import { LOOPBACK_ALLOWED, receiver, SIGNING_SECRET } from "../given/receiver.ts";
import { startServer, waitFor } from "../given/server.ts";
import { storyOf } from "../given/story.ts";
import { TOLD_AGENT } from "../given/told-server.ts";

type Deliveries = components["schemas"]["OutboundDeliveryList"];

const named = (name: string, url: string) =>
  folderWith({
    ...FACTORY,
    "factory.yaml": String(FACTORY["factory.yaml"]).replace("acme", name),
    "outbound/ops.yaml": outboundFile(url, ["run.ended"]),
  });

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
      const { factories } = await server.api<{ factories: { uid: string }[] }>("GET", "/factories");
      for (const { uid } of factories) await server.api("POST", `/factories/${uid}/sync?wait=true`);
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
    const waiting = async () =>
      /^millrace_outbound_events_waiting (\d+)$/m.exec(await (await server.metrics()).text())?.[1];
    await waitFor(async () => (await waiting()) === "0");
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
    const target = await receiver();
    target.answer(503);
    const acme = named("acme", target.url);
    const options = { agent: TOLD_AGENT, env: LOOPBACK_ALLOWED, sharesProcess: false };
    const first = await startServer({ ...options, sources: [acme] });
    await first.api("PUT", "/secrets/OUTBOUND", { value: SIGNING_SECRET, shared: true });
    const story = storyOf(first);
    await story.sync();
    const { run_id } = await first.api<{ run_id: string }>("POST", "/agent/runs", {
      ...{ prompt: "Do it.", factory: "acme" },
    });
    await waitFor(async () => target.requests.length > 0);
    await first.stop();

    const { dataDir } = first;
    const other = await startServer({ ...options, dataDir, sources: [named("other", target.url)] });
    await waitFor(async () => (await other.metrics()).ok);
    const waiting = async () =>
      /^millrace_outbound_events_waiting (\d+)$/m.exec(await (await other.metrics()).text())?.[1];
    await sleep(1_000);
    expect(await waiting()).toBe("1");
    await other.stop();

    target.answer(204);
    const before = target.requests.length;
    await startServer({ ...options, dataDir, sources: [acme] });
    await waitFor(async () => target.requests.length > before, 30);
    expect(target.requests.at(-1)?.json.data.run_id).toBe(run_id);
  });
});
