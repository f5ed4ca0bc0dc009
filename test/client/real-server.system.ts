import { describe, expect, test } from "vitest";
import {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  Millrace,
  NotFoundError,
  PermissionDeniedError,
} from "../../src/client/client.ts";
import { sharedByFile } from "../given/cleanup.ts";
import { automationOn, FACTORY, TOKEN_WEBHOOK } from "../given/definition.ts";
import { cuttingProxy } from "../given/proxies.ts";
import { ADMIN_KEY } from "../given/server.ts";
import { serving } from "../given/serving.ts";

const stage = sharedByFile(async () => {
  const files = {
    ...FACTORY,
    "webhooks/ci.yaml": TOKEN_WEBHOOK,
    "automations/a.md": automationOn(["ci"], { go: [true] }),
  };
  const agent =
    "for (let n = 0; n < 5; n += 1) { console.log(n); await new Promise((r) => setTimeout(r, 100)); }";
  const { server, story } = await serving(files, { CI_SECRET: "x" }, { agent });
  const webhook = await story.webhook("ci");
  const deliveryId = await story.accept(webhook.url, "x", '{ "go": true }');
  return { server, deliveryId, millrace: new Millrace({ baseUrl: server.url, apiKey: ADMIN_KEY }) };
});

const LINES = "0\n1\n2\n3\n4\n";

describe("runs", () => {
  test("are started, followed, waited on until they end, and read", async () => {
    const { runs } = stage().millrace;
    const attachments = [{ file_name: "a.bin", mime_type: "application/octet-stream", data: "AP8=" }];
    const { run_id } = await runs.create({ prompt: "Do it.", title: "Mine", attachments });
    let followed = "";
    for await (const { event, data } of runs.follow(run_id)) {
      if (event === "output") followed += data.text;
      else expect(data).toEqual({ state: "SUCCEEDED" });
    }
    expect(followed).toBe(LINES);
    expect(await runs.wait(run_id)).toMatchObject({ title: "Mine", state: "SUCCEEDED" });
    expect(await runs.transcript(run_id)).toBe(LINES);
    expect(await runs.listAttachments(run_id)).toEqual({
      attachments: [{ name: "a.bin", size: 2, mime_type: "application/octet-stream" }],
    });
    expect([...(await runs.attachment(run_id, "a.bin"))]).toEqual([0, 255]);
  });

  test("are followed over connections that are cut, without losing or repeating a line", async () => {
    const { server, millrace } = stage();
    const { run_id } = await millrace.runs.create({ prompt: "Do it." });
    // Before the first event, in the middle of it, and behind it.
    const { url, connections } = await cuttingProxy(server.url, [0, 60, 130]);
    const { runs } = new Millrace({ baseUrl: url, apiKey: ADMIN_KEY });
    let followed = "";
    for await (const { event, data } of runs.follow(run_id)) if (event === "output") followed += data.text;
    expect(followed).toBe(LINES);
    expect(connections()).toBe(4);
  });

  test("can be waited on from their start", async () => {
    const { runs } = stage().millrace;
    const { run_id, state } = await runs.create({ prompt: "Do it." });
    expect(state).toBe("QUEUED");
    expect(await runs.wait(run_id)).toMatchObject({ state: "SUCCEEDED" });
  });

  test("are listed through all their pages", async () => {
    const { runs } = stage().millrace;
    for (const title of ["1", "2", "3"]) {
      await runs.wait((await runs.create({ prompt: "p", title })).run_id);
    }
    const all = await runs.list({ limit: 500 }).toArray();
    const paged = await runs.list({ limit: 2, state: ["SUCCEEDED"] }).toArray();
    expect(paged.map(({ run_id }) => run_id)).toEqual(all.map(({ run_id }) => run_id));
  });

  test("of a form that is wrong do not compile, and are refused", async () => {
    const { runs } = stage().millrace;
    // @ts-expect-error a title is a text
    await expect(runs.create({ prompt: "p", title: 7 })).rejects.toThrow(BadRequestError);
    // @ts-expect-error there is no such state
    await expect(runs.list({ state: ["NOPE"] })).rejects.toThrow(BadRequestError);
  });
});

