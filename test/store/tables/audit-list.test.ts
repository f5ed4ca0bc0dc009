import { expect, test } from "vitest";
import { firstUuidOf } from "../../../src/id.ts";
import type { AuditFilter, AuditRecord } from "../../../src/principals/audit.ts";
import { aStore } from "../../given/store.ts";

const NOON = Date.parse("2026-11-21T12:00:00.000Z");

function aRecord(n: number, more: Partial<AuditRecord> = {}): AuditRecord {
  const at = NOON + n * 1_000;
  return {
    id: firstUuidOf(at).replace(/0$/, "1"),
    at: new Date(at).toISOString(),
    principal: { uid: "ann-uid", type: "user", displayName: "Ann" },
    keyId: "key",
    runId: null,
    factoryUid: null,
    action: "setSecret",
    subject: String(n),
    status: 200,
    traceId: null,
    address: "127.0.0.1",
    ...more,
  };
}

test("records are found by actor, action, factory and time, in any combination", async () => {
  const { audit } = await aStore();
  const bob = { principal: { uid: "bob-uid", type: "user", displayName: "Bob" } } as const;
  await audit.record(aRecord(1));
  await audit.record(aRecord(2, { ...bob, factoryUid: "acme" }));
  await audit.record(aRecord(3, { ...bob, action: "cancelRun" }));
  await audit.record(aRecord(4, { action: "cancelRun", factoryUid: "acme" }));
  const found = async (filter: AuditFilter) => {
    const { records, next } = await audit.list({ ...filter, limit: 10 });
    expect(next).toBeNull();
    return records.map(({ subject }) => subject).join("");
  };
  expect(await found({})).toBe("4321");
  expect(await found({ actor: "Bob" })).toBe("32");
  expect(await found({ actor: "bob-uid" })).toBe("32");
  expect(await found({ actor: "bo" })).toBe("");
  expect(await found({ action: "cancelRun" })).toBe("43");
  expect(await found({ factoryUid: "acme" })).toBe("42");
  expect(await found({ actor: "Bob", factoryUid: "acme" })).toBe("2");
  expect(await found({ since: NOON + 2_000 })).toBe("432");
  expect(await found({ until: NOON + 3_000 })).toBe("21");
  expect(await found({ since: NOON + 2_000, until: NOON + 4_000, action: "setSecret" })).toBe("2");
});

test("a rare record is found page by page in a long log, none of which is skipped or repeated", async () => {
  const { audit, connection } = await aStore();
  await connection.run(
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 45000)
     INSERT INTO audit_log (id, at, principal_uid, principal_kind, display_name, action, subject, status, address)
     SELECT SUBSTR(CAST(100000000 + i AS TEXT), 2) || '-0000-7000-8000-000000000000', 'x', 'ann', 'user', 'Ann',
       CASE WHEN i % 15000 = 1 THEN 'rare' ELSE 'usual' END, i, 200, 'x' FROM n`,
  );
  const seen: string[] = [];
  let before: string | undefined;
  let pages = 0;
  do {
    const { records, next } = await audit.list({ action: "rare", before, limit: 2 });
    seen.push(...records.map(({ subject }) => subject));
    before = next ?? undefined;
    pages += 1;
  } while (before !== undefined);
  expect(seen).toEqual(["30001", "15001", "1"]);
  expect(pages).toBe(3);
});
