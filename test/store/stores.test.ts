import { describe, expect, test } from "vitest";
import type { Change } from "../../src/definitions/plan.ts";
import { newUid, newUuid } from "../../src/id.ts";
import type { Application } from "../../src/reconcile/factory.ts";
import { aDelivery, aRun, aStore } from "../given/store.ts";

const AT = "2026-11-21T10:00:00.000Z";
const LATER = "2026-11-21T11:00:00.000Z";

describe("secrets", () => {
  test("are put, listed without values, found and removed", async () => {
    const { secrets } = await aStore();
    await secrets.put({ name: "B", sealed: Buffer.from("1") }, AT);
    await secrets.put({ name: "A", sealed: Buffer.from("2") }, AT);
    expect(await secrets.put({ name: "B", sealed: Buffer.from("3") }, LATER)).toEqual({
      name: "B",
      created_at: AT,
      updated_at: LATER,
    });
    expect(await secrets.list()).toEqual([
      { name: "A", created_at: AT, updated_at: AT },
      { name: "B", created_at: AT, updated_at: LATER },
    ]);
    const found = await secrets.find(["B", "C"]);
    expect(found.map(({ name, sealed }) => [name, Buffer.from(sealed).toString()])).toEqual([["B", "3"]]);
    expect(await secrets.remove("B")).toBe(true);
    expect(await secrets.remove("B")).toBe(false);
  });

  test("tell whether anything is sealed", async () => {
    const { secrets } = await aStore();
    expect(await secrets.findWhetherAnythingIsSealed()).toBe(false);
    await secrets.put({ name: "A", sealed: Buffer.from("1") }, AT);
    expect(await secrets.findWhetherAnythingIsSealed()).toBe(true);
  });
});

describe("factories", () => {
  const factory = (name: string) => ({
    uid: newUid(),
    sourceKey: `folder:/${name}`,
    name,
    mode: "folder" as const,
    source: { path: `/${name}` },
    sync: {
      status: "pending" as const,
      attemptedRevision: null,
      attemptedAt: null,
      appliedRevision: null,
      appliedAt: null,
      problems: [],
    },
    createdAt: AT,
  });
  const change = (action: Change["action"], name: string, uid?: string): Change => {
    return {
      action,
      kind: "webhook",
      name,
      path: `webhooks/${name}.yaml`,
      uid,
      fields: [],
      body: `{"name":"${name}"}`,
      fingerprint: action,
    };
  };
  const application = (
    revision: string,
    changes: Change[],
    more: Partial<Application> = {},
  ): Application => ({
    id: newUuid(),
    revision: { id: revision, author: "Ann", message: "Change" },
    at: AT,
    problems: [],
    factoryName: "acme",
    changes,
    newUids: {},
    credentials: [],
    ...more,
  });

  test("of the same last name get a number until their definition names them", async () => {
    const { factories } = await aStore();
    expect((await factories.create(factory("a"))).name).toBe("a");
    expect((await factories.create({ ...factory("a"), sourceKey: "other" })).name).toBe("a-2");
  });

  test("still tell which revision counts after a later one was refused", async () => {
    const { factories } = await aStore();
    const { uid } = await factories.create(factory("a"));
    await factories.apply(uid, application("r1", []));
    const problem = {
      code: "FF_ALIAS" as const,
      message: "m",
      path: "p",
      line: 1,
      column: 1,
      severity: "error" as const,
    };
    await factories.recordFailure(uid, {
      id: newUuid(),
      revision: { id: "r2", author: undefined, message: undefined },
      at: LATER,
      problems: [problem],
    });
    const [record] = await factories.list();
    expect(record).toMatchObject({
      name: "acme",
      sync: {
        status: "failed",
        attemptedRevision: "r2",
        attemptedAt: LATER,
        appliedRevision: "r1",
        appliedAt: AT,
        problems: [problem],
      },
    });
    expect(
      (await factories.listRevisions(uid, { limit: 10 })).map(({ revision, outcome }) => [revision, outcome]),
    ).toEqual([
      ["r2", "failed"],
      ["r1", "applied"],
    ]);
  });

  test("give a name that comes back its old uid", async () => {
    const { factories } = await aStore();
    const { uid } = await factories.create(factory("a"));
    await factories.apply(
      uid,
      application("r1", [change("create", "ci")], { newUids: { "webhook/ci": "UID" } }),
    );
    await factories.apply(uid, application("r2", [change("delete", "ci", "UID")]));
    expect(await factories.listResources(uid)).toMatchObject([{ uid: "UID", deleted: true }]);
    await factories.apply(uid, application("r3", [change("create", "ci", "UID")]));
    expect(await factories.listResources(uid)).toMatchObject([{ uid: "UID", deleted: false, createdAt: AT }]);
  });

  test("apply nothing of a change when one part of it cannot be written", async () => {
    const { factories } = await aStore();
    const { uid } = await factories.create(factory("a"));
    await expect(
      factories.apply(
        uid,
        application("r1", [change("create", "one"), change("create", "two")], {
          newUids: { "webhook/one": "U" },
        }),
      ),
    ).rejects.toThrow("without a uid");
    expect(await factories.listResources(uid)).toEqual([]);
    expect((await factories.list())[0]?.sync.appliedRevision).toBeNull();
  });

  test("go on with another source, with all that was attempted from there", async () => {
    const { factories } = await aStore();
    const former = await factories.create(factory("former"));
    await factories.apply(former.uid, application("r1", []));
    const next = await factories.create(factory("next"));
    const refused = { ...application("r2", []), problems: [] };
    await factories.recordFailure(next.uid, refused);
    const takesOver = { formerSourceKey: former.sourceKey, replaced: next };
    expect(await factories.apply(former.uid, application("r3", [], { takesOver }))).toBe(true);
    expect(await factories.list()).toMatchObject([
      { uid: former.uid, name: "acme", sourceKey: next.sourceKey, source: next.source },
    ]);
    const history = await factories.listRevisions(former.uid, { limit: 10 });
    expect(history.map(({ revision }) => revision)).toEqual(["r3", "r2", "r1"]);

    const third = await factories.create(factory("third"));
    const late = { formerSourceKey: former.sourceKey, replaced: third };
    expect(await factories.apply(former.uid, application("r4", [], { takesOver: late }))).toBe(false);
    expect(await factories.findBySource(third.sourceKey)).toMatchObject({ uid: third.uid });
  });

  test("cannot take the name of another", async () => {
    const { factories } = await aStore();
    const one = await factories.create(factory("one"));
    const two = await factories.create(factory("two"));
    await factories.apply(one.uid, application("r1", []));
    expect(
      await factories.apply(
        two.uid,
        application("r1", [change("create", "x")], { newUids: { "webhook/x": "U" } }),
      ),
    ).toBe(false);
    expect(await factories.listResources(two.uid)).toEqual([]);
  });
});

