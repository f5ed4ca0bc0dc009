import { describe, expect, test } from "vitest";
import { newUuid } from "../../../src/id.ts";
import { AT, aRun, aStore, LATER, LEASE } from "../../given/store.ts";

describe("runs", () => {
  test("are claimed oldest first, each once", async () => {
    const { runs } = await aStore();
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await runs.create(aRun(), AT)).id);
    const first = await runs.claim(2, LEASE, AT);
    const second = await runs.claim(10, LEASE, AT);
    expect([...first, ...second].map(({ run }) => run.id)).toEqual(ids);
    expect(await runs.claim(10, LEASE, AT)).toEqual([]);
  });

  test("start and end for the holder of the ticket, who may say so again, and for no one else", async () => {
    const { runs } = await aStore();
    await runs.create(aRun(), AT);
    const [claim] = await runs.claim(1, LEASE, AT);
    const { run, ticket } = claim ?? { run: { id: "" }, ticket: 0 };
    const start = { id: run.id, sessionId: newUuid(), tokenHash: "hash", takesInput: false };
    const ending = { state: "SUCCEEDED" as const, exitCode: 0, statusMessage: null };
    expect(await runs.start({ ...start, ticket: ticket + 1 }, AT)).toBe(false);
    expect(await runs.start({ ...start, ticket }, AT)).toBe("first");
    expect(await runs.start({ ...start, ticket }, AT)).toBe("again");
    expect(await runs.start({ ...start, ticket, tokenHash: "other" }, AT)).toBe(false);
    expect((await runs.findByToken("hash"))?.id).toBe(run.id);
    expect(await runs.finish({ id: run.id, ticket: ticket + 1 }, ending, LATER)).toBeUndefined();
    expect(await runs.finish({ id: run.id, ticket }, ending, LATER)).toBe(ending.state);
    expect(await runs.finish({ id: run.id, ticket }, { ...ending, state: "FAILED" }, LATER)).toBeUndefined();
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
    const claims = await runs.claim(3, LEASE, AT);
    const ticketOf = (id: string) => claims.find(({ run }) => run.id === id)?.ticket ?? 0;
    await runs.start(
      {
        id: started.id,
        ticket: ticketOf(started.id),
        sessionId: newUuid(),
        tokenHash: "h",
        takesInput: false,
      },
      AT,
    );
    expect(await runs.listLeased()).toEqual([waiting.id, claimed.id, started.id]);
    await runs.recoverLost([waiting.id, claimed.id, started.id], "lost", LATER);
    expect(await runs.listLeased()).toEqual([]);
    expect((await runs.find(waiting.id))?.state).toBe("QUEUED");
    expect((await runs.find(claimed.id))?.state).toBe("QUEUED");
    expect(await runs.find(started.id)).toMatchObject({
      state: "ERROR",
      statusMessage: { message: "lost", error_code: "infrastructure_timeout" },
    });
    // Whoever held a claim before the crash cannot act on it any more.
    await runs.claim(1, LEASE, LATER);
    expect(
      await runs.start(
        {
          id: waiting.id,
          ticket: ticketOf(waiting.id),
          sessionId: newUuid(),
          tokenHash: "x",
          takesInput: false,
        },
        LATER,
      ),
    ).toBe(false);
  });

  test("that start in a workspace that was set up have how that went in their timeline, whatever the reason has in it", async () => {
    const { runs } = await aStore();
    const { id } = await runs.create(aRun(), AT);
    const [claim] = await runs.claim(1, LEASE, AT);
    const start = {
      id,
      ticket: claim?.ticket ?? 0,
      sessionId: newUuid(),
      tokenHash: "hash",
      takesInput: false,
    };
    const setup = { restored: false, reason: `"a" changed: '\\é\n', and {"b": $1}` };
    expect(await runs.start({ ...start, wasSetUp: true, setup }, LATER)).not.toBe(false);
    const events = await runs.listEvents(id, { limit: 50 });
    expect(events.find(({ type }) => type === "worker_container_ready")?.payload).toEqual({
      turn: 1,
      setup,
    });
  });

  test("that were cancelled between claim and start never start, and their setup is not reported", async () => {
    const { runs } = await aStore();
    const { id } = await runs.create(aRun(), AT);
    const [claim] = await runs.claim(1, LEASE, AT);
    const ticket = claim?.ticket ?? 0;
    expect(await runs.cancel(id, AT)).toBe("CLAIMED");
    const start = { id, ticket, sessionId: newUuid(), tokenHash: "hash", takesInput: false, wasSetUp: true };
    expect(await runs.start(start, LATER)).toBe(false);
    expect(await runs.findByToken("hash")).toBeUndefined();
    expect(await runs.find(id)).toMatchObject({ state: "CLAIMED", startedAt: null });
    const ending = { state: "CANCELLED" as const, exitCode: null, statusMessage: null };
    expect(await runs.finish({ id, ticket }, ending, LATER)).toBe(ending.state);
    expect(await runs.find(id)).toMatchObject({ state: "CANCELLED", startedAt: null });
  });

  test("that were claimed and cancelled when a crash came are not queued again, but cancelled", async () => {
    const { runs } = await aStore();
    const { id } = await runs.create(aRun(), AT);
    await runs.claim(1, LEASE, AT);
    await runs.cancel(id, AT);
    await runs.recoverLost(await runs.listLeased(), "lost", LATER);
    expect(await runs.find(id)).toMatchObject({ state: "CANCELLED", startedAt: null, finishedAt: LATER });
    expect(await runs.claim(1, LEASE, LATER)).toEqual([]);
  });

  test("store attachments byte for byte", async () => {
    const { runs } = await aStore();
    const bytes = Buffer.from([0, 255, 10]);
    const { id } = await runs.create(
      aRun({ attachments: [{ name: "a.bin", mimeType: "x/y", content: bytes }] }),
      AT,
    );
    expect(await runs.listAttachments(id)).toEqual([{ name: "a.bin", mimeType: "x/y", size: 3 }]);
    expect(Buffer.from((await runs.findAttachment(id, "a.bin"))?.content ?? [])).toEqual(bytes);
  });
});
