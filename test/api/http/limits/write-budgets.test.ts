import { expect, test } from "vitest";
import { createRefusalLog, createWriteLimits } from "../../../../src/api/http/write-limits.ts";
import { newUuid } from "../../../../src/id.ts";
import type { AuditRecord } from "../../../../src/principals/audit.ts";
import type { ApiKey } from "../../../../src/principals/principal.ts";
import { createSessions, MAX_SESSIONS_PER_KEY } from "../../../../src/principals/session.ts";
import { AT, aStore } from "../../../given/store.ts";

const MINUTE_MS = 60_000;

test("a turn has a total limit in addition to its limit per minute, and the next turn has its own", () => {
  let now = 0;
  const limits = createWriteLimits(() => now);
  const id = newUuid();
  const inTurn = (turn: number) => limits.refuseCall({ kind: "run", run: { id, turn } });
  for (let minute = 0; minute < 10; minute += 1) {
    for (let n = 0; n < 60; n += 1) expect(inTurn(1)).toBeUndefined();
    if (minute < 9) expect(inTurn(1)?.message).toContain("60 write calls within a minute");
    now += MINUTE_MS;
  }
  expect(inTurn(1)).toMatchObject({
    code: "rate_limited",
    message: `The token of run ${id} has made 600 write calls in turn 1, which is the limit for a turn.`,
    retryable: false,
  });
  now += MINUTE_MS;
  expect(inTurn(1)?.message).toContain("in turn 1");
  expect(inTurn(2)).toBeUndefined();
  expect(limits.refuseCall({ kind: "run", run: { id: newUuid(), turn: 1 } })).toBeUndefined();
});

const aRefusal = (subject: string): AuditRecord => ({
  id: newUuid(),
  at: AT,
  principal: { uid: "ann", type: "user", displayName: "Ann" },
  keyId: "key",
  runId: null,
  factoryUid: null,
  action: "setSecret",
  subject,
  status: 403,
  traceId: newUuid(),
  address: "127.0.0.1",
});

test("each minute of refusals has one record that counts the rest, also when they come at the same time", async () => {
  const { audit } = await aStore();
  let now = 0;
  const log = createRefusalLog(audit, () => now);
  const refuse = (count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, n) =>
        log.keep({ record: aRefusal(`S${n}`), isWritten: false, isOverLimit: false }),
      ),
    );
  await refuse(100);
  now += MINUTE_MS;
  await refuse(70);
  const { records } = await audit.list({ limit: 500 });
  expect(records.map(({ repeats }) => repeats).filter((repeats) => repeats > 0)).toEqual([9, 39]);
  expect(records).toHaveLength(122);
});

test("a refusal whose counting record is gone gets its own record", async () => {
  const { audit, connection } = await aStore();
  const log = createRefusalLog(audit, () => 0);
  const keep = (subject: string) =>
    log.keep({ record: aRefusal(subject), isWritten: false, isOverLimit: true });
  await keep("A");
  await connection.run("DELETE FROM audit_log");
  await keep("B");
  await keep("C");
  expect((await audit.list({ limit: 5 })).records.map(({ subject, repeats }) => [subject, repeats])).toEqual([
    ["B", 1],
  ]);
});

test("a key has a limited number of sessions; the next sign-in ends the least recently used one", async () => {
  const { sessions: store, keys, connection } = await aStore();
  const key: ApiKey = {
    id: "key",
    principal: { uid: "ann", type: "user", displayName: "Ann" },
    name: "ann",
    kind: "personal",
    role: "viewer",
    factories: null,
    prefix: "mr_ann",
    createdAt: AT,
    lastUsedAt: null,
    expiresAt: null,
    revokedAt: null,
  };
  await keys.create({ ...key, hash: "hash", fromSettings: false });
  let now = Date.parse(AT);
  const sessions = createSessions({
    store,
    keys: { findActive: async () => key },
    now: () => new Date(now),
    sessionIdleTimeout: 3_600_000,
    sessionLifetime: 86_400_000,
  });
  const ids: string[] = [];
  for (let n = 0; n <= MAX_SESSIONS_PER_KEY; n += 1) {
    ids.push((await sessions.begin(key)).id);
    now += 1_000;
  }
  expect((await connection.first<{ count: number }>("SELECT COUNT(*) AS count FROM sessions"))?.count).toBe(
    MAX_SESSIONS_PER_KEY,
  );
  const [first = "", second = ""] = ids;
  expect([await sessions.look(first), await sessions.look(second)]).toEqual([undefined, key]);
});