describe("deliveries", () => {
  test("are recorded once for each identity; the second is a duplicate of the first", async () => {
    const { deliveries, runs } = await aStore();
    const first = aDelivery({ runs: [aRun({ source: "CUSTOM_WEBHOOK" })] });
    expect(await deliveries.record(first)).toEqual({ outcome: "Accepted", deliveryId: first.id });
    const second = aDelivery({
      identityKey: first.identityKey,
      bodyHash: Buffer.from("other"),
      runs: [aRun()],
    });
    expect(await deliveries.record(second)).toEqual({ outcome: "Duplicate", deliveryId: first.id });
    expect(await deliveries.find(second.id)).toMatchObject({
      outcome: "Duplicate",
      duplicateOf: first.id,
      bodyDiffers: true,
    });
    expect(await deliveries.findPayload(second.id)).toBeUndefined();
    expect(await runs.list({ limit: 10 })).toHaveLength(1);
  });

  test("come with their runs or not at all", async () => {
    const { deliveries, runs } = await aStore();
    const run = aRun();
    const delivery = aDelivery({ runs: [run, run] });
    await expect(deliveries.record(delivery)).rejects.toThrow(/UNIQUE/);
    expect(await deliveries.find(delivery.id)).toBeUndefined();
    expect(await runs.find(run.id)).toBeUndefined();
    expect(await deliveries.record({ ...delivery, runs: [run] })).toMatchObject({ outcome: "Accepted" });
  });

  test("of a webhook are listed newest first, page by page", async () => {
    const { deliveries } = await aStore();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await deliveries.record(aDelivery())).deliveryId);
    await deliveries.record(aDelivery({ webhookUid: "other" }));
    const first = await deliveries.listByWebhook("webhook", { limit: 3 });
    const second = await deliveries.listByWebhook("webhook", { limit: 3, before: first.at(-1)?.id ?? "" });
    expect([...first, ...second].map(({ id }) => id)).toEqual(ids);
  });

  test("that are refused keep metadata only", async () => {
    const { deliveries } = await aStore();
    const refusal = {
      id: newUuid(),
      factoryUid: "f",
      webhookUid: "w",
      time: AT,
      outcome: "Rejected (auth)" as const,
      size: 9,
      reason: "why",
    };
    await deliveries.recordRefusal(refusal);
    expect(await deliveries.find(refusal.id)).toMatchObject({
      outcome: "Rejected (auth)",
      size: 9,
      reason: "why",
      identity: null,
    });
  });
});

