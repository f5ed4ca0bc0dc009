import { expect, test } from "vitest";
import { networkGuard, readTarget } from "../../../src/runs/turn/network-guard.ts";
import { networkAbove, networkPolicy } from "../../../src/runs/turn/network-policy.ts";

const A = { allow: ["a.example.com"] };
const B = { allow: ["b.example.com"] };
const LOCKED = { allow: ["a.example.com", "c.example.com"], locked: true };

test("the nearest rule counts, and nothing limits a run of which none is said", () => {
  expect(networkPolicy()).toBeUndefined();
  expect(networkPolicy({ factory: A, agent: B })).toEqual({ allow: [B.allow] });
  expect(networkPolicy({ factory: A, automation: "all" })).toBeUndefined();
  expect(networkPolicy({ automation: "none" }, { settings: "all" })).toEqual({ allow: [[]] });
  expect(networkPolicy({ agent: A }, { runner: B })).toEqual({ allow: [A.allow] });
  expect(networkPolicy({ factory: A }, { runner: B })).toEqual({ allow: [B.allow] });
  expect(networkPolicy({ factory: A, request: B })).toEqual({ allow: [B.allow] });
});

test("below a locked rule, only what both allow is allowed", () => {
  const policy = networkPolicy({ automation: "all" }, { settings: LOCKED });
  expect(policy).toEqual({ allow: [LOCKED.allow] });
  const both = networkGuard(networkPolicy({ request: A }, { settings: LOCKED }) ?? { allow: [] });
  const allows = (host: string) => both.allows({ host, port: 443 });
  expect([allows("a.example.com"), allows("c.example.com"), allows("b.example.com")]).toEqual([
    true,
    false,
    false,
  ]);
});

test("a run that another one has started reaches no more than the request for that allows", () => {
  const above = networkAbove({
    factory: B,
    request: A,
    above: [{ allow: ["a.example.com", "b.example.com"] }],
  });
  const guard = networkGuard(networkPolicy({ agent: "all", ...(above ? { above } : {}) }) ?? { allow: [] });
  expect(guard.allows({ host: "b.example.com", port: 443 })).toBe(false);
  expect(guard.allows({ host: "a.example.com", port: 443 })).toBe(true);
  expect(networkAbove({ factory: B })).toBeUndefined();
});

test("a host is allowed on the ports of the web, or on its own", () => {
  const { allows } = networkGuard({ allow: [["a.example.com", "b.example.com:22", "*.c.example.com"]] });
  const at = (host: string, port: number) => allows({ host, port });
  expect([at("a.example.com", 443), at("a.example.com", 80), at("a.example.com", 22)]).toEqual([
    true,
    true,
    false,
  ]);
  expect([at("b.example.com", 22), at("b.example.com", 443)]).toEqual([true, false]);
  expect([at("x.y.c.example.com", 443), at("c.example.com", 443), at("xc.example.com", 443)]).toEqual([
    true,
    false,
    false,
  ]);
});

test("a private address needs an entry of its own, in every list", () => {
  const name = { host: "db.example.com", port: 443 };
  const permits = (...allow: string[][]) => networkGuard({ allow }).permits(name, "10.1.2.3");
  expect(permits(["db.example.com"])).toBe(false);
  expect(permits(["db.example.com", "10.0.0.0/8"])).toBe(true);
  expect(permits(["db.example.com", "10.0.0.0/8:5432"])).toBe(false);
  expect(permits(["db.example.com", "10.0.0.0/8"], ["db.example.com"])).toBe(false);
  expect(networkGuard({ allow: [["db.example.com"]] }).permits(name, "93.184.216.34")).toBe(true);
});

test("hosts are compared in one form, and what could be read as an address is none", () => {
  expect(readTarget("API.Example.COM.", "443")).toEqual({ host: "api.example.com", port: 443 });
  expect(readTarget("[::1]", 80)).toEqual({ host: "::1", port: 80 });
  for (const host of ["2130706433", "0x7f000001", "127.1", "a..b", "a b", "a@b", ""])
    expect(readTarget(host, 80)).toBeUndefined();
  for (const port of ["0", "65536", "1e3", ""]) expect(readTarget("a.example.com", port)).toBeUndefined();
});
