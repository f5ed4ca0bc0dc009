import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { ALWAYS_LEADER } from "../../src/concurrency/rounds.ts";
import { silentLog } from "../../src/log.ts";
import { startNotifications } from "../../src/messages/notifications.ts";
import type { Factory } from "../../src/reconcile/running-factory.ts";
import { aStoreOf } from "../given/factory.ts";
import { aDelivery } from "../given/store.ts";

test("changes of before the start are not passed by where only a definition names targets", async () => {
  const store = await aStoreOf("factory");
  const before = await store.notifications.follow();
  await store.deliveries.record(aDelivery());
  const notify = [{ name: "ops", kind: "slack", url: "https://chat.test/", events: ["run.failed"] }];
  const factory = {
    record: { uid: "factory", name: "acme" },
    active: { definition: { factory: { notify } } },
  } as unknown as Factory;
  const notifier = startNotifications({
    leadership: ALWAYS_LEADER,
    settings: [],
    catchUp: async () => {},
    smtp: undefined,
    store: store.notifications,
    factories: { find: () => factory, list: () => [factory] } as never,
    deliveries: store.deliveries,
    publicUrl: () => "http://localhost",
    nextCommit: (_, signal) => sleep(10, undefined, { signal }).catch(() => {}),
    client: () => Promise.reject(new Error("nothing is sent")),
    vault: { open: async () => new Map() },
    env: {},
    onEnded() {},
    log: silentLog,
    now: () => new Date(),
  });
  await expect.poll(() => store.notifications.findProgress()).toMatchObject({ isActive: true });
  // It would pass them by at once.
  await sleep(100);
  await notifier.stop();
  expect(await store.notifications.findProgress()).toEqual({
    seq: before,
    newest: before + 1,
    isActive: true,
  });
});
