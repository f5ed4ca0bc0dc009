import { expect, test } from "vitest";
import { coversEntry, hostName, parseAllowEntry } from "../../src/network/allow-entry.ts";

function entry(text: string) {
  const parsed = parseAllowEntry(text);
  if ("problem" in parsed) throw new Error(parsed.problem);
  return parsed;
}

test("entries are read in one form", () => {
  expect(entry("API.Example.com.")).toEqual({ kind: "host", name: "api.example.com" });
  expect(entry("*.Example.com:8443")).toEqual({ kind: "below", name: "example.com", port: 8443 });
  expect(entry("10.1.2.3")).toEqual({ kind: "network", network: "10.1.2.3/32" });
  expect(entry("::ffff:10.1.2.3")).toEqual({ kind: "network", network: "10.1.2.3/32" });
  expect(entry("[2001:db8::1]:443")).toEqual({ kind: "network", network: "2001:db8::1/128", port: 443 });
  expect(entry("2001:db8::/32")).toEqual({ kind: "network", network: "2001:db8::/32" });
});

test.each([
  ["*.example.com", "a.example.com", true],
  ["*.example.com", "*.a.example.com", true],
  ["*.example.com", "example.com", false],
  ["*.example.com", "*.example.com:22", false],
  ["a.example.com", "*.a.example.com", false],
  ["a.example.com:443", "a.example.com", false],
  ["a.example.com", "a.example.com:443", true],
  ["10.0.0.0/8", "10.1.0.0/16", true],
  ["10.1.0.0/16", "10.0.0.0/8", false],
  ["10.0.0.0/8", "a.example.com", false],
  ["10.0.0.0/8", "::1", false],
])("whether %s allows all that %s allows: %s", (wide, narrow, expected) => {
  expect(coversEntry(entry(wide), entry(narrow))).toBe(expected);
});

test("a name has labels of at most 63 characters, 253 in all, and is no number", () => {
  expect(hostName(`${"a".repeat(63)}.example`)).toBeDefined();
  for (const text of [
    `${"a".repeat(64)}.example`,
    `${"a.".repeat(127)}ab`,
    "-a.example",
    "a-.example",
    "1.2.3",
    "a.123",
    "a.0x7f",
  ])
    expect(hostName(text), text).toBeUndefined();
});
