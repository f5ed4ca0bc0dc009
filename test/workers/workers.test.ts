import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { openWorkers, pruneProcesses } from "../../src/workers/workers.ts";
import { aStore } from "../given/store.ts";
import { someFacts } from "../given/workers.ts";

const ANN = { uid: "ann", type: "user", displayName: "Ann" } as const;
const NOON = Date.parse("2026-11-21T12:00:00.000Z");
const MINUTE = 60_000;

async function someWorkers() {
  const store = (await aStore()).workers;
  let passed = 0;
  const now = () => new Date(NOON + passed);
  const workers = await openWorkers({ store, now });
  return {
    store,
    workers,
    now,
    make: (name: string, labels: string[] = [], factories: string[] | null = null) =>
      workers.create({ name, labels, factories, createdBy: ANN }),
    passTime: (ms: number) => {
      passed += ms;
    },
  };
}

describe("the token of a worker", () => {
  test("is recognised in the header of a request, until the worker is revoked", async () => {
    const { workers, make } = await someWorkers();
    const { worker, token } = await make("gpu");
    expect(token).toMatch(/^mrw_[A-Za-z0-9]{40}$/);
    expect(await workers.authenticate(`Bearer ${token}`)).toEqual(worker);
    expect(await workers.authenticate(`bearer  ${token}`)).toEqual(worker);
    await workers.revoke(worker.id);
    expect(await workers.authenticate(`Bearer ${token}`)).toBeUndefined();
    await expect(workers.find(worker.id)).rejects.toMatchObject({ code: "resource_not_found" });
    await expect(workers.revoke(worker.id)).rejects.toMatchObject({ code: "resource_not_found" });
  });

  test("is kept as its hash alone, and nothing that is not one is looked for", async () => {
    const { store, workers, make } = await someWorkers();
    const { worker, token } = await make("gpu");
    const hash = createHash("sha256").update(token).digest("hex");
    expect(await store.findByToken(hash)).toEqual(worker);
    expect(JSON.stringify([worker, await store.list()])).not.toContain(token);
    expect(worker.prefix).toBe(token.slice(0, 9));
    const others = [
      undefined,
      "",
      token,
      `Basic ${token}`,
      `Bearer ${token}x`,
      `Bearer ${hash}`,
      "Bearer mr_x",
    ];
    for (const other of others) expect(await workers.authenticate(other)).toBeUndefined();
  });

  test("opens no other worker of the same name", async () => {
    const { workers, make } = await someWorkers();
    const [one, other] = [await make("pool"), await make("pool")];
    expect((await workers.authenticate(`Bearer ${one.token}`))?.id).toBe(one.worker.id);
    await workers.revoke(one.worker.id);
    expect((await workers.authenticate(`Bearer ${other.token}`))?.id).toBe(other.worker.id);
  });
});

