import { expect, test } from "vitest";
import { parseYaml } from "../../src/definitions/loading/parse.ts";
import { writeFilterTest } from "../../src/definitions/write-filter-test.ts";

const written = (payload: string) =>
  writeFilterTest({
    description: 'A "delivery"',
    webhook: "ci",
    event: "push",
    fires: false,
    payload,
  });

function readBack(payload: string): Record<string, unknown> {
  const text = written(payload) ?? "";
  const parsed = parseYaml("automations/a/tests/b.yaml", text);
  if (!("file" in parsed)) throw new Error(JSON.stringify(parsed.problems));
  return parsed.file.data;
}

test.each([
  '{"a":{"b":[1,2.50,-3e2,true,null],"c":[],"d":{ }},"e":""}',
  '[ "x", {"y": "z: # {[,]} \\" \\\\ \\u0007 \\ud83d\\ude00 \\/ \\n \\t ü"} ]',
  '"only a text"',
  "42",
  "null",
  '{"":0,"- a":"- b","? k":"!t &x *y","2026-01-01":"2026-01-01","yes":"no","0x1f":"1_000"}',
  '{"__proto__":{"a":1},"html":"<script>alert(1)</script>","line":"\\u2028---\\n..."}',
  `{"${"k".repeat(300)}":"${"v".repeat(5_000)}"}`,
])("a payload is the same after it was written as a test: %s", (payload) => {
  expect(readBack(payload)).toEqual({
    description: 'A "delivery"',
    webhook: "ci",
    event: "push",
    fires: false,
    payload: JSON.parse(payload),
  });
});

test("the numbers of a payload stay as they were sent, also those that JavaScript cannot hold", () => {
  expect(written('{"id":12345678901234567890,"price":1.10}')).toContain(
    'payload:\n  {\n    "id": 12345678901234567890,\n    "price": 1.10\n  }\n',
  );
});

test("what is larger than a file of a definition is not cut, and there is no test of it", () => {
  expect(written(`"${"x".repeat(255 * 1024)}"`)).toBeDefined();
  expect(written(`"${"x".repeat(257 * 1024)}"`)).toBeUndefined();
  expect(written(`"${"ü".repeat(200 * 1024)}"`)).toBeUndefined();
  // Each level would be one more step to the right.
  expect(written("[".repeat(400_000) + "]".repeat(400_000))).toBeUndefined();
});
