import { expect, test } from "vitest";
import { replayed } from "../../given/shell.ts";

test("a backup comes back in another folder, as it was typed", async () => {
  const { code, output } = await replayed("restore-elsewhere.sh");
  expect(code, output).toBe(0);
  const restored = output.slice(output.indexOf("ok      git"));
  expect(restored).not.toContain("ERROR");
  expect(restored).toMatch(/status: +synced/);
  expect(restored).toMatch(/Accepted/);
  expect(restored).toContain("A build has failed. Write a report about it.");
}, 90_000);
