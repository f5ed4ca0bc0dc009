import { describe, expect, test } from "vitest";
import type { components } from "../../../src/client/api-types.ts";
import { movableClock } from "../../given/clockwork.ts";
import {
  type Created,
  listeningTo,
  managedBy,
  type Rotated,
  serveManaged,
  type Webhook,
} from "../../given/managed.ts";
import { onSqlite } from "../../given/postgres.ts";
import { waitFor } from "../../given/server.ts";

type Models = components["schemas"];
type Kept = Awaited<ReturnType<typeof serveManaged>>;

const rotate = async (kept: Kept, uid: string, body: object = {}) =>
  (await kept.call<Rotated>("POST", `/webhooks/${uid}/rotate-secret`, { body })).body;
const show = async (kept: Kept, uid: string) => (await kept.call<Webhook>("GET", `/webhooks/${uid}`)).body;
const tried = async (kept: Kept, { url }: Pick<Created, "url">, ...secrets: (string | undefined)[]) =>
  Promise.all(secrets.map((secret) => kept.deliver(url, secret)));
const HOUR = 3_600_000;

describe("a rotation with an overlap", () => {
  // With PostgreSQL, the clock of the database counts, which nobody moves here.
  onSqlite(
    "leaves both secrets in force until it ends, and tells who still uses the previous one",
    async () => {
      const clock = movableClock();
      const kept = await serveManaged({ env: clock.env, sharesProcess: false });
      const { uid, url, secret: first = "" } = await kept.create({ name: "ci" });
      const { secret: second = "", previous_secret: previous } = await rotate(kept, uid, { overlap: "24h" });
      expect(Date.parse(previous?.until ?? "") - Date.now()).toBeGreaterThan(23 * HOUR);
      expect(previous).toMatchObject({ last_used_at: null, senders: [] });
      expect(await tried(kept, { url }, first, second, "neither")).toEqual([202, 202, 401]);

      const { deliveries } = (await kept.call<Models["DeliveryList"]>("GET", `/webhooks/${uid}/deliveries`))
        .body;
      expect(deliveries.map(({ outcome, proved_by }) => `${outcome} ${proved_by}`).sort()).toEqual([
        ...["Accepted current", "Accepted previous", "Rejected (auth) null"],
      ]);
      const used = deliveries.find(({ proved_by }) => proved_by === "previous");
      expect((await show(kept, uid)).previous_secret).toEqual({
        until: previous?.until,
        last_used_at: used?.time,
        senders: [{ address: "127.0.0.1", user_agent: "node", deliveries: 1, last_delivery_at: used?.time }],
      });

      clock.set(24 * HOUR + 1_000);
      await waitFor(async () => (await show(kept, uid)).previous_secret === null);
      expect(await tried(kept, { url }, first, second)).toEqual([401, 202]);
    },
  );

  test("goes on over other changes of the definition and over a restart", async () => {
    const kept = await serveManaged();
    const { uid, url, secret: first = "" } = await kept.create({ name: "ci" });
    const { secret: second = "" } = await rotate(kept, uid, { overlap: "1h" });
    await kept.create({ name: "another" });
    await kept.call("PUT", "/automations/a", {
      body: { content: listeningTo("ci") },
      headers: { "if-none-match": "*" },
    });
    await kept.server.api("POST", "/factories/default/sync?wait=true");
    expect(await tried(kept, { url }, first, second)).toEqual([202, 202]);
    await kept.server.stop();
    const again = await serveManaged({ dataDir: kept.server.dataDir });
    const { pathname } = new URL(url);
    expect(await tried(again, { url: again.server.url + pathname }, first, second)).toEqual([202, 202]);
  });

  test("ends at once when somebody ends it, and with the next rotation", async () => {
    const kept = await serveManaged();
    const { uid, url, secret: first = "" } = await kept.create({ name: "ci" });
    const { secret: second = "" } = await rotate(kept, uid, { overlap: "7d" });
    const { status, body } = await kept.call<Webhook>("POST", `/webhooks/${uid}/end-overlap`);
    expect([status, body.previous_secret]).toEqual([200, null]);
    expect(await tried(kept, { url }, first, second)).toEqual([401, 202]);
    // Once more changes nothing.
    expect((await kept.call("POST", `/webhooks/${uid}/end-overlap`)).status).toBe(200);

    const { secret: third = "" } = await rotate(kept, uid, { overlap: "7d" });
    const { secret: fourth = "" } = await rotate(kept, uid, { overlap: "7d" });
    expect(await tried(kept, { url }, second, third, fourth)).toEqual([401, 202, 202]);
    const { secret: fifth = "", previous_secret } = await rotate(kept, uid);
    expect(previous_secret).toBeNull();
    expect(await tried(kept, { url }, third, fourth, fifth)).toEqual([401, 401, 202]);
  });

  test("counts for all webhooks that share the secret, in other factories too", async () => {
    const kept = await serveManaged();
    await kept.server.api("POST", "/factories", { name: "other" });
    const other = managedBy(kept.server, "other");
    await kept.server.api("PUT", "/secrets/SHARED", { value: "the-first-value-of-it", shared: true });
    const first = await kept.create({ name: "one", secret_name: "SHARED" });
    const second = await kept.create({ name: "two", secret_name: "SHARED" });
    const elsewhere = await other.create({ name: "three", secret_name: "SHARED" });
    const { secret = "", also_rotated } = await rotate(kept, first.uid, { overlap: "1h" });
    expect(also_rotated).toEqual(["two", "other/three"]);
    for (const webhook of [first, second, elsewhere])
      expect(await tried(kept, webhook, "the-first-value-of-it", secret)).toEqual([202, 202]);
    await kept.call("POST", `/webhooks/${first.uid}/end-overlap`);
    expect(await tried(kept, first, "the-first-value-of-it")).toEqual([401]);
    expect(await tried(kept, second, "the-first-value-of-it")).toEqual([202]);
  });

  test("is that of a token in the URL as well", async () => {
    const kept = await serveManaged();
    const { uid, url: first } = await kept.create({ name: "link", auth_mode: "url_token" });
    const { url: second } = await rotate(kept, uid, { overlap: "1h" });
    expect([await kept.deliver(first), await kept.deliver(second)]).toEqual([202, 202]);
    await kept.call("POST", `/webhooks/${uid}/end-overlap`);
    expect([await kept.deliver(first), await kept.deliver(second)]).toEqual([401, 202]);
  });

  test.each(["0h", "31d", "1w", "soon", "-1h"])("is refused as %s", async (overlap) => {
    const kept = await serveManaged();
    const { uid, url, secret } = await kept.create({ name: "ci" });
    const { status, body } = await kept.call("POST", `/webhooks/${uid}/rotate-secret`, { body: { overlap } });
    expect([status, body.field]).toEqual([400, "overlap"]);
    expect(await kept.deliver(url, secret)).toBe(202);
  });
});

