import { expect, test } from "vitest";
import { deliveryText, fieldsOf } from "../../dashboard/src/pages/automations/delivery-text.ts";

test("a stored delivery is told by when it came, its event, and the fields that the filter names", () => {
  const fields = fieldsOf({
    status: ["failed"],
    pull_request: { labels: { name: ["x"] } },
    gone: { exists: true },
  });
  const delivery = { time: new Date().toISOString(), delivery_id: "0198-abcdef" };
  const payload = JSON.stringify({ status: "x".repeat(80), pull_request: { labels: [{}, { name: "bug" }] } });
  const text = deliveryText({ ...delivery, event: "pull_request" }, payload, fields);
  expect(text).toMatch(
    /^.+ · pull_request · status: "x{29}… · pull_request\.labels\.name: "bug" · gone: not present · abcdef$/,
  );
  expect(deliveryText(delivery, undefined, fields)).toMatch(/^[^·]+ · abcdef$/);
  expect(deliveryText(delivery, "no json", fields)).toContain("status: not present");
});

test("each field that a filter names is told once, and of many the first three", () => {
  expect(fieldsOf({ status: ["failed"], a: { b: { exists: true, not_in: [1] } } })).toEqual([
    ["status"],
    ["a", "b"],
  ]);
  expect(fieldsOf(undefined)).toEqual([]);
  expect(fieldsOf({ a: [1], b: [1], c: [1], d: [1] })).toHaveLength(3);
});