describe("a worker", () => {
  test("is connected while a process of it is seen, and offline afterwards", async () => {
    const { workers, make, passTime } = await someWorkers();
    const { worker } = await make("gpu");
    expect(await workers.find(worker.id)).toEqual({
      worker,
      state: "offline",
      connected: [],
      last: undefined,
    });
    await workers.seen(worker, "one", someFacts());
    const { state, connected } = await workers.find(worker.id);
    expect([state, connected.length, connected[0]?.connectedAt]).toEqual([
      "connected",
      1,
      new Date(NOON).toISOString(),
    ]);
    passTime(MINUTE);
    expect((await workers.find(worker.id)).state).toBe("connected");
    passTime(1);
    const away = await workers.find(worker.id);
    expect([away.state, away.connected, away.last?.version]).toEqual(["offline", [], "1.2.3"]);
  });

  test("that was away connects anew, and one that was not stays connected since it did", async () => {
    const { workers, make, passTime, now } = await someWorkers();
    const { worker } = await make("gpu");
    const connectedAt = async () => (await workers.find(worker.id)).connected[0]?.connectedAt;
    await workers.seen(worker, "one", someFacts());
    passTime(MINUTE / 2);
    await workers.seen(worker, "one", someFacts());
    expect(await connectedAt()).toBe(new Date(NOON).toISOString());
    passTime(MINUTE + 1);
    await workers.seen(worker, "one", someFacts());
    expect(await connectedAt()).toBe(now().toISOString());
    await workers.left(worker, "one");
    expect((await workers.find(worker.id)).state).toBe("offline");
    passTime(1_000);
    await workers.seen(worker, "one", someFacts());
    expect(await connectedAt()).toBe(now().toISOString());
  });

  test("has as many processes as use its token, each with its load", async () => {
    const { workers, make } = await someWorkers();
    const { worker } = await make("gpu", ["gpu"], ["factory-uid"]);
    await workers.seen(worker, "one", someFacts({ executing: 2 }));
    await workers.seen(worker, "two", someFacts({ executing: 3, labels: ["eu"] }));
    const common = {
      id: worker.id,
      name: "gpu",
      labels: ["gpu"],
      factories: ["factory-uid"],
      isDraining: false,
    };
    expect(workers.connected()).toMatchObject([
      { ...common, processUid: "one", executing: 2, concurrency: 4 },
      { ...common, processUid: "two", executing: 3 },
    ]);
  });

  test("has the labels that it was granted, whatever its processes report; without any, those that they report", async () => {
    const { workers, make } = await someWorkers();
    const [bound, free] = [await make("bound", ["eu"]), await make("free")];
    for (const { worker } of [bound, free])
      await workers.seen(worker, "one", someFacts({ labels: ["secret", "gpu", "gpu"] }));
    const labels = workers.connected().map((each) => [each.name, each.labels]);
    expect(labels).toEqual([
      ["bound", ["eu"]],
      ["free", ["gpu", "secret"]],
    ]);
  });

  test("that is drained stays so since it began, until its drain ends", async () => {
    const { workers, make, passTime } = await someWorkers();
    const { worker } = await make("gpu");
    await workers.seen(worker, "one", someFacts());
    expect(await workers.setDraining(worker.id, true)).toMatchObject({ state: "draining" });
    passTime(1_000);
    const { worker: drained } = await workers.setDraining(worker.id, true);
    expect(drained.drainingSince).toBe(new Date(NOON).toISOString());
    expect(workers.connected()).toMatchObject([{ isDraining: true }]);
    expect(await workers.setDraining(worker.id, false)).toMatchObject({ state: "connected" });
    await expect(workers.setDraining("nothing", true)).rejects.toMatchObject({ code: "resource_not_found" });
  });

  test("that was revoked while it was connected is told so, and leaves no process behind", async () => {
    const { store, workers, make } = await someWorkers();
    const { worker } = await make("gpu");
    await workers.seen(worker, "one", someFacts());
    await workers.revoke(worker.id);
    const again = workers.seen(worker, "one", someFacts({ executing: 3 }));
    await expect(again).rejects.toMatchObject({ code: "resource_not_found" });
    expect(await store.listProcesses()).toEqual([]);
  });
});

describe("the processes that runs are matched against", () => {
  test("are those that were seen lately, from before a restart too", async () => {
    const { store, workers, make, passTime, now } = await someWorkers();
    const { worker } = await make("gpu");
    for (const uid of ["stays", "leaves"]) await workers.seen(worker, uid, someFacts());
    await workers.left(worker, "leaves");
    const uids = (of: typeof workers) => of.connected().map(({ processUid }) => processUid);
    const restarted = await openWorkers({ store, now });
    expect([uids(workers), uids(restarted)]).toEqual([["stays"], ["stays"]]);
    passTime(MINUTE + 1);
    expect([uids(workers), uids(restarted)]).toEqual([[], []]);
    await restarted.seen(worker, "stays", someFacts());
    expect(uids(restarted)).toEqual(["stays"]);
    await restarted.revoke(worker.id);
    expect(uids(restarted)).toEqual([]);
  });

  test("are there while they are seen, also between two writes", async () => {
    const { workers, make, passTime } = await someWorkers();
    const { worker } = await make("gpu");
    for (let seconds = 0; seconds < 300; seconds += 10) {
      await workers.seen(worker, "one", someFacts());
      passTime(10_000);
      expect(workers.connected()).toHaveLength(1);
      expect((await workers.find(worker.id)).state).toBe("connected");
    }
  });
});