test("under load, no sender is refused within the overlap, and all with the previous secret after it", async () => {
  const kept = await serveManaged({
    env: { MILLRACE_DELIVERIES_PER_MINUTE: "1000000", MILLRACE_FAILED_AUTH_PER_MINUTE: "1000000" },
  });
  const { uid, url, secret: first = "" } = await kept.create({ name: "ci" });
  const answers: { status: number; endedBefore: boolean }[] = [];
  let [isOver, isEnded] = [false, false];
  const senders = Array.from({ length: 8 }, async () => {
    while (!isOver) {
      const endedBefore = isEnded;
      answers.push({ status: await kept.deliver(url, first), endedBefore });
    }
  });
  const { secret: second = "" } = await rotate(kept, uid, { overlap: "1h" });
  for (let n = 0; n < 100; n += 1) expect(await kept.deliver(url, second)).toBe(202);
  const within = answers.length;
  await kept.call("POST", `/webhooks/${uid}/end-overlap`);
  isEnded = true;
  for (let n = 0; n < 100; n += 1) expect(await kept.deliver(url, second)).toBe(202);
  isOver = true;
  await Promise.all(senders);
  expect(within).toBeGreaterThan(20);
  expect(new Set(answers.slice(0, within).map(({ status }) => status))).toEqual(new Set([202]));
  const after = answers.filter(({ endedBefore }) => endedBefore);
  expect(after.length).toBeGreaterThan(20);
  expect(after[0]?.status).toBe(401);
  // Of many refusals, not each one is recorded: the others are told to wait.
  expect(after.filter(({ status }) => status !== 401 && status !== 429)).toEqual([]);
}, 60_000);
