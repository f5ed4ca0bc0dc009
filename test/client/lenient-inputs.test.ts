import { expect, test } from "vitest";
import { instantPast } from "../../src/cli/arguments.ts";
import { settle } from "../../src/client/options.ts";
import { parseInstant } from "../../src/time/instant.ts";

test("a day by itself is its beginning in UTC", () => {
  expect(parseInstant("2026-01-31")).toBe(Date.parse("2026-01-31T00:00:00Z"));
  expect(parseInstant("2026-02-31")).toBeUndefined();
  expect(instantPast("2026-01-31")).toBe("2026-01-31T00:00:00.000Z");
});

test("the URL of a server may end in the prefix of the API, as clients of the public API have it", () => {
  for (const baseUrl of [
    "http://127.0.0.1:8787/api/v1",
    "http://127.0.0.1:8787/api/v1/",
    "http://127.0.0.1:8787",
  ]) {
    expect(settle({ baseUrl }).baseUrl).toBe("http://127.0.0.1:8787");
  }
});