describe("what a process reports", () => {
  test.each([
    [{ labels: ["Not a label"] }, "labels"],
    [{ labels: Array.from({ length: 33 }, (_, n) => `l${n}`) }, "labels"],
    [{ version: "x".repeat(65) }, "version"],
    [{ version: "1.0\u001b[31m" }, "version"],
    [{ platform: { os: "linux", arch: "" } }, "platform"],
    [{ sandbox: "<b>" }, "sandbox"],
    [{ shape: { vcpus: -1, memoryGb: 1 } }, "shape"],
    [{ shape: { vcpus: Number.NaN, memoryGb: 1 } }, "shape"],
    [{ concurrency: 0 }, "concurrency"],
    [{ concurrency: 1.5 }, "concurrency"],
    [{ executing: 1e9 }, "executing"],
  ])("is refused when it is absurd: %o", async (changes, field) => {
    const { store, workers, make } = await someWorkers();
    const { worker } = await make("gpu");
    const seen = workers.seen(worker, "one", someFacts(changes));
    await expect(seen).rejects.toMatchObject({ code: "invalid_request", extra: { field } });
    expect(await store.listProcesses()).toEqual([]);
  });

  test("is written when it changes, and otherwise only now and then", async () => {
    const { store, workers, make, passTime } = await someWorkers();
    const { worker } = await make("gpu");
    const seenAt = async () => Date.parse((await store.listProcesses())[0]?.seenAt ?? "") - NOON;
    await workers.seen(worker, "one", someFacts());
    passTime(1_000);
    await workers.seen(worker, "one", someFacts());
    expect(await seenAt()).toBe(0);
    await workers.seen(worker, "one", someFacts({ executing: 2 }));
    expect(await seenAt()).toBe(1_000);
    passTime(MINUTE / 4);
    await workers.seen(worker, "one", someFacts({ executing: 2 }));
    expect(await seenAt()).toBe(1_000 + MINUTE / 4);
  });

  test("is kept of a bounded number of processes, the last ones, so that a stolen token fills nothing", async () => {
    const { store, make, now } = await someWorkers();
    const [{ worker }, { worker: other }] = [await make("gpu"), await make("other")];
    const away = now().toISOString();
    const keep = (workerId: string, uid: string, at: number) =>
      store.keepSeen(
        { workerId, uid, facts: someFacts(), at: new Date(NOON + at).toISOString(), awayBefore: away },
        3,
      );
    await keep(other.id, "stays", 0);
    for (const at of [1, 2, 3, 4, 5]) await keep(worker.id, `p${at}`, at);
    expect((await store.listProcesses(worker.id)).map(({ uid }) => uid).sort()).toEqual(["p3", "p4", "p5"]);
    // A clock that was set back makes no room at the cost of who comes now.
    await keep(worker.id, "p6", 0);
    expect((await store.listProcesses(worker.id)).map(({ uid }) => uid).sort()).toEqual(["p4", "p5", "p6"]);
    expect(await store.listProcesses(other.id)).toHaveLength(1);
  });

  test("is forgotten an hour after a process was last seen, but for the last one of each worker", async () => {
    const { store, workers, make, passTime, now } = await someWorkers();
    const [{ worker: one }, { worker: two }] = [await make("one"), await make("two")];
    const uids = async () => (await store.listProcesses()).map(({ uid }) => uid).sort();
    for (const uid of ["a", "b", "c"]) {
      await workers.seen(one, uid, someFacts());
      passTime(1_000);
    }
    await workers.seen(two, "d", someFacts());
    passTime(61 * MINUTE);
    await workers.seen(two, "e", someFacts());
    await pruneProcesses({ store, now });
    expect(await uids()).toEqual(["c", "e"]);
  });
});
