import { expect, test } from "vitest";
import type { DeliveryOutcome } from "../../src/ingress/delivery.ts";
import { refusedInARow, refusesAll } from "../../src/ingress/refusal.ts";

const NOW = new Date("2026-11-21T12:00:00.000Z");

function deliveries(count: number, outcome: DeliveryOutcome, minutesApart = 1) {
  return Array.from({ length: count }, (_, place) => ({
    outcome,
    time: new Date(NOW.getTime() - place * minutesApart * 60_000).toISOString(),
  }));
}

test("a webhook refuses all when its newest twenty deliveries were refused within an hour", () => {
  expect(refusesAll(deliveries(20, "Rejected (auth)"), NOW)).toBe(true);
  expect(refusesAll(deliveries(20, "Rejected (invalid JSON)"), NOW)).toBe(true);
});

test("what came before the newest twenty does not count", () => {
  const before = deliveries(5, "Accepted");
  expect(refusesAll([...deliveries(20, "Rejected (auth)"), ...before], NOW)).toBe(true);
});

test("one accepted or duplicate delivery among the newest twenty is enough", () => {
  const refused = deliveries(20, "Rejected (auth)");
  for (const outcome of ["Accepted", "Duplicate"] as const) {
    expect(refusesAll([...refused.slice(0, 19), ...deliveries(1, outcome)], NOW)).toBe(false);
  }
});

test("fewer than twenty deliveries, or twenty within more than an hour, are not enough", () => {
  expect(refusesAll([], NOW)).toBe(false);
  expect(refusesAll(deliveries(19, "Rejected (auth)"), NOW)).toBe(false);
  expect(refusesAll(deliveries(20, "Rejected (auth)", 4), NOW)).toBe(false);
});

test("three deliveries in a row that fail to authenticate show that a sender is refused, however old they are", () => {
  const refused = (count: number) => deliveries(count, "Rejected (auth)", 600);
  const before = deliveries(1, "Accepted");
  expect(refusedInARow(refused(2), NOW)).toEqual([]);
  expect(refusedInARow([...refused(2), ...before, ...refused(3)], NOW)).toEqual([]);
  expect(refusedInARow([...refused(3), ...before, ...refused(1)], NOW)).toEqual(refused(3));
  expect(refusedInARow(deliveries(19, "Rejected (invalid JSON)"), NOW)).toEqual([]);
  expect(refusedInARow(deliveries(20, "Rejected (invalid JSON)"), NOW)).toHaveLength(20);
  expect(refusedInARow([], NOW)).toEqual([]);
});