test("factories and what belongs to them are read and acted on", async () => {
  const { millrace, deliveryId } = stage();
  const { factories, webhooks, deliveries, automations } = millrace;
  const [factory] = await factories.list().toArray();
  const uid = factory?.uid ?? "";
  expect(await factories.get("acme")).toEqual(factory);
  expect((await factories.sync("acme", { wait: true })).sync.status).toBe("synced");
  const [webhook] = await webhooks.list("acme").toArray();
  expect(await webhooks.get(uid, webhook?.uid ?? "")).toEqual(webhook);
  const sent = await webhooks.sendTestDelivery("acme", webhook?.uid ?? "", { body: { go: false } });
  expect(sent.status).toBe(202);
  expect((await deliveries.explain("acme", deliveryId)).automations[0]?.result).toBe("Would trigger");
  expect(await deliveries.get("acme", deliveryId)).toMatchObject({ payload: { go: true } });
  expect(new TextDecoder().decode(await deliveries.payload("acme", deliveryId))).toBe('{ "go": true }');
  const again = await deliveries.redeliver("acme", deliveryId);
  expect(again).toMatchObject({ redelivery_of: deliveryId, outcome: "Accepted" });
  const ids = await deliveries.list("acme", webhook?.uid ?? "", { limit: 1 }).toArray();
  expect(ids.map(({ delivery_id }) => delivery_id)).toEqual([
    again.delivery_id,
    sent.delivery_id,
    deliveryId,
  ]);
  const [automation] = await automations.list("acme").toArray();
  expect(await automations.get("acme", "a")).toEqual(automation);
  const tested = await automations.testFilter("acme", { payload: { go: [true] }, body: { go: false } });
  expect(tested.result).toBe("Would not trigger");
});

test("secrets and keys are created and deleted", async () => {
  const { secrets, apiKeys } = stage().millrace;
  expect(await secrets.set("OTHER", "value")).toMatchObject({ name: "OTHER" });
  expect((await secrets.list().toArray()).map(({ name }) => name)).toEqual(["CI_SECRET", "OTHER"]);
  expect(await secrets.delete("OTHER")).toBeUndefined();
  const { id } = await apiKeys.create({ name: "ci" });
  expect(await apiKeys.revoke(id)).toBeUndefined();
  expect((await apiKeys.list().toArray()).find((key) => key.id === id)?.revoked_at).not.toBeNull();
});

test("refusals say what happened and what to do", async () => {
  const { server, millrace } = stage();
  const unknown = await millrace.factories.get("nobody").catch((error: unknown) => error);
  expect(unknown).toBeInstanceOf(NotFoundError);
  expect(unknown).toMatchObject({
    status: 404,
    code: "resource_not_found",
    remedy: expect.stringContaining("millrace status"),
    traceId: expect.any(String),
  });
  await expect(millrace.secrets.delete("CI_SECRET")).rejects.toThrow(ConflictError);
  const stranger = new Millrace({ baseUrl: server.url, apiKey: "wrong" });
  await expect(stranger.runs.list()).rejects.toThrow(AuthenticationError);
  const { key } = await millrace.apiKeys.create({ name: "viewer", role: "viewer" });
  const viewer = new Millrace({ baseUrl: server.url, apiKey: key });
  await expect(viewer.runs.create({ prompt: "p" })).rejects.toThrow(PermissionDeniedError);
});

test("an endpoint without a method is reached, and an answer shows its headers", async () => {
  const { millrace } = stage();
  const described = await millrace.request<{ openapi: string }>("GET", "/openapi.json");
  expect(described.openapi).toBe("3.1.0");
  const { response } = await millrace.runs.list().withResponse();
  expect([response.status, response.headers.get("millrace-api")]).toEqual([200, "v1"]);
});
