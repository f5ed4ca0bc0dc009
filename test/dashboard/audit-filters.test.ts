import { expect, test } from "vitest";
import { auditQueryOf } from "../../dashboard/src/pages/audit-log/audit-filters.ts";

test("the filters of the audit log are read from the address, and nothing else is", () => {
  const address = new URLSearchParams("actor=ann&action=&factory=acme&since=2026-11-21T00:00:00Z&other=1");
  expect(auditQueryOf(address)).toEqual({ actor: "ann", factory: "acme", since: "2026-11-21T00:00:00Z" });
});