describe("runs", () => {
  test("are claimed oldest first, each once", async () => {
    const { runs } = await aStore();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await runs.create(aRun(), AT)).id);
    const first = await runs.claim(2, AT);
    const second = await runs.claim(10, AT);
    expect([...first, ...second].map(({ run }) => run.id)).toEqual(ids);
    expect(await runs.claim(10, AT)).toEqual([]);
  });

  test("start and end for whoever holds the ticket, and for nobody else", async () => {
    const { runs } = await aStore();
    await runs.create(aRun(), AT);
    const [claim] = await runs.claim(1, AT);
    const { run, ticket } = claim ?? { run: { id: "" }, ticket: 0 };
    const start = { id: run.id, sessionId: newUuid(), tokenHash: "hash" };
    const ending = { state: "SUCCEEDED" as const, exitCode: 0, statusMessage: null };
    expect(await runs.start({ ...start, ticket: ticket + 1 }, AT)).toBe(false);
    expect(await runs.start({ ...start, ticket }, AT)).toBe(true);
    expect(await runs.start({ ...start, ticket }, AT)).toBe(false);
    expect((await runs.findByToken("hash"))?.id).toBe(run.id);
    expect(await runs.finish({ id: run.id, ticket: ticket + 1 }, ending, LATER)).toBe(false);
    expect(await runs.finish({ id: run.id, ticket }, ending, LATER)).toBe(true);
    expect(await runs.finish({ id: run.id, ticket }, { ...ending, state: "FAILED" }, LATER)).toBe(false);
    expect(await runs.find(run.id)).toMatchObject({
      state: "SUCCEEDED",
      exitCode: 0,
      startedAt: AT,
      finishedAt: LATER,
    });
    expect(await runs.findByToken("hash")).toBeUndefined();
  });

  test("that a crash has left wait again when they had not started, and end in ERROR when they had", async () => {
    const { runs } = await aStore();
    const waiting = await runs.create(aRun(), AT);
    const claimed = await runs.create(aRun(), AT);
    const started = await runs.create(aRun(), AT);
    const claims = await runs.claim(3, AT);
    const ticketOf = (id: string) => claims.find(({ run }) => run.id === id)?.ticket ?? 0;
    await runs.start(
      { id: started.id, ticket: ticketOf(started.id), sessionId: newUuid(), tokenHash: "h" },
      AT,
    );
    expect(await runs.listStarted()).toEqual([started.id]);
    expect(await runs.recoverLost("lost", LATER)).toEqual([started.id]);
    expect(await runs.listStarted()).toEqual([]);
    expect((await runs.find(waiting.id))?.state).toBe("QUEUED");
    expect((await runs.find(claimed.id))?.state).toBe("QUEUED");
    expect(await runs.find(started.id)).toMatchObject({
      state: "ERROR",
      statusMessage: { message: "lost", error_code: "infrastructure_timeout" },
    });
    // Whoever held a claim before the crash cannot act on it any more.
    await runs.claim(1, LATER);
    expect(
      await runs.start(
        { id: waiting.id, ticket: ticketOf(waiting.id), sessionId: newUuid(), tokenHash: "x" },
        LATER,
      ),
    ).toBe(false);
  });

  test("keep output in order, and attachments byte for byte", async () => {
    const { runs } = await aStore();
    const bytes = Buffer.from([0, 255, 10]);
    const { id } = await runs.create(
      aRun({ attachments: [{ name: "a.bin", mimeType: "x/y", content: bytes }] }),
      AT,
    );
    expect(await runs.listAttachments(id)).toEqual([{ name: "a.bin", mimeType: "x/y", size: 3 }]);
    expect(Buffer.from((await runs.findAttachment(id, "a.bin"))?.content ?? [])).toEqual(bytes);
    const chunk = (seq: number) => ({
      seq,
      turn: 1,
      stream: "stdout" as const,
      at: AT,
      bytes: Buffer.from(String(seq)),
    });
    await runs.appendOutput(id, [chunk(1), chunk(2), chunk(3)]);
    expect((await runs.listOutput(id, 1, 10)).map(({ seq }) => seq)).toEqual([2, 3]);
  });
});
