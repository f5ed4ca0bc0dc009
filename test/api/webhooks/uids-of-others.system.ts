import { describe, expect, test } from "vitest";
import { newUid, newUuid } from "../../../src/id.ts";
import { ask, makeKey } from "../../given/ask.ts";
import { recordDelivery } from "../../given/factory.ts";
import { managedBy, serveManaged } from "../../given/managed.ts";
import { aDelivery, storeOf } from "../../given/store.ts";

/** A server with the webhook "ci", a key for its factory alone, and the log of deliveries as the server writes it. */
async function withWebhook() {
  const kept = await serveManaged();
  const { server } = kept;
  const { uid } = await kept.create({ name: "ci" });
  const { key } = await makeKey(server, { name: "tenant", role: "admin", factories: ["default"] });
  const store = await storeOf(server);
  const { deliveries, connection } = store;
  const asTenant = (method: string, rest: string, body?: unknown) =>
    ask(server, method, `/factories/default${rest}`, { key, ...(body === undefined ? {} : { body }) });
  return { server, kept, uid, store, deliveries, connection, asTenant, key };
}

describe("deliveries that another factory had under the uid of a webhook", () => {
  /** Two deliveries of the deleted factory, and one of the tenant's own. */
  async function withForeign() {
    const given = await withWebhook();
    const [{ uid: factoryUid = "" } = {}] = (
      await given.server.api<{ factories: { uid: string }[] }>("GET", "/factories")
    ).factories;
    const foreign = [aDelivery({ webhookUid: given.uid, factoryUid: newUid() })];
    for (const delivery of foreign) await recordDelivery(given.store, delivery);
    await given.deliveries.recordRefusal({
      id: newUuid(),
      factoryUid: newUid(),
      webhookUid: given.uid,
      time: new Date().toISOString(),
      outcome: "Rejected (auth)",
      size: 1,
      reason: "no token",
      sender: null,
    });
    const own = aDelivery({ webhookUid: given.uid, factoryUid });
    await recordDelivery(given.store, own);
    return { ...given, own, foreign };
  }

  test("are in no list and no count of a key for the webhook's factory", async () => {
    const { uid, own, asTenant, server, key } = await withForeign();
    const listed = await asTenant("GET", `/webhooks/${uid}/deliveries`);
    expect((listed.body.deliveries as { delivery_id: string }[]).map((each) => each.delivery_id)).toEqual([
      own.id,
    ]);
    expect((await asTenant("GET", `/webhooks/${uid}/traffic`)).body).toMatchObject({
      deliveries: 1,
      deliveries_7_days: 1,
      last_delivery_at: own.time,
    });
    const activity = await ask<{ webhooks: { latest: object[] }[] }>(server, "GET", "/activity/webhooks", {
      key,
    });
    expect(activity.body.webhooks.map(({ latest }) => latest.length)).toEqual([1]);
  });

  test("are not deleted with the webhook's own", async () => {
    const { uid, connection, asTenant } = await withForeign();
    expect((await asTenant("DELETE", `/webhooks/${uid}/deliveries`)).body).toEqual({ deleted: 1, kept: 0 });
    const [left] = await connection.all<{ count: number }>("SELECT COUNT(*) AS count FROM deliveries");
    expect(left?.count).toBe(2);
  });

  test("do not decide whether it is used, and do not follow it to another uid", async () => {
    const { uid, own, deliveries, connection, asTenant } = await withForeign();
    const since = new Date(0).toISOString();
    expect(await deliveries.findLastDelivered(own.factoryUid, [uid], since)).toEqual({ [uid]: own.time });
    expect(await deliveries.findLastDelivered("nobody", [uid], since)).toEqual({});
    expect(
      (await deliveries.listBodies({ factoryUid: own.factoryUid, uid }, { since })).deliveries,
    ).toHaveLength(1);
    const former = newUid();
    expect((await asTenant("POST", `/webhooks/${uid}/adopt`, { uid: former })).status).toBe(200);
    const logged = await connection.all<{ webhook_uid: string; count: number }>(
      "SELECT webhook_uid, COUNT(*) AS count FROM deliveries GROUP BY webhook_uid ORDER BY count",
    );
    expect(logged).toEqual([
      { webhook_uid: former, count: 1 },
      { webhook_uid: uid, count: 2 },
    ]);
  });
});

test("a delivery is not sent again to the webhook of another factory that has its webhook's uid", async () => {
  const { server, uid, store, connection } = await withWebhook();
  const other = await server.api<{ uid: string }>("POST", "/factories", { name: "other" });
  const delivery = aDelivery({ webhookUid: uid, factoryUid: other.uid });
  await recordDelivery(store, delivery);
  const again = await ask(server, "POST", `/factories/other/deliveries/${delivery.id}/redeliver`);
  expect([again.status, again.body.detail]).toEqual([409, expect.stringContaining("cannot be redelivered")]);
  const [left] = await connection.all<{ count: number }>("SELECT COUNT(*) AS count FROM deliveries");
  expect(left?.count).toBe(1);
});

describe("the uid of a webhook of a deleted factory", () => {
  test.each([
    ["while it had the webhook", false],
    ["after it had deleted the webhook", true],
  ])("cannot be adopted, also when no delivery of it is left: %s", async (_, deletesFirst) => {
    const { server, kept, uid } = await withWebhook();
    await server.api("POST", "/factories", { name: "old" });
    const old = managedBy(server, "old");
    const { uid: former } = await old.create({ name: "ci" });
    if (deletesFirst) expect((await old.change("DELETE", `/webhooks/${former}`)).status).toBe(204);
    await server.api("DELETE", "/factories/old");
    const adopted = await kept.call("POST", `/webhooks/${uid}/adopt`, { body: { uid: former } });
    expect([adopted.status, adopted.body.detail]).toEqual([
      409,
      `The UID "${former}" belongs or belonged to another resource on this server.`,
    ]);
  });
});

test("a webhook takes back a uid that it had before, with its deliveries and its pause", async () => {
  const { server, kept, uid, store } = await withWebhook();
  const { uid: factoryUid } = await kept.factory();
  const own = aDelivery({ webhookUid: uid, factoryUid });
  await recordDelivery(store, own);
  const { id } = await server.api<{ id: string }>("POST", "/pauses", { factory: "default", webhook: "ci" });
  const former = newUid();
  const pausedUids = async () =>
    (await server.api<{ pauses: { webhook_uid: string }[] }>("GET", "/pauses")).pauses.map(
      ({ webhook_uid }) => webhook_uid,
    );
  for (const [from, to] of [
    [uid, former],
    [former, uid],
  ] as const) {
    const adopted = await kept.call("POST", `/webhooks/${from}/adopt`, { body: { uid: to } });
    expect([adopted.status, await pausedUids()]).toEqual([200, [to]]);
    const listed = await kept.call<{ deliveries: object[] }>("GET", `/webhooks/${to}/deliveries`);
    expect(listed.body.deliveries).toHaveLength(1);
  }
  expect((await ask(server, "DELETE", `/pauses/${id}`)).status).toBe(204);
});
